// Sines and cosines of eight angles at once, to about one unit in the last place of 1.
#pragma once

#include <cmath>

#include "hamiltree/math/pack.hpp"
#include "hamiltree/math/quarter_turns.hpp"

namespace hamiltree {

[[gnu::always_inline]] inline void sin_cos(const Pack& x, Pack& sine, Pack& cosine) {
  const auto [rounded, k, sin_r, cos_r] = quarter_turns(x);
  // Step (3) of quarter_turns.hpp, by the last bits.
  const auto odd = rounded.has_bit(0);
  const auto sine_minus = rounded.has_bit(1);
  const auto cosine_minus = (rounded + Pack(1.0)).has_bit(1);
  const Pack s = select(odd, cos_r, sin_r), c = select(odd, sin_r, cos_r);
  sine = select(sine_minus, -s, s);
  cosine = select(cosine_minus, -c, c);
  for (int i = 0; i < kLanes; ++i) {
    if (std::abs(x[i]) <= kLargestAngle) continue;
    sine.set(i, std::sin(x[i]));
    cosine.set(i, std::cos(x[i]));
  }
}

}  // namespace hamiltree
