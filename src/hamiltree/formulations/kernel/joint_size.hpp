// How many velocities a joint of each kind has.
#pragma once

#include "hamiltree/formulations/kernel/tables.hpp"

namespace hamiltree::kernel {

constexpr int velocity_count(Kind kind) {
  switch (kind) {
    case Kind::kFixed:
      return 0;
    case Kind::kRevolute:
    case Kind::kPrismatic:
    case Kind::kHelical:
      return 1;
    case Kind::kUniversal:
    case Kind::kCylindrical:
    case Kind::kPinInSlot:
      return 2;
    case Kind::kPlanar:
    case Kind::kTranslational:
    case Kind::kSpherical:
      return 3;
    case Kind::kFree:
      return 6;
  }
  return 0;
}

// Whether velocity k of a joint of independent axes is a turn.
constexpr bool turns(Kind kind, int k) {
  switch (kind) {
    case Kind::kRevolute:
    case Kind::kHelical:
    case Kind::kUniversal:
      return true;
    case Kind::kCylindrical:
    case Kind::kPinInSlot:
      return k == 1;
    case Kind::kPlanar:
      return k == 2;
    default:
      return false;
  }
}

}  // namespace hamiltree::kernel
