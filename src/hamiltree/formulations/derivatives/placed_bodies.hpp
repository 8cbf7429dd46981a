// Poses of bodies, axes and cuts in the arrays of kernel::Work, whose passes place mechanisms in
// space; those in a plane lie in its x-y plane. Drives stand as they were evaluated for that.
#pragma once

#include <cstddef>
#include <vector>

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
        poses_(system.bodies.size()) {}

  void place(double t, const double* q) {
    if (!system_.drives.empty()) {
      evaluate_drives(system_, t, kin_);
      kernel::take_drives(kin_, work_);
    }
    kernel::Arrays state;
    state.q = q;
    kernels_.place(tables_, state, work_);
  }
  const kernel::Work& work() const { return work_; }
  const std::vector<Pose<Spatial<double>>>& poses() {
    for (std::size_t b = 0; b < poses_.size(); ++b) {
      const auto& body = work_.bodies[b];
      for (int i = 0; i < 3; ++i) poses_[b].R.col(i) = Eigen::Vector3d(body.R[i].lane);
      poses_[b].r = Eigen::Vector3d(body.r.lane);
    }
    return poses_;
  }
  const std::vector<DrivenFrame<Spatial<double>>>& drives() const { return kin_.drives; }

 private:
  const System<Spatial<double>>& system_;
  kernel::Tables tables_;
  kernel::Work work_;
  Kinematics<Spatial<double>> kin_;
  std::vector<Pose<Spatial<double>>> poses_;
  const kernel::Kernels& kernels_ = kernel::kernels();
};

template <>
class PlacedBodies<Planar<double>> {
 public:
  explicit PlacedBodies(const System<Planar<double>>& system);

  void place(double t, const double* q);
  const kernel::Work& work() const { return work_; }
  const std::vector<Pose<Planar<double>>>& poses() { return kin_.X_WB; }
  const std::vector<DrivenFrame<Planar<double>>>& drives() const { return kin_.drives; }

 private:
  void place_body(int b);
  void place_cut(int j);

  const System<Planar<double>>& system_;
  kernel::Work work_;
  Kinematics<Planar<double>> kin_;
};

}  // namespace hamiltree::derivatives
