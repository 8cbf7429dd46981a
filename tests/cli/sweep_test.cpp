// hamiltree sweep, as a user meets it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/hdf5_file.hpp"

namespace hamiltree::test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

class Sweep : public Cli {
 protected:
  // A study of the four-bar with a head like `sample`, and more at its end.
  std::string study(const std::string& sample, const std::string& rest) const {
    write("model.toml", read(mechanism("four_bar")));
    return write("study.toml",
                 "format = 1\nmodel = \"model.toml\"\n[sample]\n" + sample + "\n" + rest);
  }
  Rows table(const fs::path& file) const {
    Rows rows;
    std::istringstream lines(read(file));
    for (std::string line; std::getline(lines, line);) {
      auto& row = rows.emplace_back();
      std::istringstream fields(line + ",");
      for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    }
    return rows;
  }
};

constexpr const char* kAngles =
    "[[parameter]]\npath = \"joint.A.initial.q\"\nvalues = [0.5, 0.9, 1.3]\n"
    "[[parameter]]\npath = \"body.crank.mass\"\nvalues = [0.5, 2]\n";

// Against the same runs one by one on the command line.
TEST_F(Sweep, GivesWhatSimulateGives) {
  const auto file = study("method = \"grid\"", std::string(kAngles) +
                                                   "[run]\nuntil = 0.5\nevery = 0.1\nrtol = 1e-7\n"
                                                   "[[output]]\ntake = \"final\"\nchannel = \"q\"\n"
                                                   "[[output]]\ntake = \"max\"\n"
                                                   "channel = \"C.position.x\"\n");
  const auto outcome = run({"sweep", file, "--out", "out", "--threads", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "samples  6, 0 failed"));
  const auto rows = table("out/results.csv");
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"sample", "joint.A.initial.q", "body.crank.mass",
                                               "final.q.A", "final.q.B", "final.q.C", "final.q.D",
                                               "max.C.position.x", "failure"}));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(run({"simulate", "model.toml", "--formulation", "recursive", "--until", "0.5",
                   "--every", "0.1", "--rtol", "1e-7", "--set", "joint.A.initial.q=" + rows[i][1],
                   "--set", "body.crank.mass=" + rows[i][2], "--out", "one", "--overwrite", "-q"})
                  .exit_code,
              0);
    const auto trajectory = table("one/trajectory.csv");
    const auto& names = trajectory.front();
    const auto column = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    for (const auto& [at, name] : {std::pair{3, "q.A"}, {4, "q.B"}, {5, "q.C"}, {6, "q.D"}})
      EXPECT_EQ(rows[i][static_cast<std::size_t>(at)], trajectory.back()[column(name)]) << i;
    double largest = -1.0;
    for (std::size_t k = 1; k < trajectory.size(); ++k)
      largest = std::max(largest, *parse_number(trajectory[k][column("C.position.x")]));
    EXPECT_EQ(*parse_number(rows[i][7]), largest) << i;
  }
  EXPECT_FALSE(fs::exists(root() / "out" / "samples-0-0-0.journal"));
}

TEST_F(Sweep, MarksFailuresAndGoesOn) {
  const auto file = study("method = \"list\"",
                          "[[parameter]]\npath = \"body.crank.mass\"\nvalues = [1, -1, 1]\n"
                          "[[parameter]]\npath = \"joint.D.at_parent.position.0\"\n"
                          "values = [0.4, 0.4, 5]\n[run]\nuntil = 0.1\n");
  const auto outcome = run({"sweep", file, "--out", "out", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["failed"], 2);
  const auto rows = table("out/results.csv");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[1].back(), "");
  EXPECT_NE(rows[1][3], "nan");
  EXPECT_EQ(rows[2][3], "nan");
  EXPECT_TRUE(contains(rows[2].back(), "mass must not be negative, it is -1") ||
              contains(read("out/results.csv"), "mass must not be negative, it is -1"));
  EXPECT_TRUE(contains(read("out/results.csv"), "cannot close"));
}

