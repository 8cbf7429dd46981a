// Schedules: each compound once and after its sides, items of a stage apart from each other, cut
// small enough for many threads.
#include "hamiltree/plan/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

// Bodies on random earlier ones at most `reach` before, some cuts between them.
Plan random_plan(int bodies, int reach, std::mt19937_64& random) {
  std::vector<int> inboard;
  std::vector<PlanLink> links;
  const auto integer = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (int b = 0; b < bodies; ++b) {
    const int parent =
        b == 0 || integer(0, 50) == 0 ? kNone : integer(std::max(0, b - reach), b - 1);
    inboard.push_back(parent);
    if (parent == kNone) {
      links.push_back({{b}, 2, true});
    } else {
      links.push_back({{parent, b}, 2, false});
    }
  }
  const int cuts = bodies / 4;
  for (int i = 0; i < cuts; ++i) {
    const int a = integer(0, bodies - 1), b = std::min(a + integer(1, 5), bodies - 1);
    if (a != b) links.push_back({{a, b}, 2, false});
  }
  return make_balanced_plan(inboard, static_cast<int>(links.size()), links);
}

struct Place {
  int stage = kNone, item = kNone, position = kNone;
};

std::vector<Place> places(const Plan& plan, const PlanSchedule& schedule) {
  std::vector<Place> places(plan.compounds.size());
  EXPECT_EQ(schedule.compounds.size(), plan.compounds.size());
  EXPECT_EQ(schedule.items.front(), 0);
  EXPECT_EQ(schedule.items.back(), static_cast<int>(schedule.compounds.size()));
  EXPECT_EQ(schedule.stages.front(), 0);
  EXPECT_EQ(schedule.stages.back() + 1, static_cast<int>(schedule.items.size()));
  for (int s = 0; s + 1 < static_cast<int>(schedule.stages.size()); ++s) {
    for (int item = schedule.stages[at(s)]; item < schedule.stages[at(s) + 1]; ++item) {
      for (int k = schedule.items[at(item)]; k < schedule.items[at(item) + 1]; ++k) {
        auto& place = places.at(at(schedule.compounds[at(k)]));
        EXPECT_EQ(place.stage, kNone) << "a compound comes twice";
        place = {s, item, k};
      }
    }
  }
  return places;
}

TEST(PlanSchedule, TakesEachCompoundAfterItsSidesAndNothingOfAnItemBeside) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const auto plan = random_plan(static_cast<int>(10 * seed), seed % 3 == 0 ? 500 : 2, random);
    for (const int grain : {1, 16}) {
      const auto where = places(plan, make_schedule(plan, grain));
      for (std::size_t c = 0; c < plan.compounds.size(); ++c) {
        ASSERT_NE(where[c].stage, kNone);
        const auto& compound = plan.compounds[c];
        if (compound.body != kNone) continue;
        for (const int side : {compound.left, compound.right}) {
          ASSERT_LT(where[at(side)].position, where[c].position);
          ASSERT_LE(where[at(side)].stage, where[c].stage);
          if (where[at(side)].stage == where[c].stage) {
            ASSERT_EQ(where[at(side)].item, where[c].item);
          }
        }
      }
    }
  }
}

TEST(PlanSchedule, CutsALongChainIntoItemsOfAboutOneSizeAndFewCompoundsAboveThem) {
  std::mt19937_64 random(1);
  const auto plan = random_plan(10000, 1, random);
  const auto schedule = make_schedule(plan, 64);
  ASSERT_EQ(schedule.stages.size(), 3U);
  EXPECT_EQ(schedule.stages[2] - schedule.stages[1], 1);
  const int items = schedule.stages[1];
  EXPECT_GE(items, 16);
  EXPECT_LE(items, 64);
  for (int item = 0; item < items; ++item) {
    EXPECT_LE(schedule.items[at(item) + 1] - schedule.items[at(item)], 20000 / 16);
  }
  EXPECT_LE(static_cast<int>(schedule.compounds.size()) - schedule.items[at(items)], 400);
}

TEST(PlanSchedule, KeepsToItsGrain) {
  std::mt19937_64 random(1);
  const auto plan = random_plan(100, 2, random);
  EXPECT_EQ(make_schedule(plan, 1000).stages[1], 1);
  for (const auto& [grain, least] : {std::pair(50, 2), std::pair(5, 16)}) {
    EXPECT_GE(make_schedule(plan, grain).stages[1], least);
  }
}

TEST(PlanSchedule, OfNoBodiesIsEmpty) { EXPECT_TRUE(make_schedule(Plan{}, 1).compounds.empty()); }

}  // namespace
}  // namespace hamiltree
