// Runs that are killed, or meet a full disk or a closed pipe: what they had is not lost, and what
// is not what was written is not gone on with.
#include <nlohmann/json.hpp>
#include <random>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

using Json = nlohmann::json;

class Crash : public Cli {
 protected:
  static std::vector<std::string> options(const std::string& folder,
                                          const std::string& until = "20") {
    return {"simulate",
            mechanism("bricard"),
            "--integrator",
            "rk4",
            "--step",
            "2e-3",
            "--until",
            until,
            "--every",
            "0.02",
            "--checkpoint",
            "0.1",
            "--out",
            folder,
            "--formulation",
            "recursive",
            "-q"};
  }

  // The simulated time of the last checkpoint, s; without one, less than any.
  double saved(const std::string& folder) const {
    const auto state = read(fs::path(folder) / "checkpoint.json");
    return state.empty() ? -1 : Json::parse(state)["t"].get<double>();
  }

  // The folder of a run without end, killed some checkpoints after its start.
  void interrupt(const std::string& folder) const {
    const auto outcome =
        run_and_kill([&] { return saved(folder) > 0.25; }, 0, options(folder, "1e6"));
    ASSERT_EQ(outcome.exit_code, 128 + 9) << outcome.err;
  }
};

// Processes are killed at random instants, the first of them before there is any checkpoint; the
// next takes up what one left, and so on to the end.
TEST_F(Crash, KilledAtAnyInstantARunIsResumedBitForBit) {
  ASSERT_EQ(run(options("whole")).exit_code, 0);
  std::mt19937 random(20261121);
  std::uniform_real_distribution<double> further(0, 2), seconds(0, 0.01);
  int kills = 0, resumed = 0, begun = 0;
  bool tidy = false;  // the last process came to its end
  for (bool done = false; !done && kills < 200;) {
    const double from = saved("killed");
    const auto arguments =
        from < 0 ? options("killed") : std::vector<std::string>{"resume", "killed", "-q"};
    const double to = kills < 3 ? from : from + further(random);
    const auto outcome =
        run_and_kill([&] { return saved("killed") >= to; }, seconds(random), arguments);
    tidy = outcome.exit_code == 0;
    done = tidy || (fs::exists(root() / "killed" / "summary.json") &&
                    !fs::exists(root() / "killed" / "checkpoint.json"));
    ASSERT_TRUE(done || outcome.exit_code == 128 + 9) << outcome.err;
    kills += done ? 0 : 1;
    (from < 0 ? begun : resumed) += 1;
  }
  std::printf("%d kills; begun %d times, resumed %d times\n", kills, begun, resumed);
  EXPECT_GE(resumed, 5);
  expect_same_run("whole", "killed");
  for (const auto& file : fs::directory_iterator(root() / "killed")) {
    const auto name = file.path().filename().string();
    EXPECT_FALSE(tidy && (name.ends_with(".part") || name.starts_with("checkpoint"))) << name;
  }
}