// Alone, and eight side by side in lanes; what is beside them is not disturbed.
TEST_F(Sweep, MarksWhatFailsOnItsWay) {
  int outs = 0;
  for (const std::string method : {"rtol = 1e-6\n", "integrator = \"rk4\"\nstep = 0.001\n"}) {
    const auto results = [&](const std::string& rates) {
      const auto out = "out" + std::to_string(++outs);
      const auto file = study("method = \"list\"",
                              "[[parameter]]\npath = \"joint.A.initial.v\"\nvalues = " + rates +
                                  "\n[run]\nuntil = 0.1\n" + method);
      const auto outcome = run({"sweep", file, "--out", out, "-q"});
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      return table(out + "/results.csv");
    };
    const auto rows = results("[0.1, 1e170, 0.2]");
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[2][2], "nan");
    EXPECT_TRUE(contains(rows[2].back(), "t = 0 s: the rates are not finite")) << rows[2].back();
    const auto others = results("[0.1, 0.3, 0.2]");
    EXPECT_EQ(rows[1], others[1]) << method;
    EXPECT_EQ(rows[3], others[3]) << method;
  }
}

// The name in front of `repeat`, as `--set` takes it, changes all copies.
TEST_F(Sweep, ReachesRepeatedElements) {
  write("chain.toml", read(mechanism("chain_100")));
  write("study.toml",
        "format = 1\nmodel = \"chain.toml\"\n[sample]\nmethod = \"list\"\n[[parameter]]\npath = "
        "\"body.link_{i}.mass\"\nvalues = [0.2, 0.3]\n[[set]]\npath = "
        "\"body.link_{i}.inertia\"\nvalue = \"1e-4\"\n[run]\nuntil = 0.01\n[[output]]\ntake = "
        "\"final\"\nchannel = \"potential_energy\"\n");
  const auto outcome = run({"sweep", "study.toml", "--out", "out", "-q"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = table("out/results.csv");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0][1], "body.link_{i}.mass");
  EXPECT_NEAR(*parse_number(rows[2][2]) / *parse_number(rows[1][2]), 1.5, 1e-6);
}

