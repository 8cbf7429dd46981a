// Loads: what gravity and all forces do to the bodies and joints of a System, with their power and
// the potential energy of those that have one.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/elements.hpp"
#include "hamiltree/forces/gravity.hpp"
#include "hamiltree/forces/joint_effort.hpp"
#include "hamiltree/forces/power.hpp"

namespace hamiltree {

template <class Space>
struct Loads {
  std::vector<typename Space::Force> body;     // world axes, at each body's origin
  std::vector<typename Space::Scalar> effort;  // N m or N along each joint written with one dof

  explicit Loads(const System<Space>& system)
      : body(system.bodies.size(), Space::Force::Zero()),
        effort(system.joints.size(), typename Space::Scalar(0)) {}
};

// A sink of forces that adds up their loads, their power or both.
template <class Space>
struct ForceSink {
  using Scalar = typename Space::Scalar;

  const Instant<Space>& now;
  Loads<Space>* loads;        // null: not asked for
  ForcePower<Scalar>* power;  // likewise

  // An effort works along its joint's coordinate, also where a moving frame carries the joint: the
  // rest is the frame's drive's.
  void effort(ForceKind kind, int j, const Scalar& effort) {
    if (loads != nullptr) apply_effort(now.system, now.kin, j, effort, *loads);
    if (power != nullptr) power->add(kind, effort * now.rate(j));
  }
  template <class Parts, class WrenchOf>
  void pair(int parent, int child, const typename Space::Position& x, const Parts& parts,
            const WrenchOf& wrench_of) {
    if (loads != nullptr)
      apply_pair(now.kin, parent, child, x, wrench_of(sum_of(parts)), loads->body);
    if (power == nullptr) return;
    const typename Space::Motion V = now.kin.velocity_at(child, x) - now.kin.velocity_at(parent, x);
    for (const auto& part : parts) power->add(part.kind, wrench_of(part.value).dot(V));
  }
};

// All forces but gravity, to what is asked for. Allocates nothing.
template <class Space>
void exert_forces(const Instant<Space>& now, Loads<Space>* loads,
                  ForcePower<typename Space::Scalar>* power) {
  ForceSink<Space> sink{now, loads, power};
  now.system.for_each_force([&](const auto& element) { exert(element, now, sink); });
}

// J, of all forces that have a potential; the time of `now` is not read.
template <class Space>
typename Space::Scalar stored_energies(const Instant<Space>& now) {
  typename Space::Scalar energy(0);
  now.system.for_each_force([&](const auto& element) {
    if constexpr (requires { stored_energy(element, now); }) energy += stored_energy(element, now);
  });
  return energy;
}

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
  exert_forces<Space>({system, kin, t, q}, &loads, nullptr);
}

// Likewise.
template <class Space>
ForcePower<typename Space::Scalar> power(const System<Space>& system, const Kinematics<Space>& kin,
                                         const typename Space::Scalar& t,
                                         const typename Space::Scalar* q) {
  ForcePower<typename Space::Scalar> power{};
  exert_forces<Space>({system, kin, t, q}, nullptr, &power);
  return power;
}

// J; poses must be placed.
template <class Space>
typename Space::Scalar potential_energy(const System<Space>& system, const Kinematics<Space>& kin,
                                        const typename Space::Scalar* q) {
  const typename Space::Scalar no_time(0);  // potentials know none
  typename Space::Scalar energy(0);
  for (int b = 0; b < system.body_count(); ++b) energy += gravity_energy(system, kin, b);
  return energy + stored_energies<Space>({system, kin, no_time, q});
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
extern template void exert_forces(const Instant<Planar<double>>&, Loads<Planar<double>>*,
                                  ForcePower<double>*);
extern template double stored_energies(const Instant<Planar<double>>&);
extern template void exert_forces(const Instant<Spatial<double>>&, Loads<Spatial<double>>*,
                                  ForcePower<double>*);
extern template double stored_energies(const Instant<Spatial<double>>&);

}  // namespace hamiltree
