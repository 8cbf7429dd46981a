// Poses of bodies, axes and cuts in the arrays of kernel::Work, whose passes place mechanisms in
// space; those in a plane lie in its x-y plane.
#pragma once

#include <cstddef>

#include "hamiltree/formulations/kernel/compile.hpp"
#include "hamiltree/formulations/kernel/kernels.hpp"
#include "hamiltree/formulations/kernel/sight.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree::derivatives {

template <class Space>
class PlacedBodies;

template <>
class PlacedBodies<Spatial<double>> {
 public:
  explicit PlacedBodies(const System<Spatial<double>>& system)
      : system_(system),
        tables_(kernel::unplanned_tables(system)),
        work_(tables_),
        kin_(system),
        sight_(kernel::full_sight(system)) {}

  void place(double t, const double* q) {
    if (!system_.drives.empty()) {
      evaluate_drives(system_, t, kin_);
      kernel::take_drives(kin_, work_.drives);
    }
    kernel::Arrays state;
    state.q = q;
    kernels_.place(tables_, state, work_);
  }
  const kernel::Work& work() const { return work_; }
  // With all poses.
  const Kinematics<Spatial<double>>& kinematics() {
    kernel::take_poses(system_, tables_, work_, sight_, kin_);
    return kin_;
  }

 private:
  const System<Spatial<double>>& system_;
  kernel::Tables tables_;
  kernel::Work work_;
  Kinematics<Spatial<double>> kin_;
  Sight sight_;
  const kernel::Kernels& kernels_ = kernel::kernels();
};

template <>
class PlacedBodies<Planar<double>> {
 public:
  explicit PlacedBodies(const System<Planar<double>>& system);

  void place(double t, const double* q);
  const kernel::Work& work() const { return work_; }
  const Kinematics<Planar<double>>& kinematics() const { return kin_; }

 private:
  void place_body(int b);
  void place_cut(int j);

  const System<Planar<double>>& system_;
  kernel::Work work_;
  Kinematics<Planar<double>> kin_;
};

}  // namespace hamiltree::derivatives