TEST_F(Sweep, EndsWithAnErrorWhereAllFail) {
  const auto file =
      study("method = \"list\"", "[[parameter]]\npath = \"body.crank.mass\"\nvalues = [-1, -2]\n");
  const auto outcome = run({"sweep", file, "--out", "out", "-q"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err, "every sample failed; sample 0: "));
  EXPECT_EQ(table("out/results.csv").size(), 3U);
  const auto again = run({"sweep", file, "--out", "out", "-q"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_TRUE(contains(again.err, "every sample failed, as out/results.csv says"));
}

TEST_F(Sweep, KeepsTrajectoriesAndEvents) {
  const auto file = study("method = \"list\"",
                          "[[parameter]]\npath = \"joint.A.initial.q\"\nvalues = [1.15, 1.2]\n"
                          "[run]\nuntil = 0.4\nevery = 0.1\ntrajectories = \"on\"\n"
                          "[[output]]\ntake = \"event\"\nevent = \"low\"\n"
                          "[[output]]\ntake = \"integral\"\nchannel = \"kinetic_energy\"\n");
  write("model.toml", read(root() / "model.toml") +
                          "\n[[event]]\nname = \"low\"\nchannel = \"C.position.y\"\nvalue = "
                          "0.28\ncrossing = \"falling\"\n");
  const auto outcome = run({"sweep", file, "--out", "out", "-q"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto rows = table("out/results.csv"), all = table("out/trajectories.csv");
  EXPECT_EQ(rows[0][2], "time.low");
  // At t = 0, 0.1, ... 0.4 and at the event.
  ASSERT_EQ(all.size(), 1U + 2 * 6);
  const auto& names = all.front();
  const auto kinetic =
      static_cast<std::size_t>(std::ranges::find(names, "kinetic_energy") - names.begin());
  const auto height =
      static_cast<std::size_t>(std::ranges::find(names, "C.position.y") - names.begin());
  for (std::size_t k = 0; k < 2; ++k) {
    double integral = 0.0;
    bool seen = false;
    for (std::size_t i = 1 + 6 * k; i < 7 + 6 * k; ++i) {
      EXPECT_EQ(all[i][0], std::to_string(k));
      if (all[i][1] == rows[k + 1][2]) {
        seen = true;
        EXPECT_NEAR(*parse_number(all[i][height]), 0.28, 1e-9);
      }
      if (i == 1 + 6 * k) continue;
      integral += 0.5 * (*parse_number(all[i][1]) - *parse_number(all[i - 1][1])) *
                  (*parse_number(all[i][kinetic]) + *parse_number(all[i - 1][kinetic]));
    }
    EXPECT_TRUE(seen);
    EXPECT_NEAR(*parse_number(rows[k + 1][3]), integral, 1e-12);
  }
}

TEST_F(Sweep, IsRefusedWithFileLineAndReason) {
  const auto expect = [&](const std::string& sample, const std::string& rest,
                          const std::string& sentence) {
    const auto outcome = run({"sweep", study(sample, rest), "--out", "out"});
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_TRUE(is_one_sentence(outcome.err));
    EXPECT_TRUE(contains(outcome.err, sentence)) << outcome.err;
    EXPECT_FALSE(fs::exists(root() / "out" / "results.csv"));
  };
  const std::string grid = "method = \"grid\"";
  expect("method = \"sobol\"", kAngles, "study.toml:4: unknown sample.method \"sobol\"");
  expect("method = \"random\"\nseed = 1", kAngles, "sample.count is missing");
  expect(grid, "", "the study has no [[parameter]]");
  expect(
      grid, "[[parameter]]\npath = \"body.crnk.mass\"\nvalues = [1]\n",
      "study.toml:6: parameter \"body.crnk.mass\": body.crnk.mass: no body is named \"crnk\", did "
      "you mean \"crank\"?");
  expect(grid, std::string(kAngles) + "[[parameter]]\npath = \"body.crank.masss\"\nvalues = [1]\n",
         "study.toml:12: parameter \"body.crank.masss\": body.crank.masss: body \"crank\": unknown "
         "key "
         "\"masss\", did you mean \"mass\"?");
  expect(grid,
         std::string(kAngles) + "[[set]]\nvalue = \"1\"\npath = \"joint.B.spring.stifness\"\n",
         "study.toml:13: set number 1: joint.B.spring.stifness: joint \"B\": spring.stiffness is "
         "missing");
  expect(grid, std::string(kAngles) + "[[set]]\nvalue = \"1\"\npath = \"body.crank.name\"\n",
         "study.toml:13: set number 1: body.crank.name: \"name\" is no number");
  expect(grid, std::string(kAngles) + "[[set]]\nvalue = \"1\"\npath = \"gravty.0\"\n",
         "study.toml:13: set");
  expect(grid, "[[parameter]]\npath = \"body..mass\"\nvalues = [1]\n",
         "study.toml:6: parameter \"body..mass\": body..mass: the path has an empty part");
  expect(grid, "[[parameter]]\npath = \"body.crank.com.2\"\nvalues = [1]\n",
         "\"com\" is a list of 2, it has no entry \"2\"");
  expect(grid, std::string(kAngles) + "[[parameter]]\nname = \"m\"\nvalues = [1]\n",
         "study.toml:11: parameter \"m\" has no path, and no [[set]] uses it: nothing would "
         "change");
  expect(grid, std::string(kAngles) + "[[set]]\npath = \"body.crank.mass\"\nvalue = \"2 m\"\n",
         "study.toml:13: set number 1: \"2 m\" does not go on with \"m\"");
  expect(grid, std::string(kAngles) + "[[output]]\ntake = \"max\"\nchannel = \"q.Z\"\n",
         "study.toml:13: output number 1: the runs record no channel \"q.Z\"");
  expect(grid, std::string(kAngles) + "[[output]]\ntake = \"event\"\nevent = \"low\"\n",
         "study.toml:13: output number 1: the model has no event \"low\"");
  expect(grid, std::string(kAngles) + "[run]\nintegrator = \"rk4\"\nrtol = 1e-6\n",
         "rtol and atol do not go with rk4");
  expect(grid, std::string(kAngles) + "[run]\nintegrator = \"gauss_4\"\nstep = 0.01\n",
         "study.toml:11: gauss_4 is for mechanisms without loops");
  expect(grid, std::string(kAngles) + "[run]\nstep_size = 1\n",
         "study.toml:12: unknown key \"run.step_size\"");
  expect(grid + "\ncounts = 3", kAngles, "study.toml:5: unknown key \"sample.counts\"");
  expect(grid, std::string(kAngles) + "vales = [1]\n",
         "study.toml:11: parameter \"body.crank.mass\": unknown key \"vales\", did you mean "
         "\"values\"?");
  expect(
      grid,
      std::string(kAngles) + "[[set]]\npath = \"body.crank.mass\"\nvalue = \"2\"\nunit = \"kg\"\n",
      "study.toml:14: set number 1: unknown key \"unit\"");
  expect(grid,
         std::string(kAngles) + "[[output]]\ntake = \"max\"\nchannel = \"q.A\"\nevent = \"low\"\n",
         "study.toml:14: output number 1: unknown key \"event\"");
  expect(grid, std::string(kAngles) + "[[outputs]]\ntake = \"max\"\nchannel = \"q.A\"\n",
         "study.toml:11: unknown key \"outputs\"");
  expect(grid, std::string(kAngles) + "[runs]\nuntil = 1.0\n",
         "study.toml:11: unknown key \"runs\"");
  expect(grid,
         std::string(kAngles) +
             "[[parameter]]\nname = \"m\"\npath = \"body.crank.mass\"\nvalues = [1]\n",
         "study.toml:13: parameter \"m\": there are two parameters of this path");
  expect(grid,
         std::string(kAngles) +
             "[[set]]\npath = \"body.rocker.mass\"\nvalue = \"1\"\n"
             "[[set]]\npath = \"body.rocker.mass\"\nvalue = \"2\"\n",
         "study.toml:15: set number 2: a parameter or another [[set]] has this path");
  expect(grid, std::string(kAngles) + "[[set]]\npath = \"body.crank.mass\"\nvalue = \"2\"\n",
         "study.toml:12: set number 1: a parameter or another [[set]] has this path");
  expect(grid, std::string(kAngles) + "[[parameter]]\nname = \"failure\"\nvalues = [1]\n",
         "study.toml:12: parameter \"failure\": a column of the results has this name");
  const std::string kept = "[[output]]\ntake = \"max\"\nchannel = \"q\"\n";
  expect(grid, kAngles + kept + "[[output]]\ntake = \"max\"\nchannel = \"q.A\"\n",
         "study.toml:16: output number 2: \"max.q.A\" is kept by an output before this one");
  expect(grid,
         std::string(kAngles) +
             "[[parameter]]\nname = \"final.q.B\"\npath = "
             "\"body.rocker.mass\"\nvalues = [1]\n",
         "study.toml: outputs: \"final.q.B\" is the name of a parameter");
  expect(grid,
         std::string(kAngles) +
             "[[parameter]]\npath = \"body.rocker.mass\"\nfrom = 1\nto = 2\ncount = 1\n",
         "study.toml:15: parameter \"body.rocker.mass\": count must be 2 or more, or from the same "
         "as to");
  expect("method = \"list\"",
         "[[parameter]]\npath = \"body.crank.mass\"\nvalues = [1]\n"
         "[[parameter]]\npath = \"body.rocker.mass\"\nvalues = [1, 2]\n",
         "they must be equally long");

  const auto missing = write("missing.toml", "format = 1\nmodel = \"other.toml\"\n");
  const auto outcome = run({"sweep", missing, "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(contains(outcome.err, "missing.toml:2: there is no model file")) << outcome.err;
}

// It would be set anew in each sample.
TEST_F(Sweep, TakesNoOptionForWhatTheStudySets) {
  const auto file = study("method = \"grid\"", std::string(kAngles) + "[run]\nuntil = 0.01\n");
  const auto outcome = run({"sweep", file, "--set", "body.crank.mass=3", "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err,
                       "--set body.crank.mass=3: the study gives this path a value in each sample"))
      << outcome.err;
  EXPECT_FALSE(fs::exists(root() / "out"));
}

TEST_F(Sweep, AFolderHoldsOneStudy) {
  const auto file = study("method = \"grid\"", std::string(kAngles) + "[run]\nuntil = 0.01\n");
  ASSERT_EQ(run({"sweep", file, "--out", "out", "-q"}).exit_code, 0);
  const auto results = read("out/results.csv");
  auto outcome = run({"sweep", file, "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "found    6 finished before"));
  EXPECT_EQ(read("out/results.csv"), results);
  if (has_hdf5()) {
    outcome = run({"sweep", file, "--out", "out", "--hdf5"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(contains(outcome.err, "complete but without results.h5"));
  }
  outcome = run({"sweep", file, "--set", "body.rocker.mass=3", "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "out holds a sweep with other overrides"));
  fs::remove(root() / "out" / "results.csv");
  outcome = run({"sweep", file, "--out", "out"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "complete but without results.csv")) << outcome.err;
}

TEST_F(Sweep, GoesOnAfterCtrlC) {
  if (!has_terminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals";
  const auto file =
      study("method = \"random\"\nseed = 1\ncount = 200",
            "[[parameter]]\npath = \"joint.A.initial.q\"\nfrom = 0.5\nto = 1\n[run]\nuntil = 2\n");
  ASSERT_EQ(run({"sweep", file, "--out", "whole", "-q"}).exit_code, 0);
  const auto stopped = run_on_terminal({"sweep", file, "--out", "out"}, {}, 1);
  ASSERT_EQ(stopped.exit_code, 130) << stopped.err;
  EXPECT_TRUE(contains(stopped.err, " of 200 samples; the same command goes on with the rest"));
  EXPECT_FALSE(fs::exists(root() / "out" / "results.csv"));
  const auto resumed = run({"sweep", file, "--out", "out"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.out, "finished before"));
  EXPECT_EQ(read("out/results.csv"), read("whole/results.csv"));
}

TEST_F(Sweep, AFolderTakesOneSweepAtATime) {
  const auto file =
      study("method = \"random\"\nseed = 1\ncount = 1000",
            "[[parameter]]\npath = \"joint.A.initial.q\"\nfrom = 0.5\nto = 1\n[run]\nuntil = 2\n");
  std::vector<Outcome> refused;
  run_and_kill(
      [&] {
        if (!fs::exists(root() / "out" / "samples-0-0-0.journal")) return false;
        refused = {run({"sweep", file, "--out", "out"})};
        return true;
      },
      0, {"sweep", file, "--out", "out", "-q", "--threads", "1"});
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(refused[0].exit_code, 3);
  EXPECT_EQ(refused[0].err, "hamiltree: another process is writing into out\n");
}

TEST_F(Sweep, WritesHdf5WhereItIsThere) {
  const auto file = study("method = \"grid\"", std::string(kAngles) + "[run]\nuntil = 0.01\n");
  const auto outcome = run({"sweep", file, "--out", "out", "--hdf5", "-q"});
  if (has_hdf5()) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_TRUE(fs::exists(root() / "out" / "results.h5"));
  } else {
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_TRUE(contains(outcome.err, "this program was built without HDF5"));
  }
}

}  // namespace
}  // namespace hamiltree::test
