// The quick study of [Chadaj2017]: what it finds does not depend on the machine, but for times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "studies/document_parts.hpp"
#include "studies/study.hpp"

namespace hamiltree::test {
namespace {

class Chadaj2017 : public testing::Test {
 protected:
  static const Document& document() {
    static const Document document = [] {
      studies::StudyOptions options;
      options.quick = true;
      return studies::chadaj2017(options);
    }();
    return document;
  }
  static bool holds(const std::string& words) {
    return statement(document(), words).judgement == Judgement::kHolds;
  }
};

TEST_F(Chadaj2017, IsWellFormed) { expect_well_formed(document()); }

TEST_F(Chadaj2017, RegeneratesEveryTableAndFigureButTheGeometry) {
  expect_regenerated(document(), {"Fig. 4"});
}

TEST_F(Chadaj2017, JudgesWhatDoesNotDependOnTheMachine) {
  EXPECT_TRUE(holds("at the velocity level within the numerical"));
  EXPECT_TRUE(holds("drift of the positions in HDCA is negligible"));
  EXPECT_TRUE(holds("σ may grow indefinitely"));
  EXPECT_TRUE(holds("should not affect the constraint impulses"));
  EXPECT_FALSE(holds("could be circumvented by scaling D"));
  EXPECT_TRUE(holds("reactions follow from finite differences"));
  EXPECT_TRUE(holds("Stabilisation and symplectic integration"));
  EXPECT_TRUE(holds("Redundant spatial models move as the planar ones do"));
  EXPECT_TRUE(holds("linear in the number of bodies"));
  EXPECT_TRUE(holds("the time is nearly logarithmic"));
  EXPECT_TRUE(holds("can be evaluated along with them"));
}

// The multistep method needs longer than the quick runs to gain.
TEST_F(Chadaj2017, AResetPaysInEveryCase) { EXPECT_TRUE(holds("With ode45 and a reset")); }

// 2 handles a compound, one more join for twice the bodies.
TEST_F(Chadaj2017, DoublingAChainAddsAConstantToItsCriticalPath) {
  const auto& scaling = table(document(), "scaling");
  std::vector<double> span;
  for (std::size_t r = 0; r < scaling.rows.size(); ++r) {
    if (word(scaling, r, 0) == "open") span.push_back(number(scaling, r, 8));
  }
  ASSERT_GE(span.size(), 5U);
  const double added = span.back() - span[span.size() - 2];
  EXPECT_EQ(span[span.size() - 2] - span[span.size() - 3], added);
  EXPECT_GT(added, 0.0);
  EXPECT_LT(added, 60.0);  // measured: 36
}

// Truncation falls as h^2 until the integrator's own error shows.
TEST_F(Chadaj2017, DifferencesOfSigmaApproachTheReactions) {
  const auto& shown = figure(document(), "reactions");
  ASSERT_EQ(shown.curves.size(), 3U);
  const auto& tight = shown.curves.back().y;
  ASSERT_GE(tight.size(), 3U);
  EXPECT_NEAR(std::log10(tight[0] / tight[1]), 2.0, 0.2);
  EXPECT_LT(*std::ranges::min_element(tight), 1e-8);
  EXPECT_GT(tight.back(), *std::ranges::min_element(tight));
}

}  // namespace
}  // namespace hamiltree::test
