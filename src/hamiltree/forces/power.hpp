// Power: what the forces without a potential give to the mechanism and take from it. With T and V
// the kinetic and the potential energy,
//   d(T + V)/dt = applied + dissipated + what drives give
#pragma once

#include "hamiltree/forces/instant.hpp"

namespace hamiltree {

template <class Scalar>
struct ForcePower {
  Scalar applied{0};     // W, of actuators, wrenches and callbacks
  Scalar dissipated{0};  // W, of dampers, stops and friction; not positive

  void add(ForceKind kind, const Scalar& watts) {
    if (kind == ForceKind::kApplied) applied += watts;
    if (kind == ForceKind::kDissipative) dissipated += watts;
  }
};

}  // namespace hamiltree
