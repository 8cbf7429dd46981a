// Chains of revolute joints in the plane, read a few links at a time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "hamiltree/distributed/part.hpp"
#include "support/pins.hpp"

namespace hamiltree::test {

// Links of a mechanism as a reader of files gives them.
inline distributed::ReadLinks links_of(const Mechanism& whole) {
  return [&whole](std::size_t first, std::size_t last) {
    Mechanism part;
    part.name = whole.name;
    part.space = whole.space;
    part.gravity = whole.gravity;
    for (std::size_t k = first; k < last; ++k) {
      part.add(whole.bodies[k]);
      part.add(whole.joints[k]);
    }
    part.joints.front().parent = kGround;
    return part;
  };
}

inline Mechanism chain(int links) {
  return Pins(static_cast<unsigned>(links)).tree(links, Axes::kInPlane, 1);
}

// The largest one, by the size of b.
inline double difference(const std::vector<double>& a, std::span<const double> b) {
  EXPECT_EQ(a.size(), b.size());
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return difference / size;
}

}  // namespace hamiltree::test
