// Power: what the forces without a potential give to the mechanism and take from it. With T and V
// the kinetic and the potential energy,
//   d(T + V)/dt = applied + dissipated + what drives give
#pragma once

#include "hamiltree/forces/elements.hpp"

namespace hamiltree {

template <class Scalar>
struct ForcePower {
  Scalar applied{0};     // W, of actuators, wrenches and callbacks
  Scalar dissipated{0};  // W, of dampers, stops and friction; not positive
};

// A sink of forces that adds up what they do to a motion. An effort works along its joint's
// coordinate, also where a moving frame carries the joint: the rest is the frame's drive's.
template <class Space, class Now = Instant<Space>>
struct PowerSink {
  using Scalar = typename Space::Scalar;

  const Now& now;
  ForcePower<Scalar> power{};

  void effort(ForceKind kind, int j, const Scalar& effort) { add(kind, effort * now.rate(j)); }
  template <class Parts, class WrenchOf>
  void pair(int parent, int child, const typename Space::Position& x, const Parts& parts,
            const WrenchOf& wrench_of) {
    const typename Space::Motion V = now.kin.velocity_at(child, x) - now.kin.velocity_at(parent, x);
    for (const auto& part : parts) add(part.kind, wrench_of(part.value).dot(V));
  }

 private:
  void add(ForceKind kind, const Scalar& watts) {
    if (kind == ForceKind::kApplied) power.applied += watts;
    if (kind == ForceKind::kDissipative) power.dissipated += watts;
  }
};

// Poses must be placed and velocities moved; q are the state's coordinates. Allocates nothing.
template <class Space>
ForcePower<typename Space::Scalar> power(const System<Space>& system, const Kinematics<Space>& kin,
                                         const typename Space::Scalar& t,
                                         const typename Space::Scalar* q) {
  const Instant<Space> now{system, kin, t, q};
  PowerSink<Space> sink{now};
  system.for_each_force([&](const auto& element) { exert(element, now, sink); });
  return sink.power;
}

// On double: compiled once, in power.cpp.
extern template ForcePower<double> power(const System<Planar<double>>&,
                                         const Kinematics<Planar<double>>&, const double&,
                                         const double*);
extern template ForcePower<double> power(const System<Spatial<double>>&,
                                         const Kinematics<Spatial<double>>&, const double&,
                                         const double*);

}  // namespace hamiltree
