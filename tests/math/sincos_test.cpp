#include "hamiltree/math/sincos.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace hamiltree::test {
namespace {

double worst_error(double range, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-range, range);
  double worst = 0.0;
  for (int trial = 0; trial < 20000; ++trial) {
    Pack x, s, c;
    for (int i = 0; i < kLanes; ++i) x.set(i, uniform(random));
    sin_cos(x, s, c);
    for (int i = 0; i < kLanes; ++i) {
      const auto exact = static_cast<long double>(x[i]);
      worst = std::max({worst, static_cast<double>(std::abs(s[i] - std::sin(exact))),
                        static_cast<double>(std::abs(c[i] - std::cos(exact)))});
    }
  }
  return worst;
}

// Measured: 1.2e-16 within a turn, 1.4e-16 beyond.
TEST(SinCos, IsRightToTheLastPlaceOfOne) {
  EXPECT_LT(worst_error(std::numbers::pi / 4, 1), 2e-16);
  EXPECT_LT(worst_error(10.0, 2), 2e-16);
  EXPECT_LT(worst_error(kLargestAngle, 3), 3e-16);
  EXPECT_LT(worst_error(1e12, 4), 2e-16);  // by the library
}

TEST(SinCos, IsExactWhereItShouldBe) {
  Pack s, c;
  sin_cos(Pack(0.0), s, c);
  EXPECT_EQ(s[3], 0.0);
  EXPECT_EQ(c[3], 1.0);
  sin_cos(Pack(1e-9), s, c);
  EXPECT_EQ(s[0], 1e-9);
  sin_cos(Pack(std::numeric_limits<double>::quiet_NaN()), s, c);
  EXPECT_TRUE(std::isnan(s[0]) && std::isnan(c[0]));
  sin_cos(Pack(std::numbers::pi / 2), s, c);
  EXPECT_EQ(s[0], 1.0);
  EXPECT_NEAR(c[0], 6.123e-17, 1e-19);
}

TEST(Pack, WorksLaneByLane) {
  Pack a, b(2.0);
  for (int i = 0; i < kLanes; ++i) a.set(i, i - 3.5);
  const Pack sum = a * b + Pack(1.0) - a / b;
  const Pack larger = select(a < Pack(0.0), b, a);
  for (int i = 0; i < kLanes; ++i) {
    EXPECT_EQ(sum[i], (i - 3.5) * 2.0 + 1.0 - (i - 3.5) / 2.0);
    EXPECT_EQ(larger[i], i < 4 ? 2.0 : i - 3.5);
    EXPECT_EQ(abs(a)[i], std::abs(i - 3.5));
    EXPECT_EQ(sqrt(b)[i], std::sqrt(2.0));
    EXPECT_EQ((-a)[i], 3.5 - i);
  }
  double values[kLanes];
  a.store(values);
  EXPECT_EQ(values[7], 3.5);
  EXPECT_EQ(Pack::load(values)[0], -3.5);
}

}  // namespace
}  // namespace hamiltree::test