// Killed where tables have their last names already, but the summary is not there yet.
TEST_F(Crash, KilledWhileItsResultsAreWrittenARunIsResumedBitForBit) {
  ASSERT_EQ(run(options("whole")).exit_code, 0);
  for (const bool has_steps : {false, true}) {
    const std::string folder = has_steps ? "killed" : "killed_before";
    const auto killed = run_and_kill([&] { return saved(folder) > 0.25; }, 0, options(folder));
    ASSERT_EQ(killed.exit_code, 128 + 9) << killed.err;
    const auto rename = [&](const char* saved_name, const char* name) {
      fs::rename(root() / folder / saved_name, root() / folder / name);
    };
    rename("checkpoint.csv", "trajectory.csv");
    if (has_steps) rename("checkpoint_steps.csv", "steps.csv");
    const auto resumed = run({"resume", folder, "-q"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    expect_same_run("whole", folder);
  }
}

TEST_F(Crash, DiskThatFillsUpEndsARunThatCanBeResumed) {
  ASSERT_EQ(run(options("whole")).exit_code, 0);
  const auto outcome = run_with_small_files(60000, options("full"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_TRUE(is_one_sentence(outcome.err));
  EXPECT_TRUE(contains(outcome.err, "cannot write full/checkpoint"));
  EXPECT_TRUE(contains(outcome.err, ": File too large"));
  EXPECT_FALSE(fs::exists(root() / "full" / "summary.json"));
  const auto resumed = run({"resume", "full", "-q"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_same_run("whole", "full");
}

TEST_F(Crash, ClosedPipeOfTheProgressDoesNotEndARun) {
  // The shell's stderr is the pipe, whose reader has gone.
  auto arguments = options("piped");
  arguments.pop_back();
  std::string command = std::string(HAMILTREE_PROGRAM);
  for (const auto& argument : arguments) command += " '" + argument + "'";
  command = "cd '" + root().string() + "' && bash -c \"{ " + command +
            " >out.txt; echo \\$? >code.txt; } 2>&1 | true\"";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read("code.txt"), "0\n");
  EXPECT_EQ(Json::parse(read("piped/summary.json"))["status"], "completed");
}

TEST_F(Crash, ClosedPipeIsTold) {
  const auto command = "cd '" + root().string() + "' && bash -c \"{ " + HAMILTREE_PROGRAM +
                       " info '" + mechanism("four_bar") +
                       "' 2>err.txt; echo \\$? >code.txt; } | true\"";
  for (int tries = 0; tries < 20; ++tries) {  // until the reader has gone first
    ASSERT_EQ(std::system(command.c_str()), 0);
    if (read("code.txt") == "3\n") break;
  }
  EXPECT_EQ(read("code.txt"), "3\n");
  EXPECT_EQ(read("err.txt"), "hamiltree: cannot write to standard output\n");
}

TEST_F(Crash, NoRunIsReplacedByAccident) {
  auto arguments = options("kept");
  ASSERT_EQ(run(arguments).exit_code, 0);
  const auto before = read("kept/trajectory.csv");
  auto outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "hamiltree: kept holds a run already: --overwrite replaces it\n");
  EXPECT_EQ(read("kept/trajectory.csv"), before);
  EXPECT_EQ(run({"simulate", mechanism("bricard"), "--overwrite"}).exit_code, 2);  // what?
  arguments.insert(arguments.end(), {"--overwrite", "--until", "1"});
  EXPECT_EQ(run(arguments).exit_code, 0);
  EXPECT_LT(read("kept/trajectory.csv").size(), before.size());
}

TEST_F(Crash, NoOtherFileIsReplacedByAccident) {
  fs::create_directory(root() / "foreign");
  std::ofstream(root() / "foreign" / "report.html") << "another report";
  auto arguments = options("foreign");
  const auto outcome = run(arguments);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err, "hamiltree: foreign/report.html exists: --overwrite replaces it\n");
  EXPECT_EQ(read("foreign/report.html"), "another report");
  arguments.emplace_back("--overwrite");
  EXPECT_EQ(run(arguments).exit_code, 0);
}

TEST_F(Crash, NoInterruptedRunIsDroppedByAccident) {
  ASSERT_NO_FATAL_FAILURE(interrupt("killed"));
  const auto outcome = run(options("killed"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.err,
            "hamiltree: killed holds an interrupted run: hamiltree resume killed goes on with it, "
            "--overwrite replaces it\n");
  EXPECT_TRUE(fs::exists(root() / "killed" / "checkpoint.json"));
}

TEST_F(Crash, DamagedCheckpointsAreRefused) {
  ASSERT_NO_FATAL_FAILURE(interrupt("killed"));
  const auto state = read("killed/checkpoint.json");
  const auto samples = read("killed/checkpoint.csv");
  ASSERT_FALSE(state.empty());
  const auto expect_refused = [&](const std::string& what) {
    const auto outcome = run({"resume", "killed", "-q"});
    EXPECT_EQ(outcome.exit_code, 3) << what;
    EXPECT_TRUE(is_one_sentence(outcome.err));
    EXPECT_TRUE(contains(outcome.err, " cannot be resumed from: ")) << what;
    EXPECT_FALSE(fs::exists(root() / "killed" / "summary.json"));
  };
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {  // one digit of a number is another
    auto damaged = state;
    std::size_t at = 0;
    do at = random() % damaged.size();
    while (!std::isdigit(static_cast<unsigned char>(damaged[at])));
    damaged[at] = damaged[at] == '1' ? '2' : '1';
    write("killed/checkpoint.json", damaged);
    expect_refused("digit " + std::to_string(at));
  }
  write("killed/checkpoint.json", state.substr(0, state.size() / 2));
  expect_refused("half of the state");
  write("killed/checkpoint.json", state);
  write("killed/checkpoint.csv", samples.substr(0, samples.size() / 2));
  expect_refused("half of the samples");
  auto damaged = samples;
  damaged[samples.size() / 2] ^= 1;
  write("killed/checkpoint.csv", damaged);
  expect_refused("one bit of the samples");
  write("killed/checkpoint.csv", samples + "0.5,half a line");  // killed while it grew
  const double before = saved("killed");
  const auto outcome =
      run_and_kill([&] { return saved("killed") > before + 0.25; }, 0, {"resume", "killed", "-q"});
  EXPECT_EQ(outcome.exit_code, 128 + 9) << outcome.err;  // it goes on
}

}  // namespace
}  // namespace hamiltree::test
