// hamiltree resume: a run that Ctrl-C ended goes on, from files alone; and the gates of a run.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "hamiltree/io/export/hdf5_file.hpp"

namespace hamiltree::test {
namespace {

using Json = nlohmann::json;

class Resume : public Cli {};

class Interrupted : public Resume, public testing::WithParamInterface<std::string> {};

// Many checkpoints were made, or but the one at the start.
INSTANTIATE_TEST_SUITE_P(Runs, Interrupted, testing::Values("0.1", "19"),
                         [](const auto& info) { return info.index == 0 ? "often" : "once"; });

TEST_P(Interrupted, GoOnBitForBit) {
  if (!has_terminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals";
  const std::vector<std::string> options{"simulate",      mechanism("four_bar"),
                                         "--integrator",  "rk4",
                                         "--step",        "2e-5",
                                         "--until",       "20",
                                         "--every",       "0.5",
                                         "--checkpoint",  GetParam(),
                                         "--formulation", "recursive"};
  auto whole = options;
  whole.insert(whole.end(), {"--out", "whole", "-q"});
  ASSERT_EQ(run(whole).exit_code, 0);
  auto stopped = options;
  stopped.insert(stopped.end(), {"--out", "stopped"});
  if (has_hdf5()) stopped.emplace_back("--hdf5");
  const auto outcome = run_on_terminal(stopped, {}, 1);
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "go on with: hamiltree resume stopped"));
  EXPECT_TRUE(fs::exists(root() / "stopped" / "checkpoint.json"));
  EXPECT_FALSE(fs::exists(root() / "stopped" / "summary.json"));
  const auto resumed = run({"resume", "stopped"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_TRUE(contains(resumed.out, "20 s of 20 s simulated"));
  expect_same_run("whole", "stopped");
  EXPECT_EQ(fs::exists(root() / "stopped" / "trajectory.h5"), has_hdf5());
  EXPECT_FALSE(fs::exists(root() / "stopped" / "checkpoint.json"));
  EXPECT_FALSE(fs::exists(root() / "stopped" / "checkpoint.csv"));
}

TEST_F(Resume, CtrlCKeepsACheckpointWithoutBeingAskedTo) {
  if (!has_terminals()) GTEST_SKIP() << "this machine gives out no pseudo-terminals";
  const auto model = write("swing.toml", read(mechanism("four_bar")));
  const auto outcome = run_on_terminal({"simulate", model, "--formulation", "hdca", "--integrator",
                                        "rk4", "--step", "2e-5", "--until", "10", "--out", "run"},
                                       {}, 1);
  ASSERT_EQ(outcome.exit_code, 130) << outcome.err;
  fs::remove(root() / model);  // the checkpoint holds all that is needed
  const auto resumed = run({"resume", "run", "--json"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  const auto summary = Json::parse(resumed.out);
  EXPECT_EQ(summary["reached"], 10.0);
  EXPECT_GE(summary["steps"], 500000);
}

TEST_F(Resume, SaysWhyItCannot) {
  fs::create_directory(root() / "empty");
  auto outcome = run({"resume", "empty"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err, "empty cannot be resumed from: it has no checkpoint.json"));
  ASSERT_EQ(
      run({"simulate", mechanism("four_bar"), "--until", "0.1", "-q", "--out", "done"}).exit_code,
      0);
  EXPECT_TRUE(contains(run({"resume", "done"}).err, "no checkpoint.json, for the run has ended"));
  write("empty/checkpoint.json", "{\"format\": 1}");
  outcome = run({"resume", "empty"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_EQ(run({"resume"}).exit_code, 2);
  EXPECT_EQ(run({"simulate", mechanism("four_bar"), "--checkpoint", "1"}).exit_code, 2);
}

// Two would write their lines into the same tables.
TEST_F(Resume, AFolderTakesOneRunAtATime) {
  const std::vector<std::string> first{
      "simulate", mechanism("four_bar"), "--integrator", "rk4",   "--step", "2e-5", "--until",
      "5",        "--checkpoint",        "0.1",          "--out", "run",    "-q"};
  const std::vector<std::string> again{"simulate", mechanism("four_bar"), "--until", "1", "--out",
                                       "run",      "--overwrite"};
  std::vector<Outcome> refused;
  run_and_kill(
      [&] {
        if (!fs::exists(root() / "run" / "checkpoint.json")) return false;
        refused = {run({"resume", "run"}), run(again)};
        return true;
      },
      0, first);
  ASSERT_EQ(refused.size(), 2U);
  for (const auto& outcome : refused) {
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_EQ(outcome.err, "hamiltree: another process is writing into run\n");
  }
  EXPECT_EQ(run({"resume", "run", "-q"}).exit_code, 0);
  auto whole = first;
  whole[whole.size() - 2] = "whole";
  ASSERT_EQ(run(whole).exit_code, 0);
  expect_same_run("whole", "run");
}

TEST_F(Resume, GatesEndInExitCode4) {
  const std::vector<std::string> options{
      "simulate", mechanism("four_bar"), "--integrator", "rk4", "--step", "0.005", "--until", "1"};
  auto loose = options;
  loose.insert(loose.end(), {"--max-energy-error", "0.1", "--max-constraint-error", "1e-3"});
  EXPECT_EQ(run(loose).exit_code, 0);
  auto tight = options;
  tight.insert(tight.end(), {"--max-energy-error", "1e-12", "--out", "out"});
  const auto outcome = run(tight);
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err, "energy.max_relative_error is "));
  EXPECT_TRUE(contains(outcome.err, ", above 1e-12"));
  EXPECT_TRUE(contains(outcome.out, "gate failed"));
  const auto summary = Json::parse(read("out/summary.json"));
  EXPECT_EQ(summary["status"], "completed");
  EXPECT_EQ(summary["failed_gates"].size(), 1U);
  auto drifting = options;
  drifting.insert(drifting.end(), {"--projection", "off", "--max-constraint-error", "1e-12"});
  EXPECT_EQ(run(drifting).exit_code, 4);
}

}  // namespace
}  // namespace hamiltree::test
