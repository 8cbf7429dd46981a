// The chip's numbers: binary32, rounded to nearest with ties to even, without subnormals. Operands
// and results that are subnormal are zero with their sign; not a number is always 7fc00000. These
// functions say bit for bit what float_add.sv, float_multiply.sv and float_reciprocal.sv give.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace hamiltree::hardware {

using Word = std::uint32_t;  // a binary32 as its bits

inline Word bits_of(float x) { return std::bit_cast<Word>(x); }
inline float float_of(Word x) { return std::bit_cast<float>(x); }

inline constexpr Word kSignBit = 0x80000000U;
inline constexpr Word kInfinity = 0x7f800000U;
inline constexpr Word kNotANumber = 0x7fc00000U;

inline bool is_infinite(Word x) { return (x & ~kSignBit) == kInfinity; }
inline bool is_nan(Word x) { return (x & ~kSignBit) > kInfinity; }

// An operand as the units see it.
inline Word without_subnormals(Word x) { return (x & kInfinity) == 0 ? x & kSignBit : x; }

// x, known exactly or to twice the digits, as a result. What 24 digits of any exponent would leave
// below the smallest normal number vanishes, also where binary32's own rounding would reach it.
inline Word rounded(double x) {
  if (std::isnan(x)) return kNotANumber;
  constexpr double kSmallest = std::numeric_limits<float>::min();
  const bool vanishes = std::abs(x) < kSmallest * (1.0 - 0x1p-25);
  return bits_of(static_cast<float>(vanishes ? std::copysign(0.0, x) : x));
}

inline Word add(Word a, Word b) {  // rounded once: subnormal sums of normal numbers are exact
  const float sum = float_of(without_subnormals(a)) + float_of(without_subnormals(b));
  return std::isnan(sum) ? kNotANumber : without_subnormals(bits_of(sum));
}
inline Word multiply(Word a, Word b) {  // 48 digits fit a double
  return rounded(static_cast<double>(float_of(without_subnormals(a))) *
                 static_cast<double>(float_of(without_subnormals(b))));
}
inline Word reciprocal(Word a) {  // 53 digits are enough for a quotient to be rounded twice
  return rounded(1.0 / static_cast<double>(float_of(without_subnormals(a))));
}

}  // namespace hamiltree::hardware
