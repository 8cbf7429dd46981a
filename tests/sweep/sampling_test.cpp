#include "hamiltree/sweep/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hamiltree/base/error.hpp"

namespace hamiltree::test {
namespace {

Distribution listed(std::vector<double> values) {
  Distribution d;
  d.values = std::move(values);
  return d;
}
Distribution uniform(double from, double to, bool logarithmic = false) {
  Distribution d;
  d.from = from;
  d.to = to;
  d.logarithmic = logarithmic;
  return d;
}
Distribution normal(double mean, double deviation) {
  Distribution d;
  d.mean = mean;
  d.deviation = deviation;
  return d;
}

using Values = std::vector<double>;

TEST(Sampling, AGridHasAllCombinations) {
  const Sampling grid(SampleMethod::kGrid, {listed({1, 2}), listed({10, 20, 30})}, 0, 0);
  ASSERT_EQ(grid.count(), 6U);
  EXPECT_EQ(grid.values(0), (Values{1, 10}));
  EXPECT_EQ(grid.values(1), (Values{1, 20}));
  EXPECT_EQ(grid.values(5), (Values{2, 30}));
}

TEST(Sampling, AListGoesRowByRow) {
  const Sampling list(SampleMethod::kList, {listed({1, 2}), listed({10, 20})}, 0, 0);
  ASSERT_EQ(list.count(), 2U);
  EXPECT_EQ(list.values(1), (Values{2, 20}));
  EXPECT_THROW(Sampling(SampleMethod::kList, {listed({1, 2}), listed({1})}, 0, 0), UsageError);
}

TEST(Sampling, ALatinHypercubeMeetsEveryIntervalOnce) {
  constexpr std::size_t kCount = 1000;
  const Sampling cube(SampleMethod::kLatinHypercube, {uniform(0, 1), uniform(-1, 3)}, kCount, 5);
  std::vector<int> first(kCount), second(kCount);
  double product = 0.0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto x = cube.values(i);
    ++first[static_cast<std::size_t>(x[0] * kCount)];
    ++second[static_cast<std::size_t>((x[1] + 1.0) / 4.0 * kCount)];
    product += (x[0] - 0.5) * (x[1] - 1.0) / 4.0;
  }
  EXPECT_EQ(std::ranges::count(first, 1), 1000);
  EXPECT_EQ(std::ranges::count(second, 1), 1000);
  // Correlation 12 E[xy]: of independent ones 1/sqrt(1000) = 0.03.
  EXPECT_LT(std::abs(12.0 * product / kCount), 0.1);
}

TEST(Sampling, DrawsFollowTheSeedAndTheNumberAlone) {
  const std::vector both{uniform(0, 1), uniform(0, 1)};
  for (const auto method : {SampleMethod::kRandom, SampleMethod::kLatinHypercube}) {
    const Sampling one(method, both, 100, 1), same(method, both, 100, 1),
        other(method, both, 100, 2);
    EXPECT_EQ(one.values(17), same.values(17));
    EXPECT_NE(one.values(17), other.values(17));
    EXPECT_NE(one.values(17)[0], one.values(17)[1]);
  }
}

TEST(Sampling, DrawsHaveTheirDistributions) {
  constexpr std::size_t kCount = 40000;
  const Sampling random(SampleMethod::kRandom,
                        {uniform(2, 4), normal(1, 3), uniform(0.1, 10, true), listed({5, 7})},
                        kCount, 1);
  Values mean(4), square(4);
  for (std::size_t i = 0; i < kCount; ++i) {
    auto x = random.values(i);
    x[2] = std::log10(x[2]);
    for (std::size_t k = 0; k < 4; ++k) {
      mean[k] += x[k] / kCount;
      square[k] += x[k] * x[k] / kCount;
    }
  }
  // Means are off by 1/200 of the deviation, seed 1: the worst is 1.4 of these.
  const Values expected{3, 1, 0, 6}, deviation{2 / std::sqrt(12.0), 3, 2 / std::sqrt(12.0), 1};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(mean[k], expected[k], 4.0 * deviation[k] / 200.0) << k;
    EXPECT_NEAR(std::sqrt(square[k] - mean[k] * mean[k]), deviation[k], 0.02 * deviation[k]) << k;
  }
}

TEST(Sampling, QuantilesInvertTheNormalDistribution) {
  for (const double u : {1e-300, 1e-12, 0.02, 0.5, 0.7, 1.0 - 1e-9}) {
    const double x = quantile(normal(0, 1), u);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::numbers::sqrt2) / u, 1.0, 1e-11) << u;
  }
}

}  // namespace
}  // namespace hamiltree::test
