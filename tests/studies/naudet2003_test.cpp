// The study of [Naudet2003] on its quick run: its counts and its comparison.
#include <gtest/gtest.h>

#include <algorithm>

#include "studies/document_parts.hpp"
#include "studies/naudet2003/chains.hpp"
#include "studies/naudet2003/kernel_counts.hpp"
#include "studies/naudet2003/linear.hpp"
#include "studies/study.hpp"

namespace hamiltree::test {
namespace {

using naudet2003::Axes;
using naudet2003::fit;
using naudet2003::Loads;

const Document& document() {
  static const Document kDocument = studies::naudet2003({.quick = true});
  return kDocument;
}

TEST(Naudet2003, IsWellFormed) { expect_well_formed(document()); }

TEST(Naudet2003, LinesAreFittedAndWritten) {
  const std::vector<double> n = {3, 4, 5, 8, 16};
  EXPECT_EQ(to_text(fit(n, {614, 977, 1340, 2429, 5333})), "363n - 475");
  EXPECT_EQ(to_text(fit(n, {614, 977, 1341, 2429, 5333})), "363n - 475 +- 1");
  EXPECT_EQ(to_text(fit(n, {2, 3, 4, 7, 15})), "n - 1");
  EXPECT_EQ(to_text(fit(n, {9, 12, 15, 24, 48})), "3n");
  const auto curved = fit(n, {9, 16, 25, 64, 256});
  EXPECT_GT(curved.deviation, 10.0);
  EXPECT_EQ(to_text(curved).substr(0, 5), "about");
}

naudet2003::KernelCounts counts_of_one(Loads loads) {
  return naudet2003::recursive_counts(Model(naudet2003::pin_chain(1, Axes::kGeneral, loads)));
}

// One body on a pin without loads has qdot = p / J and pdot = 0.
TEST(Naudet2003, OneBodyNeedsOneProduct) {
  const auto counts = counts_of_one(Loads::kNone);
  EXPECT_EQ(counts.needed, (OperationCount{.multiplications = 1}));
  EXPECT_EQ(counts.depth, 1U);
  EXPECT_GT(counts.run.flops(), 100U);
  // pdot = a cos q + b sin q
  const auto gravity = counts_of_one(Loads::kGravity);
  EXPECT_EQ(gravity.needed.trigonometric, 2U);
  EXPECT_EQ(gravity.needed.divisions, 0U);
  EXPECT_GE(gravity.needed.flops(), 4U);
}

double total(Axes axes, Loads loads, int bodies) {
  return static_cast<double>(
      naudet2003::recursive_counts(Model(naudet2003::pin_chain(bodies, axes, loads)))
          .needed.flops());
}

TEST(Naudet2003, FramesAndLoadsCost) {
  const double general = total(Axes::kGeneral, Loads::kNone, 8);
  EXPECT_LT(total(Axes::kCommonNormal, Loads::kNone, 8), general);
  EXPECT_LT(total(Axes::kAligned, Loads::kNone, 8), total(Axes::kCommonNormal, Loads::kNone, 8));
  EXPECT_GT(total(Axes::kGeneral, Loads::kGravity, 8), general);
  EXPECT_GT(total(Axes::kGeneral, Loads::kWrench, 8), general);
}

// Every count with general axes is a straight line, but for coincidences.
TEST(Naudet2003, CountsAreLinear) {
  const auto& operations = table(document(), "operations");
  int lines = 0;
  for (std::size_t r = 0; r < operations.rows.size(); ++r) {
    if (word(operations, r, 1) == "axes at right angles") continue;
    ++lines;
    EXPECT_LE(number(operations, r, 7), 1.0) << word(operations, r, 0) << word(operations, r, 1);
    EXPECT_EQ(word(operations, r, 4).find("about"), std::string::npos);
  }
  EXPECT_EQ(lines, 36);
  const auto needed = row_of(operations, "recursive", "frames anywhere", "none", "needed");
  EXPECT_EQ(number(operations, needed, 7), 0.0);
  EXPECT_EQ(word(operations, needed, 8), "n - 1");   // one pivot a body, the last one is constant
  EXPECT_EQ(word(operations, needed, 9), "2n - 2");  // the first angle does not matter
  EXPECT_EQ(statement(document(), "of order n").judgement, Judgement::kHolds);
}

// The counts that are known to be reachable, and no operation more [Naudet2003: 363n - 475].
TEST(Naudet2003, ScrewFramesNeedTheFewestOperations) {
  for (const int n : {3, 4, 7, 16, 64}) {
    const auto flops = [&](Loads loads) {
      const Model chain(naudet2003::pin_chain(n, Axes::kGeneral, loads));
      return static_cast<int>(naudet2003::dh_counts(chain, loads).needed.flops());
    };
    EXPECT_EQ(flops(Loads::kNone), 288 * n - 486);
    EXPECT_EQ(flops(Loads::kGravity), 320 * n - 530);
    EXPECT_EQ(flops(Loads::kWrench), 327 * n - 547);
  }
  EXPECT_EQ(statement(document(), "at most 363n - 475").judgement, Judgement::kHolds);
}

// The figures of the paper, as they are.
TEST(Naudet2003, TableIsThePapers) {
  const auto& published = table(document(), "table_1");
  const auto naudet = row_of(published, "Naudet", "178n - 230", "185n - 245", "363n - 475");
  EXPECT_EQ(number(published, naudet, 5), 22757.0);
  EXPECT_EQ(number(published, naudet, 6), 0.0);
  const auto& sums = statement(document(), "The totals are the sums");
  EXPECT_EQ(sums.judgement, Judgement::kFails);
  EXPECT_NE(sums.evidence.find("Rein"), std::string::npos);
  EXPECT_EQ(sums.evidence.find("Naudet"), std::string::npos);
}

TEST(Naudet2003, GapIsOursLessThePapers) {
  const auto& gap = table(document(), "gap");
  EXPECT_EQ(gap.rows.size(), 6U);
  for (std::size_t r = 0; r < gap.rows.size(); ++r) {
    EXPECT_EQ(number(gap, r, 4), number(gap, r, 2) - 363.0);
    EXPECT_EQ(number(gap, r, 6), number(gap, r, 2) - number(gap, r, 5));
    EXPECT_GT(number(gap, r, 7), 1.2);  // aba to recursive; measured: 1.38 to 1.66
  }
  // Whether the paper's figure is reached is what the numbers say.
  const bool is_reached = number(gap, 0, 2) <= 363.0;
  EXPECT_EQ(statement(document(), "at most 363n").judgement == Judgement::kHolds, is_reached);
}

// Tighter tolerances cost more and give more, in either form.
TEST(Naudet2003, TolerancesAreKept) {
  const auto& runs = table(document(), "integration");
  for (std::size_t r = 1; r < runs.rows.size(); ++r) {
    if (word(runs, r, 0) != word(runs, r - 1, 0) || word(runs, r, 1) != word(runs, r - 1, 1)) {
      continue;
    }
    for (const std::size_t column : {3U, 4U}) {
      EXPECT_GT(number(runs, r, column), number(runs, r - 1, column)) << r;
    }
    for (const std::size_t column : {5U, 6U, 7U, 8U}) {
      EXPECT_LT(number(runs, r, column), number(runs, r - 1, column)) << r;
    }
  }
  EXPECT_EQ(runs.rows.size(), 16U);
}

// Measured: 0.8 to 1 of the evaluations, 1.2 to 5 times the error.
TEST(Naudet2003, MomentaAndAccelerationsAreAlike) {
  const auto& summary = table(document(), "integration_summary");
  for (std::size_t r = 0; r < summary.rows.size(); ++r) {
    for (const std::size_t column : {2U, 5U}) {
      EXPECT_GT(number(summary, r, column), 0.5) << word(summary, r, 0);
      EXPECT_LT(number(summary, r, column), 1.5) << word(summary, r, 0);
    }
    for (const std::size_t column : {3U, 4U}) {
      EXPECT_GT(number(summary, r, column), 0.2) << word(summary, r, 0);
      EXPECT_LT(number(summary, r, column), 20.0) << word(summary, r, 0);
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
