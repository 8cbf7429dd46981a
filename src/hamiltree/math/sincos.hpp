// Sines and cosines of eight angles at once, to about one unit in the last place of 1.
#pragma once

#include <cmath>

#include "hamiltree/math/pack.hpp"

namespace hamiltree {

// Beyond it reduction would lose digits: lane by lane, by the library.
inline constexpr double kLargestAngle = 1e5;

//   (1)  k = round(2 x / pi),  r = x - k pi/2 in |r| <= pi/4, with pi/2 in three parts of 33 bits
//   (2)  sin r = r + r^3 S(r^2),  cos r = 1 - r^2/2 + r^4 C(r^2)       (minimax, degree 13 and 14)
//   (3)  sin x, cos x by the quadrant k mod 4
[[gnu::always_inline]] inline void sin_cos(const Pack& x, Pack& sine, Pack& cosine) {
  // (1)
  constexpr double kTwoOverPi = 0.63661977236758134308;
  constexpr double kRound = 6755399441055744.0;  // 1.5 2^52: its last bits hold the integer
  const Pack rounded = x * Pack(kTwoOverPi) + Pack(kRound);
  const Pack k = rounded - Pack(kRound);
  Pack r = x - k * Pack(1.57079632673412561417);
  r -= k * Pack(6.07710050630396597660e-11);
  r -= k * Pack(2.02226624879595063154e-21);
  // (2)
  const Pack z = r * r;
  const Pack S = Pack(-1.66666666666666324348e-01) +
                 z * (Pack(8.33333333332248946124e-03) +
                      z * (Pack(-1.98412698298579493134e-04) +
                           z * (Pack(2.75573137070700676789e-06) +
                                z * (Pack(-2.50507602534068634195e-08) +
                                     z * Pack(1.58969099521155010221e-10)))));
  const Pack C = Pack(4.16666666666666019037e-02) +
                 z * (Pack(-1.38888888888741095749e-03) +
                      z * (Pack(2.48015872894767294178e-05) +
                           z * (Pack(-2.75573143513906633035e-07) +
                                z * (Pack(2.08757232129817482790e-09) +
                                     z * Pack(-1.13596475577881948265e-11)))));
  const Pack sin_r = r + r * z * S;
  const Pack cos_r = Pack(1.0) - (Pack(0.5) * z - z * z * C);
  // (3)
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
