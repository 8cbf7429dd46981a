// Runs whose formulation is left open: as if the one that is taken had been named, and it is said.
#include <gtest/gtest.h>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using test::shipped;

TEST(ChosenFormulation, RunsAsIfItWereNamed) {
  const auto model = shipped("bennett");
  Simulation open(model), named(model, {.formulation = "recursive"});
  const auto a = open.run_until(1.0, 0.1), b = named.run_until(1.0, 0.1);
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t k = 0; k < a.samples.size(); ++k) {
    EXPECT_EQ(a.samples[k].q, b.samples[k].q);
    EXPECT_EQ(a.samples[k].p, b.samples[k].p);
  }
  EXPECT_EQ(a.summary.formulation, "recursive");
  EXPECT_FALSE(a.summary.formulation_reason.empty());
  EXPECT_TRUE(b.summary.formulation_reason.empty());
}

TEST(ChosenFormulation, IsNamedInCheckpoints) {
  const auto model = shipped("four_bar");
  Simulation simulation(model);
  const auto checkpoint = simulation.checkpoint();
  EXPECT_EQ(checkpoint.options.formulation, "recursive");
  auto resumed = Simulation::from_checkpoint(model, checkpoint);
  EXPECT_EQ(resumed.run_until(0.1).summary.formulation_reason,
            simulation.run_until(0.1).summary.formulation_reason);
}

TEST(ChosenFormulation, FollowsTheOtherOptions) {
  const auto chain = shipped("chain_100");
  Simulation in_segments(chain, {.segments = 8});
  EXPECT_NE(in_segments.checkpoint().options.formulation_reason.find("segments"),
            std::string::npos);
  Simulation in_lanes(chain, {.lanes = LaneChoice::kAlways});
  EXPECT_EQ(in_lanes.checkpoint().options.formulation, "recursive");
  // Terms that no formulation in momenta takes are refused by name, as before.
  EXPECT_THROW(Simulation(chain, {.baumgarte = 1.0}), UsageError);
}

}  // namespace
}  // namespace hamiltree
