// hamiltree compare, as a user meets it.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

using Compare = Cli;

TEST_F(Compare, PutsFormulationsSideBySide) {
  const auto outcome =
      run({"compare", mechanism("four_bar"), "--formulations", "hdca,dca,recursive", "--until", "1",
           "--rtol", "1e-8", "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "hdca"));
  EXPECT_TRUE(contains(outcome.out, "rate evaluations"));
  EXPECT_TRUE(contains(outcome.out, "largest energy error, J"));
  const auto differences = read("out/tables/differences.csv");
  EXPECT_TRUE(contains(differences, "channel,unit,largest |value|,dca,recursive\n"));
  EXPECT_TRUE(contains(differences, "q.A,rad,"));
  EXPECT_TRUE(contains(read("out/figures/difference_1.csv"), "\nrecursive,"));
  EXPECT_TRUE(contains(read("out/report.html"), "Error of the energy balance"));
}

TEST_F(Compare, PutsRunsSideBySide) {
  for (const char* method : {"dormand_prince", "spark_2"}) {
    ASSERT_EQ(run({"simulate", mechanism("four_bar"), "--until", "1", "--integrator", method, "-q",
                   "--out", method})
                  .exit_code,
              0);
  }
  const auto outcome = run({"compare", "dormand_prince", "spark_2", "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "spark_2"));
  // The same run twice differs by nothing.
  const auto same = run({"compare", "spark_2", "spark_2", "--out", "same"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  std::istringstream rows(read("same/tables/differences.csv"));
  std::string row;
  std::getline(rows, row);
  std::size_t count = 0;
  for (; std::getline(rows, row); ++count) EXPECT_TRUE(row.ends_with(",0")) << row;
  EXPECT_GT(count, 3U);
}

TEST_F(Compare, ReplacesNoRun) {
  ASSERT_EQ(
      run({"simulate", mechanism("four_bar"), "--until", "0.1", "-q", "--out", "run"}).exit_code,
      0);
  const auto report = read("run/report.html");
  const auto outcome =
      run({"compare", mechanism("four_bar"), "--formulations", "hdca,dca", "--out", "run"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "hamiltree: run holds a run already: choose another --out folder for the report\n");
  EXPECT_EQ(read("run/report.html"), report);
}

TEST_F(Compare, ColumnsOfRoundingErrorsAreNotTheFarthestApart) {
  const std::string head =
      "t,total_energy,position_residual,velocity_residual,q.plane,q.A\n0,0,0,0,0,0\n";
  const auto a_run = [&](const std::string& folder, const std::string& end) {
    fs::create_directory(root() / folder);
    write(folder + "/summary.json", "{}");
    write(folder + "/trajectory.csv", head + end);
  };
  a_run("one", "1,0,0,0,1e-17,0.3\n");
  a_run("two", "1,0,0,0,-3e-17,0.3001\n");
  const auto outcome = run({"compare", "one", "two", "--out", "out"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto differences = read("out/tables/differences.csv");
  EXPECT_LT(differences.find("q.A"), differences.find("q.plane")) << differences;
}

TEST_F(Compare, RefusesWhatCannotBeCompared) {
  const auto refused = [&](const std::vector<std::string>& arguments, int code,
                           const std::string& why) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_TRUE(is_one_sentence(outcome.err));
    EXPECT_TRUE(contains(outcome.err, why));
    EXPECT_FALSE(fs::exists(root() / "out"));
  };
  const auto model = mechanism("four_bar");
  refused({"compare", model}, 2, "a model file with --formulations");
  refused({"compare", model, "--formulations", "hdca"}, 2, "at least two");
  refused({"compare", model, "--formulations", "hdca,hdca"}, 2, "hdca is there twice");
  refused({"compare", model, "--formulations", "hdca,newton"}, 2, "\"newton\" is not one of");
  refused({"compare", "here", "there"}, 3, "not the folder of a run");
  const std::vector<std::vector<std::string>> of_simulations{
      {"--until", "2"},        {"--set", "gravity=[0,0]"}, {"--rtol", "1e-9"}, {"--step", "0.1"},
      {"--integrator", "rk4"}, {"--projection", "off"},    {"--fixed-base"}};
  for (const auto& option : of_simulations) {
    std::vector<std::string> arguments{"compare", "here", "there"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    refused(arguments, 2, option.front() + " goes with --formulations, not with runs");
  }
}

}  // namespace
}  // namespace hamiltree::test
