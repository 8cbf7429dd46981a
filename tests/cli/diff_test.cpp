// hamiltree diff, as a user meets it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

class Diff : public Cli {
 protected:
  // The folder of a run that has this trajectory.
  std::string a_run(const std::string& folder, const std::string& trajectory) const {
    fs::create_directory(root() / folder);
    write(folder + "/summary.json", "{}");
    write(folder + "/trajectory.csv", trajectory);
    return folder;
  }
  // `second` is not the same run as the first one, and why.
  void expect_beyond(const std::string& second, const std::string& why) const {
    const auto outcome = run({"diff", "first", a_run("second", second)});
    EXPECT_EQ(outcome.exit_code, 4);
    EXPECT_TRUE(is_one_sentence(outcome.err));
    EXPECT_TRUE(contains(outcome.err, why));
  }
};

TEST_F(Diff, FindsWhereColumnsAreFarthestApart) {
  a_run("first",
        "t,q.A,v.A,p.A,position_residual,kinetic_energy\n"
        "0,0,0.25,1,0,8\n1,-4,0.5,1,0,8\n2,2,0.25,1,0,8\n");
  a_run("second",
        "t,q.A,v.A,p.A,position_residual,kinetic_energy\n"
        "0,0,0.25,9,9,8\n1,-4,0.375,9,9,8\n1.5,7,7,7,7,7\n2,2.25,0.25,9,9,8\n");
  const auto outcome = run({"diff", "first", "second", "--json"});
  EXPECT_EQ(outcome.exit_code, 4);
  const auto document = nlohmann::ordered_json::parse(outcome.out);
  EXPECT_EQ(document, nlohmann::ordered_json::parse(R"({
    "format": 1, "same": false, "tolerance": 1e-6, "shared_times": 3, "ends": [2.0, 2.0],
    "only_first": [], "only_second": [],
    "columns": [
      {"name": "v.A", "size": 0.5, "difference": 0.125, "relative": 0.125, "time": 1.0,
       "first": 0.5, "second": 0.375},
      {"name": "q.A", "size": 4.0, "difference": 0.25, "relative": 0.0625, "time": 2.0,
       "first": 2.0, "second": 2.25},
      {"name": "kinetic_energy", "size": 8.0, "difference": 0.0, "relative": 0.0, "time": 0.0,
       "first": 8.0, "second": 8.0}]})"));
  EXPECT_EQ(outcome.err,
            "hamiltree: v.A differs by 0.125 at t = 1 s; 2 of 3 columns differ by more than the "
            "tolerance, 1e-6\n");
  EXPECT_EQ(run({"diff", "first", "second", "--tolerance", "0.124", "-q"}).exit_code, 4);
  const auto within = run({"diff", "first", "second", "--tolerance", "0.125"});
  EXPECT_EQ(within.exit_code, 0);
  EXPECT_EQ(within.err, "");
  EXPECT_TRUE(contains(within.out, "q.A             2      2.25    0.25        0.0625    2\n"));
  EXPECT_EQ(run({"diff", "first", "second", "--tolerance", "0.125", "-q"}).out, "");
}

TEST_F(Diff, RunsThatHaveNotTheSameToCompareAreNotTheSame) {
  a_run("first", "t,q.A,tip.x\n0,0,1\n1,0.5,1\n");
  expect_beyond("t,q.A\n0,0\n1,0.5\n", "only the first run has the column tip.x");
  expect_beyond("t,q.A,tip.x,q.B,q.C\n0,0,1,0,0\n1,0.5,1,0,0\n",
                "only the second run has the column q.B and 1 more");
  expect_beyond("t,q.A,tip.x\n0,0,1\n", "the first run ends at 1 s, the second one at 0 s");
  expect_beyond("t,q.A,tip.x\n0,0,1\n1,nan,1\n", "q.A differs by nan at t = 1 s");
}

// As reactions at a singular pose are.
TEST_F(Diff, WhatIsNoNumberInBothRunsIsTheSame) {
  a_run("first", "t,q.A,tip.x\n0,nan,1\n1,0.5,inf\n2,2,1\n");
  a_run("second", "t,q.A,tip.x\n0,nan,1\n1,0.5,inf\n2,2.25,1\n");
  const auto found = run({"diff", "first", "second", "--tolerance", "0.2"});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_TRUE(contains(found.out, "q.A     2      2.25    0.25        0.125     2\n")) << found.out;
}

// Of all four parts.
TEST_F(Diff, TakesQuaternionsOfBothSignsForOneRotation) {
  a_run("first", "t,b.quat_w,b.quat_x,b.quat_y,b.quat_z\n0,0.6,0,0.8,0\n1,0,0.6,0.8,0\n");
  const auto run_of = [&](const std::string& end) {
    return run({"diff", "first",
                a_run("second", "t,b.quat_w,b.quat_x,b.quat_y,b.quat_z\n0,-0.6,0,-0.8,0\n" + end)});
  };
  EXPECT_EQ(run_of("1,0,-0.6,-0.8,0\n").exit_code, 0);
  const auto other = run_of("1,0,-0.6,0.8,0\n");
  EXPECT_EQ(other.exit_code, 4);
  EXPECT_TRUE(contains(other.err, "b.quat_x differs by 1.2 at t = 1 s"));
  EXPECT_EQ(run({"diff", "first", a_run("second", "t,b.quat_w\n0,-0.6\n1,0\n")}).exit_code, 4);
}

TEST_F(Diff, JudgesRunsOfTheProgram) {
  for (const std::string rtol : {"1e-9", "1e-4"}) {
    ASSERT_EQ(run({"simulate", mechanism("four_bar"), "--until", "1", "--rtol", rtol, "--atol",
                   rtol, "-q", "--out", rtol})
                  .exit_code,
              0);
  }
  const auto same = run({"diff", "1e-9", "1e-9", "--json"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  const auto document = nlohmann::json::parse(same.out);
  EXPECT_EQ(document["same"], true);
  EXPECT_EQ(document["shared_times"], 501);
  EXPECT_GT(document["columns"].size(), 5U);
  for (const auto& column : document["columns"]) EXPECT_EQ(column["difference"], 0.0);
  EXPECT_EQ(run({"diff", "1e-9", "1e-4", "-q"}).exit_code, 4);
  EXPECT_EQ(run({"diff", "1e-9", "1e-4", "-q", "--tolerance", "0.1"}).exit_code, 0);
}

TEST_F(Diff, RefusesWhatAreNoRunsToCompare) {
  a_run("first", "t,q.A\n0,0\n");
  a_run("later", "t,q.A\n1,0\n");
  const auto refused = [&](const std::vector<std::string>& arguments, int code,
                           const std::string& why) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_TRUE(is_one_sentence(outcome.err));
    EXPECT_TRUE(contains(outcome.err, why));
  };
  refused({"diff", "first"}, 2, "SECOND is required");
  refused({"diff", "first", "first", "--tolerance", "-1"}, 2, "--tolerance must be more than 0");
  refused({"diff", "first", "there"}, 3, "not the folder of a run");
  refused({"diff", "first", "later"}, 3, "have no output time in common");
  fs::create_directory(root() / "interrupted");
  write("interrupted/checkpoint.json", "{}");
  refused({"diff", "first", "interrupted"}, 3,
          "interrupted holds an interrupted run: hamiltree resume interrupted goes on with it");
}

}  // namespace
}  // namespace hamiltree::test
