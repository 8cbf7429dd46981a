// Numbers that look random and are the same on every machine, as those of the standard library's
// distributions are not.
#pragma once

#include <cstdint>
#include <random>

namespace hamiltree {

// Evenly spread from -1 to 1, 1 left out.
inline double about_zero(std::mt19937_64& random) {
  return 2.0 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1.0;
}

// A bijection of 64-bit numbers that leaves no pattern (splitmix64).
inline std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace hamiltree
