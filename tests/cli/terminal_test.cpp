// The progress line and Ctrl-C: the program with its stderr on a terminal.
#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

const std::string kClearLine = "\r\x1b[K";
const std::string kFaint = "\x1b[2m";

class Terminal : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    if (!has_terminals()) GTEST_SKIP() << "no pseudo-terminal to be had: is /dev/pts mounted?";
  }

  // Half a second or so: many short steps.
  static std::vector<std::string> slow_run(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"simulate", mechanism("chain_100"), "--formulation", "hdca",
                               "--integrator", "rk4", "--step", "1e-4", "--until", "0.3"});
    return more;
  }
  static std::vector<std::string> endless_run(const std::string& every) {
    return {"simulate", mechanism("four_bar"), "--until", "1e9", "--every", every, "--out", "out"};
  }
};

using Log = Cli;

TEST_F(Terminal, ProgressIsALineThatGoesAway) {
  const auto outcome = run_on_terminal(slow_run({"--json"}));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.err, " s of 0.3 s, "));
  EXPECT_TRUE(contains(outcome.err, " %, "));
  EXPECT_TRUE(contains(outcome.err, " steps/s, "));
  EXPECT_TRUE(contains(outcome.err, " left"));
  EXPECT_TRUE(contains(outcome.err, kFaint));
  EXPECT_TRUE(outcome.err.starts_with(kClearLine));
  EXPECT_TRUE(outcome.err.ends_with(kClearLine));
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["status"], "completed");
}

TEST_F(Terminal, ProgressIsDrawnAtMostTenTimesASecond) {
  const auto outcome = run_on_terminal(slow_run({"--json"}));
  const double seconds = nlohmann::json::parse(outcome.out)["wall_seconds"];
  const auto drawn = std::count(outcome.err.begin(), outcome.err.end(), '\r');
  EXPECT_LE(static_cast<double>(drawn), 10.0 * seconds + 2.0);
}

TEST_F(Terminal, NoColorIsRespected) {
  const auto outcome = run_on_terminal(slow_run(), {"NO_COLOR=1"});
  EXPECT_TRUE(contains(outcome.err, " left"));
  EXPECT_FALSE(contains(outcome.err, kFaint));
  EXPECT_TRUE(contains(run_on_terminal(slow_run(), {"NO_COLOR="}).err, kFaint));
}

TEST_F(Terminal, NoProgressWhereNoneIsWanted) {
  EXPECT_EQ(run_on_terminal(slow_run({"--quiet"})).err, "");
  // After two seconds a log has lines, on a slow machine also that of this run.
  const auto expect_no_line_drawn = [](const Outcome& outcome) {
    const double seconds = nlohmann::json::parse(outcome.out)["wall_seconds"];
    if (seconds < 1.5) {
      EXPECT_EQ(outcome.err, "");
    }
    EXPECT_FALSE(contains(outcome.err, kClearLine));
  };
  expect_no_line_drawn(run_on_terminal(slow_run({"--json"}), {"TERM=dumb"}));
  expect_no_line_drawn(run(slow_run({"--json"})));  // no terminal
}

TEST_F(Terminal, ProgressSaysHowFarLoopsWereOpen) {
  const auto outcome = run_on_terminal(endless_run("0.01"), {}, 1);
  EXPECT_TRUE(contains(outcome.err, " left, loops open by "));
}

TEST_F(Terminal, CtrlCStopsBetweenTwoSteps) {
  const auto outcome = run_on_terminal(endless_run("0.01"), {}, 1);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.out, "");
  const auto last = outcome.err.rfind(kClearLine);
  ASSERT_NE(last, std::string::npos);
  const auto sentence = outcome.err.substr(last + kClearLine.size());
  EXPECT_TRUE(sentence.starts_with("hamiltree: interrupted at t = ")) << sentence;
  EXPECT_TRUE(contains(sentence, " s; go on with: hamiltree resume out"));
  EXPECT_TRUE(fs::exists(root() / "out" / "checkpoint.json"));
  EXPECT_FALSE(fs::exists(root() / "out" / "summary.json"));
}

// Three seconds: after two of them a log gets its first line.
TEST_F(Log, HasLinesWithTheTimeOfDay) {
  const auto outcome =
      run({"simulate", mechanism("chain_100"), "--formulation", "hdca", "--integrator", "rk4",
           "--step", "1e-5", "--until", "0.25", "--every", "0.01"});
  EXPECT_EQ(outcome.exit_code, 0);
  const std::regex line(
      "20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ [0-9.e-]+ s of 0.25 s, "
      "\\d+ %, [0-9.]+ steps/s, [0-9.]+ s left\n(.|\n)*");
  EXPECT_TRUE(std::regex_match(outcome.err, line)) << outcome.err;
}

}  // namespace
}  // namespace hamiltree::test
