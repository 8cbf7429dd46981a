#include "hamiltree/math/critical_path.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace hamiltree::test {
namespace {

TEST(CriticalPath, OperationsInSequenceAreAsDeepAsTheyAreMany) {
  const MeasureCriticalPath path;
  const std::vector<Critical> x(100, Critical(0.5));
  const auto sum = std::accumulate(x.begin(), x.end(), Critical(0.0));
  EXPECT_EQ(sum.value(), 50.0);
  EXPECT_EQ(sum.depth(), 100U);
  EXPECT_EQ(path.work(), 100U);
  EXPECT_EQ(path.span(), 100U);
}

TEST(CriticalPath, PairsWaitForEachOtherOnlyLogarithmically) {
  const MeasureCriticalPath path;
  std::vector<Critical> x(64, Critical(1.0));
  while (x.size() > 1) {
    for (std::size_t i = 0; i < x.size() / 2; ++i) x[i] = x[2 * i] + x[2 * i + 1];
    x.resize(x.size() / 2);
  }
  EXPECT_EQ(x.front().value(), 64.0);
  EXPECT_EQ(path.work(), 63U);
  EXPECT_EQ(path.span(), 6U);
}

TEST(CriticalPath, NothingPassesABarrier) {
  MeasureCriticalPath path;
  const Critical a = Critical(2.0) * 3.0;
  EXPECT_EQ((Critical(1.0) + 1.0).depth(), 1U);
  path.barrier();
  EXPECT_EQ((Critical(1.0) + 1.0).depth(), 2U);
  EXPECT_EQ((a + 1.0).depth(), 2U);
  EXPECT_EQ(path.span(), 2U);
}

TEST(CriticalPath, SignsAreFreeAndSelectsWaitForBoth) {
  const MeasureCriticalPath path;
  const Critical a = sin(Critical(1.0)) * 2.0;
  EXPECT_EQ((-a).depth(), 2U);
  EXPECT_EQ(abs(a).depth(), 2U);
  EXPECT_EQ(select(true, Critical(1.0), a).depth(), 3U);
}

TEST(CriticalPath, AnInnerScopeLeavesTheOuterOneAlone) {
  const MeasureCriticalPath outer;
  const Critical a = Critical(1.0) + 1.0;
  {
    const MeasureCriticalPath inner;
    EXPECT_EQ((a * a).depth(), 2U);
    EXPECT_EQ(inner.work(), 1U);
  }
  EXPECT_EQ(outer.work(), 1U);
}

}  // namespace
}  // namespace hamiltree::test
