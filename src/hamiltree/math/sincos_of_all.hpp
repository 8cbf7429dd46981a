// Sines and cosines of `count` angles: numbers, in arrays that end with a whole pack, or packs.
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/sincos.hpp"

namespace hamiltree {

inline void sin_cos_of_all(std::size_t count, const double* angles, double* sines,
                           double* cosines) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    Pack s, c;
    sin_cos(Pack::of_lanes([&](int lane) { return angles[i + at(lane)]; }), s, c);
    s.store(sines + i);
    c.store(cosines + i);
  }
}
inline void sin_cos_of_all(std::size_t count, const Pack* angles, Pack* sines, Pack* cosines) {
  for (std::size_t i = 0; i < count; ++i) sin_cos(angles[i], sines[i], cosines[i]);
}

}  // namespace hamiltree
