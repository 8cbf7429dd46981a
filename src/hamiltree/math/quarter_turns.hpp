// Sines and cosines without a branch, to about one unit in the last place of 1, for any scalar:
//   (1)  k = round(2 x / pi),  r = x - k pi/2 in |r| <= pi/4, with pi/2 in three parts of 33 bits
//   (2)  sin r = r + r^3 S(r^2),  cos r = 1 - r^2/2 + r^4 C(r^2)       (minimax, degree 13 and 14)
//   (3)  sin x, cos x by the quadrant k mod 4
// The third is left to each scalar.
#pragma once

namespace hamiltree {

// Beyond it reduction would lose digits: lane by lane, by the library.
inline constexpr double kLargestAngle = 1e5;

inline constexpr double kRound = 6755399441055744.0;  // 1.5 2^52: its last bits hold the integer

// The results of (1) and (2) for an angle.
template <class T>
struct QuarterTurns {
  T rounded;       // k + kRound
  T k;             // a whole number
  T sine, cosine;  // of r
};

template <class T>
[[gnu::always_inline]] inline QuarterTurns<T> quarter_turns(const T& x) {
  // (1)
  constexpr double kTwoOverPi = 0.63661977236758134308;
  const T rounded = x * T(kTwoOverPi) + T(kRound);
  const T k = rounded - T(kRound);
  T r = x - k * T(1.57079632673412561417);
  r -= k * T(6.07710050630396597660e-11);
  r -= k * T(2.02226624879595063154e-21);
  // (2)
  const T z = r * r;
  const T S =
      T(-1.66666666666666324348e-01) +
      z * (T(8.33333333332248946124e-03) +
           z * (T(-1.98412698298579493134e-04) +
                z * (T(2.75573137070700676789e-06) +
                     z * (T(-2.50507602534068634195e-08) + z * T(1.58969099521155010221e-10)))));
  const T C =
      T(4.16666666666666019037e-02) +
      z * (T(-1.38888888888741095749e-03) +
           z * (T(2.48015872894767294178e-05) +
                z * (T(-2.75573143513906633035e-07) +
                     z * (T(2.08757232129817482790e-09) + z * T(-1.13596475577881948265e-11)))));
  return {rounded, k, r + r * z * S, T(1.0) - (T(0.5) * z - z * z * C)};
}

}  // namespace hamiltree
