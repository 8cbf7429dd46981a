// The model of chains on many cores finds again what its data were made of.
#include "benchmarks/prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "benchmarks/bench.hpp"

namespace hamiltree::benchmarks {
namespace {

FamilyResult chains_of(double body, double join, double serial) {
  FamilyResult chains;
  for (const int n : {7, 64, 256, 1024, 4096, 1000000}) {
    CaseResult result;
    result.bodies = n;
    result.contests.emplace_back();
    result.contests.front().timing.median = n < 128 ? serial * n : body * n + 3.0 * join;
    chains.cases.push_back(result);
  }
  return chains;
}

TEST(ChainModel, FitsBodiesAndJoins) {
  const auto model = fit_chain(chains_of(17e-9, 400e-9, 33e-9), 100e-9);
  EXPECT_NEAR(model.body, 17e-9, 1e-15);
  EXPECT_NEAR(model.join, 400e-9, 1e-15);
  EXPECT_LT(model.misfit, 1e-9);
}

TEST(ChainModel, IsTheMeasurementOnOneCoreAndAddsJoinsOnMore) {
  const auto model = fit_chain(chains_of(17e-9, 400e-9, 33e-9), 100e-9);
  EXPECT_NEAR(model.time(1024, 1), 1024 * 17e-9 + 1200e-9, 1e-15);
  EXPECT_NEAR(model.time(7, 1), 7 * 33e-9, 1e-15);
  EXPECT_NEAR(model.time(2, 1), 2 * 33e-9, 1e-15);
  EXPECT_NEAR(model.time(16384, 16), model.time(1024, 1) + 4 * (400e-9 + 200e-9), 1e-15);
  const double between = model.time(512, 1) / 512;
  EXPECT_GT(between, model.time(1024, 1) / 1024);
  EXPECT_LT(between, model.time(256, 1) / 256);
}

TEST(ChainModel, HasNoJoinsWithoutChainsInLanes) {
  auto chains = chains_of(17e-9, 400e-9, 33e-9);
  chains.cases.resize(2);
  EXPECT_EQ(fit_chain(chains, 0.0).join, 0.0);
}

}  // namespace
}  // namespace hamiltree::benchmarks
