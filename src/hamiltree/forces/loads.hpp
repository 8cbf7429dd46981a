// Loads: what gravity and all forces do to the bodies and joints of a System, and the potential
// energy of those that have one.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/elements.hpp"
#include "hamiltree/forces/gravity.hpp"
#include "hamiltree/forces/joint_effort.hpp"

namespace hamiltree {

template <class Space>
struct Loads {
  std::vector<typename Space::Force> body;     // world axes, at each body's origin
  std::vector<typename Space::Scalar> effort;  // N m or N along each joint written with one dof

  explicit Loads(const System<Space>& system)
      : body(system.bodies.size(), Space::Force::Zero()),
        effort(system.joints.size(), typename Space::Scalar(0)) {}
};

// A sink of forces that adds them to loads, of whatever kind they are.
template <class Space>
struct LoadSink {
  const Instant<Space>& now;
  Loads<Space>& loads;

  void effort(ForceKind, int j, const typename Space::Scalar& effort) {
    apply_effort(now.system, now.kin, j, effort, loads);
  }
  template <class Parts, class WrenchOf>
  void pair(int parent, int child, const typename Space::Position& x, const Parts& parts,
            const WrenchOf& wrench_of) {
    apply_pair(now.kin, parent, child, x, wrench_of(sum_of(parts)), loads.body);
  }
};

// Poses must be placed and velocities moved; q are the state's coordinates.
template <class Space>
void evaluate_loads(const System<Space>& system, const Kinematics<Space>& kin,
                    const typename Space::Scalar& t, const typename Space::Scalar* q,
                    Loads<Space>& loads) {
  using Scalar = typename Space::Scalar;
  for (auto& effort : loads.effort) effort = Scalar(0);
  for (int b = 0; b < system.body_count(); ++b) {
    loads.body[at(b)] = gravity_load(system, kin, b);
  }
  const Instant<Space> now{system, kin, t, q};
  LoadSink<Space> sink{now, loads};
  system.for_each_force([&](const auto& element) { exert(element, now, sink); });
}

// J, of all forces that have a potential. `now`: an Instant of whatever kind; its time is not read.
template <class Now, class Scalar>
void add_stored_energies(const Now& now, Scalar& energy) {
  now.system.for_each_force([&](const auto& element) {
    if constexpr (requires { stored_energy(element, now); }) energy += stored_energy(element, now);
  });
}

// J; poses must be placed.
template <class Space>
typename Space::Scalar potential_energy(const System<Space>& system, const Kinematics<Space>& kin,
                                        const typename Space::Scalar* q) {
  const typename Space::Scalar no_time(0);  // potentials know none
  const Instant<Space> now{system, kin, no_time, q};
  typename Space::Scalar energy(0);
  for (int b = 0; b < system.body_count(); ++b) energy += gravity_energy(system, kin, b);
  add_stored_energies(now, energy);
  return energy;
}

// False when a force or a drive takes or gives energy.
template <class Space>
bool is_conservative(const System<Space>& system) {
  bool conservative = system.drives.empty();
  system.for_each_force(
      [&](const auto& element) { conservative = conservative && is_conservative(element); });
  return conservative;
}

// On double: compiled once, in loads.cpp.
extern template void evaluate_loads(const System<Planar<double>>&,
                                    const Kinematics<Planar<double>>&, const double&, const double*,
                                    Loads<Planar<double>>&);
extern template double potential_energy(const System<Planar<double>>&,
                                        const Kinematics<Planar<double>>&, const double*);
extern template void evaluate_loads(const System<Spatial<double>>&,
                                    const Kinematics<Spatial<double>>&, const double&,
                                    const double*, Loads<Spatial<double>>&);
extern template double potential_energy(const System<Spatial<double>>&,
                                        const Kinematics<Spatial<double>>&, const double*);

}  // namespace hamiltree
