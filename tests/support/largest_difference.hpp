// The largest difference between two lists of numbers, or between the coordinates of two runs that
// have the same samples.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree::test {

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

inline double largest_difference(const Recording& a, const Recording& b) {
  EXPECT_EQ(a.samples.size(), b.samples.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < std::min(a.samples.size(), b.samples.size()); ++i)
    largest = std::max(largest, (a.samples[i].q - b.samples[i].q).lpNorm<Eigen::Infinity>());
  return largest;
}

}  // namespace hamiltree::test
