// The study of [Turno2023] on its quick run: the numbers its judgements rest on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "studies/document_parts.hpp"
#include "studies/study.hpp"

namespace hamiltree::test {
namespace {

const Document& document() {
  static const Document kDocument = studies::turno2023({.quick = true});
  return kDocument;
}

double largest(const std::vector<double>& y) {
  double result = 0.0;
  for (const double value : y) result = std::max(result, std::abs(value));
  return result;
}

TEST(Turno2023, IsWellFormed) { expect_well_formed(document()); }

// Measured: 31.28 mJ and 56.09 mJ by the method, 0.05 mJ and 0.14 mJ by rounding.
TEST(Turno2023, SinglePrecisionLosesLittleBesideEuler) {
  for (const auto& [name, mJ] :
       {std::pair{"fig7_difference", 31.3}, std::pair{"fig11_difference", 56.1}}) {
    const auto& off = figure(document(), name);
    EXPECT_NEAR(largest(off.curves.at(0).y), mJ, 0.02 * mJ) << name;
    EXPECT_GT(largest(off.curves.at(1).y), 0.0) << name;
    EXPECT_LT(largest(off.curves.at(1).y), 0.01 * mJ) << name;
  }
}

// The values of mechanisms/*/README.md at 1 s, and a run that has followed them.
TEST(Turno2023, EndsWhereItShould) {
  const auto& pendulum = figure(document(), "fig6_position");
  EXPECT_NEAR(pendulum.curves.at(1).y.back(), -3.27210633368, 1e-9);
  EXPECT_NEAR(pendulum.curves.at(0).y.back(), pendulum.curves.at(1).y.back(), 0.05);
  EXPECT_EQ(pendulum.curves.at(0).x.size(), 1001U);
  const auto& crank = figure(document(), "fig10_position");
  EXPECT_NEAR(crank.curves.at(1).y.back(), 2.0444550864, 1e-9);
  EXPECT_NEAR(crank.curves.at(0).y.back(), crank.curves.at(1).y.back(), 0.05);
}

TEST(Turno2023, LoopOpensByTheMethodAnglesByRounding) {
  const auto& gap = figure(document(), "fig12_loop_vector");  // measured: 1.37 mm in both
  EXPECT_NEAR(largest(gap.curves.at(0).y), largest(gap.curves.at(1).y), 0.02);
  EXPECT_NEAR(largest(gap.curves.at(0).y), 1.37, 0.1);
  const auto& angles = figure(document(), "fig13_inner_angles");  // measured: 15 urad and 2e-8
  EXPECT_GT(largest(angles.curves.at(0).y), 1.0);
  EXPECT_LT(largest(angles.curves.at(0).y), 100.0);
  EXPECT_LT(largest(angles.curves.at(1).y), 1e-6);
}

// Explicit Euler is of order 1.
TEST(Turno2023, ErrorIsProportionalToTheStep) {
  for (const auto* name : {"double_pendulum_steps", "four_bar_steps"}) {
    const auto& twice = figure(document(), name).curves.at(1);
    const double order =
        std::log(twice.y.front() / twice.y.back()) / std::log(twice.x.front() / twice.x.back());
    EXPECT_NEAR(order, 1.0, 0.1) << name;
  }
}

TEST(Turno2023, CountsAreTheFormulas) {
  const auto& counts = table(document(), "ldup_operations");
  for (std::size_t r = 0; r < counts.rows.size(); ++r) {
    EXPECT_EQ(word(counts, r, counts.columns.size() - 1), "yes") << word(counts, r, 0);
  }
  const std::size_t n_is_4 = 5;
  EXPECT_EQ(counts.columns.at(n_is_4).name, "n = 4");
  EXPECT_EQ(number(counts, row_of(counts, "whole inverse, products"), n_is_4), 60.0);
  EXPECT_EQ(number(counts, row_of(counts, "whole inverse, sums"), n_is_4), 36.0);
  EXPECT_EQ(statement(document(), "60 products").judgement, Judgement::kHolds);
}

TEST(Turno2023, EquationsNeedTheirSigns) {
  const auto& misprints = table(document(), "misprints");
  for (const std::size_t r : {0U, 1U, 3U, 4U, 5U}) {
    EXPECT_GT(number(misprints, r, 3), 0.1) << word(misprints, r, 0);
    EXPECT_LT(number(misprints, r, 4), 1e-13) << word(misprints, r, 0);
  }
  EXPECT_EQ(number(misprints, 2, 3), 0.0);  // pins do not need S_21
}

TEST(Turno2023, JudgementsThatRestOnMassesAreLeftOpen) {
  EXPECT_EQ(statement(document(), "Double pendulum: the kinetic energy").judgement,
            Judgement::kUndecided);
  EXPECT_EQ(statement(document(), "kept small").judgement, Judgement::kHolds);
}

// Where one is built in. Measured: 5e-11 J and 8e-11 J.
TEST(Turno2023, IndependentEngineAgrees) {
  const auto& reference = statement(document(), "The reference is right");
  EXPECT_NE(reference.judgement, Judgement::kFails) << reference.evidence;
  if (reference.judgement == Judgement::kUndecided) GTEST_SKIP() << reference.evidence;
}

}  // namespace
}  // namespace hamiltree::test
