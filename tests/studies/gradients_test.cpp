// The study `gradients` where it is quick: what it says of gradients holds, and its minima are
// minima.
#include <gtest/gtest.h>

#include <string>

#include "studies/document_parts.hpp"
#include "studies/gradients/minimise.hpp"
#include "studies/study.hpp"

namespace hamiltree::studies::run_gradients {
namespace {

using test::statement;

// Rosenbrock's valley, from its classical start.
TEST(Gradients, MinimisesAValley) {
  const auto valley = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    const double across = x(1) - x(0) * x(0), along = 1.0 - x(0);
    gradient = Eigen::Vector2d(-400.0 * x(0) * across - 2.0 * along, 200.0 * across);
    return 100.0 * across * across + along * along;
  };
  const auto found = minimise(valley, Eigen::Vector2d(-1.2, 1.0), 200);
  EXPECT_NEAR(found.x(0), 1.0, 1e-6);
  EXPECT_NEAR(found.x(1), 1.0, 1e-6);
  EXPECT_LT(found.evaluations, 100);
}

TEST(Gradients, QuickStudyHolds) {
  StudyOptions options;
  options.quick = true;
  const auto document = gradients(options);
  for (const std::string words :
       {"are those of differences", "control a pendulum on a cart", "control a double pendulum",
        "give the same gradient", "from a noisy recording"}) {
    const auto& found = statement(document, words);
    EXPECT_EQ(found.judgement, Judgement::kHolds) << found.text << ": " << found.evidence;
  }
  EXPECT_EQ(test::table(document, "controls").rows.size(), 4U);
  EXPECT_EQ(test::figure(document, "differences").curves.size(), 2U);
}

}  // namespace
}  // namespace hamiltree::studies::run_gradients
