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

}  // namespace hamiltree::kernel
