// hamiltree-lab chip, and simulate on the simulated chip.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace hamiltree::test {
namespace {

using Json = nlohmann::json;

class Chip : public LabCli {
 protected:
  static bool has_chip() {
    const auto folder = fs::path(HAMILTREE_PROGRAM).parent_path() / "hardware";
    return fs::exists(folder / "chip_1_1.so");
  }
};

TEST_F(Chip, SaysWhatAStepTakesAndWritesIt) {
  const auto outcome = run({"chip", mechanism("four_bar"), "--out", "chip"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "9 words of state"));
  EXPECT_TRUE(contains(outcome.out, "512 program words of 80 bits, 14 RAMB18"));
  EXPECT_TRUE(contains(read("chip/program.h"), "hamiltree_four_bar_program = {"));
  EXPECT_TRUE(contains(read("chip/graph.dot"), "digraph {"));
}

TEST_F(Chip, RefusesWithOneSentence) {
  const auto refuse = [&](const std::vector<std::string>& arguments, int code,
                          const std::string& part) {
    const auto outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, code);
    EXPECT_TRUE(is_one_sentence(outcome.err));
    EXPECT_TRUE(contains(outcome.err, part));
  };
  refuse({"chip", mechanism("spatial_arm")}, 3, "planar mechanisms only");
  refuse({"chip", mechanism("driven_slider_crank")}, 3, "joint \"A\": the chip takes no driven");
  refuse({"chip", mechanism("andrews")}, 3, "needs a square root, which the chip lacks");
  for (const auto& start : std::vector<std::vector<std::string>>{
           {"chip"}, {"simulate", "--backend", "fpga-sim", "--until", "1"}}) {
    auto arguments = start;
    arguments.insert(arguments.begin() + 1, mechanism("chain_100"));
    refuse(arguments, 3, "words of state");
  }
  refuse({"chip", mechanism("four_bar"), "--fixed-base"}, 2, "is a native file");
  refuse({"chip", mechanism("four_bar"), "--step", "1e-300"}, 2, "a number of single precision");
  const auto four_bar = mechanism("four_bar");
  refuse({"simulate", four_bar, "--backend", "fpga-sim", "--integrator", "rk4"}, 2, "not rk4");
  refuse({"simulate", four_bar, "--backend", "fpga-sim", "--formulation", "dca"}, 2, "not dca");
  refuse({"simulate", four_bar, "--backend", "fpga-sim", "--reset", "on"}, 2, "there is no reset");
  refuse({"simulate", four_bar, "--backend", "fpga-sim", "--projection", "on"}, 2, "projection");
  refuse({"simulate", four_bar, "--backend", "fpga-sim", "--checkpoint", "1", "--out", "run"}, 2,
         "--checkpoint");
}

TEST_F(Chip, SimulatesLikeTheProcessor) {
  if (!has_chip()) GTEST_SKIP() << "the simulated chip has not been built";
  const std::vector<std::string> common{"simulate",     mechanism("four_bar"), "--until", "0.2",
                                        "--integrator", "semi_implicit_euler", "--json"};
  auto on_chip = common;
  on_chip.insert(on_chip.end(), {"--backend", "fpga-sim"});
  auto on_processor = common;
  on_processor.insert(on_processor.end(), {"--reset", "off", "--projection", "off"});
  const auto chip = run(on_chip);
  ASSERT_EQ(chip.exit_code, 0) << chip.err;
  const auto a = Json::parse(chip.out), b = Json::parse(run(on_processor).out);
  EXPECT_EQ(a["steps"], b["steps"]);
  const double energy = a["energy"]["max_relative_error"];
  const double expected = b["energy"]["max_relative_error"];
  EXPECT_NEAR(energy, expected, 0.01 * expected + 1e-5);
  EXPECT_TRUE(contains(a["notes"].dump(), "simulated chip"));
}

// The chip knows momenta and positions only: the processor adds up the work of what is not
// conservative.
TEST_F(Chip, AccountsForWork) {
  if (!has_chip()) GTEST_SKIP() << "the simulated chip has not been built";
  for (const std::string method : {"euler", "semi_implicit_euler"}) {
    std::ifstream file(mechanism("double_pendulum"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto pushed = write("pushed.toml", text + R"(
[[force]]
name = "motor"
type = "actuator"
joint = "shoulder"
effort = 0.3
[[force]]
name = "water"
type = "drag"
body = "bar_2"
translational_damping = 0.4
)");
    const std::vector<std::string> common{"simulate", pushed,   "--integrator", method,  "--until",
                                          "0.5",      "--step", "1e-4",         "--json"};
    auto on_chip = common;
    on_chip.insert(on_chip.end(), {"--backend", "fpga-sim"});
    const auto chip = run(on_chip);
    ASSERT_EQ(chip.exit_code, 0) << chip.err;
    const auto a = Json::parse(chip.out)["energy"], b = Json::parse(run(common).out)["energy"];
    EXPECT_FALSE(a["conservative"]);
    EXPECT_NEAR(a["max_relative_error"].get<double>(), b["max_relative_error"].get<double>(), 1e-5)
        << method;
  }
}

// In steps as short as these the turn of a step is lost in the last digit of a unit vector.
TEST_F(Chip, SaysHowFarRoundingHasMovedIt) {
  if (!has_chip()) GTEST_SKIP() << "the simulated chip has not been built";
  const auto outcome =
      run({"simulate", mechanism("double_pendulum"), "--backend", "fpga-sim", "--until", "1e-5",
           "--step", "1e-8", "--set", "joint.shoulder.initial.v=1", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(
      contains(Json::parse(outcome.out)["notes"].dump(), "the farthest q.shoulder, by 1e-5"))
      << outcome.out;
}

TEST_F(Chip, StopsAtPartsOfAStep) {
  if (!has_chip()) GTEST_SKIP() << "the simulated chip has not been built";
  const auto outcome = run({"simulate", mechanism("double_pendulum"), "--backend", "fpga-sim",
                            "--until", "0.01", "--every", "0.00015", "-q"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.err, "whole steps only"));
}

}  // namespace
}  // namespace hamiltree::test
