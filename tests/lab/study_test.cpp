// hamiltree-lab study, as a user meets it.
#include <gtest/gtest.h>

#include <string>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

using Study = LabCli;

TEST_F(Study, WritesAReportAndPrintsWhatHolds) {
  const auto outcome = run({"study", "chadaj2017", "--quick", "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "holds: σ may grow indefinitely"));
  EXPECT_TRUE(contains(outcome.out, "does not hold: "));
  EXPECT_TRUE(contains(outcome.out, "Report: out/report.html"));
  EXPECT_TRUE(contains(read("out/report.html"), "data:image/svg+xml"));
  EXPECT_TRUE(contains(read("out/report.md"), "](figures/fig05_energy_case_1.svg)"));
  EXPECT_TRUE(contains(read("out/tables/gauges.csv"), "momentum reset"));
  EXPECT_TRUE(contains(read("out/figures/scaling_span.gp"), "set logscale x"));
}

TEST_F(Study, IsRefusedByName) {
  auto outcome = run({"study", "newton1687"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err, "\"newton1687\" is not a study; there are chadaj2017"));
  outcome = run({"study"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  write("file", "");
  outcome = run({"study", "chadaj2017", "--quick", "--out", "file/out"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(is_one_sentence(outcome.err));
}

}  // namespace
}  // namespace hamiltree::test
