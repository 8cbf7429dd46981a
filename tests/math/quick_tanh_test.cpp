// tanh for friction against the C library's in long double.
#include "hamiltree/math/quick_tanh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace hamiltree {
namespace {

TEST(QuickTanh, IsRightToRounding) {
  double worst = 0.0;
  for (double x = 1e-8; x < 25.0; x *= 1.00001) {
    const auto exact = std::tanh(static_cast<long double>(x));
    worst = std::max(worst, static_cast<double>(std::abs((quick_tanh(x) - exact) / exact)));
    EXPECT_EQ(quick_tanh(-x), -quick_tanh(x));
  }
  std::printf("worst %.2g\n", worst);
  EXPECT_LE(worst, 4e-16);
}

TEST(QuickTanh, KnowsItsEnds) {
  EXPECT_EQ(quick_tanh(0.0), 0.0);
  EXPECT_TRUE(std::signbit(quick_tanh(-0.0)));
  EXPECT_EQ(quick_tanh(5e-324), 5e-324);
  EXPECT_EQ(quick_tanh(1e300), 1.0);
  EXPECT_EQ(quick_tanh(-std::numeric_limits<double>::infinity()), -1.0);
  EXPECT_TRUE(std::isnan(quick_tanh(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace hamiltree
