// The C driver on the simulated chip. Skipped where that has not been built.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hardware/compiler/compile_step.hpp"
#include "hardware/compiler/float32_model.hpp"
#include "hardware/tb/cosimulation.hpp"
#include "hardware/tb/mechanisms.hpp"
#include "support/random_graph.hpp"

namespace hamiltree::hardware {
namespace {

constexpr double kStep = 1e-3;  // s

std::unique_ptr<ChipSimulator> simulator(const EngineShape& shape) {
  std::string missing;
  return load_chip_simulator(shape, program_folder().parent_path() / "hardware", missing);
}

#define SKIP_WITHOUT_CHIP() \
  if (!simulator(small_engine())) GTEST_SKIP() << "the simulated chip has not been built"

// A chain of two and its states after every step.
class Driver : public testing::Test {
 protected:
  Driver()
      : step_(compile_step(Model(chain(2)), Update::kEuler, kStep, small_engine())),
        start_(step_.program.states.size()) {
    const std::vector<double> values{0.01, 0.6, -0.8, 0.02, 1.0, 0.0};
    for (std::size_t i = 0; i < start_.size(); ++i) {
      start_[i] = bits_of(static_cast<float>(values[i]));
    }
  }

  std::vector<Word> after(std::uint32_t steps) const {
    auto state = start_;
    Float32Model model(step_.graph);
    for (std::uint32_t i = 0; i < steps; ++i) model.step(state);
    return state;
  }

  CompiledStep step_;
  std::vector<Word> start_;
};

TEST_F(Driver, ReadsAWholeStepWhileTheEngineRuns) {
  SKIP_WITHOUT_CHIP();
  DrivenChip chip(simulator(small_engine()), step_.program);
  chip.set_state(start_);
  std::uint32_t step = 0;
  std::vector<Word> state(start_.size());
  EXPECT_EQ(hamiltree_get_state(&chip.chip(), &chip.image(), state.data(), &step),
            HAMILTREE_NO_STATE);
  chip.start(0);
  std::uint32_t last = 0;
  for (int i = 0; i < 50; ++i) {
    chip.simulator().run(static_cast<std::uint64_t>(137 + 61 * i));  // anywhere in a step
    if (hamiltree_get_state(&chip.chip(), &chip.image(), state.data(), &step) != HAMILTREE_OK) {
      continue;
    }
    EXPECT_EQ(state, after(step)) << "step " << step;
    EXPECT_GE(step, last);
    last = step;
  }
  EXPECT_GT(last, 200U);
  EXPECT_TRUE(chip.simulator().is_busy());
  EXPECT_EQ(hamiltree_stop(&chip.chip()), HAMILTREE_OK);
  EXPECT_EQ(hamiltree_wait(&chip.chip(), 1000), HAMILTREE_OK);
  const auto status = chip.status();
  EXPECT_EQ(status.cycles, status.steps * step_.program.words.size() + 1);
  EXPECT_EQ(chip.state(step), after(status.steps));
  EXPECT_EQ(step, status.steps);
}

TEST_F(Driver, GoesOnFromWhereItStopped) {
  SKIP_WITHOUT_CHIP();
  DrivenChip chip(simulator(small_engine()), step_.program);
  chip.set_state(start_);
  std::uint32_t step = 0;
  for (const std::uint32_t steps : {1U, 2U, 5U}) {
    chip.start(steps);
    chip.finish(steps);
    EXPECT_EQ(chip.status().steps, steps);
  }
  EXPECT_EQ(chip.state(step), after(8));
  EXPECT_EQ(step, 5U);
}

TEST_F(Driver, ChipRefusesWhatCannotBeDone) {
  SKIP_WITHOUT_CHIP();
  DrivenChip chip(simulator(small_engine()), step_.program);
  chip.set_state(start_);
  chip.start(0);
  EXPECT_EQ(hamiltree_set_state(&chip.chip(), &chip.image(), start_.data()), HAMILTREE_BUS_ERROR);
  EXPECT_EQ(hamiltree_load(&chip.chip(), &chip.image()), HAMILTREE_BUS_ERROR);
  EXPECT_EQ(hamiltree_start(&chip.chip(), 5), HAMILTREE_BUS_ERROR);
  EXPECT_EQ(hamiltree_wait(&chip.chip(), 10), HAMILTREE_BUSY);
  std::uint32_t value = 0;
  auto& bus = chip.simulator();
  const std::uint32_t window = 1U << chip.chip().shape.window_bits;
  EXPECT_NE(bus.read(2 * window, &value), 0);  // registers cannot be read
  EXPECT_NE(bus.write(window, 1), 0);          // nor the snapshot written
  EXPECT_NE(bus.write(0x0a, 1), 0);            // nor a part of a word
  EXPECT_NE(bus.write(0x14, 1), 0);            // nor what only the chip knows
  chip.simulator().run(500);
  EXPECT_EQ(hamiltree_stop(&chip.chip()), HAMILTREE_OK);
  EXPECT_EQ(hamiltree_wait(&chip.chip(), 1000), HAMILTREE_OK);
  std::uint32_t step = 0;
  const auto state = chip.state(step);
  EXPECT_EQ(state, after(step));  // none of it changed anything
  const auto other = compile_step(Model(chain(2)), Update::kEuler, kStep, large_engine());
  EXPECT_THROW(DrivenChip(simulator(small_engine()), other.program), std::runtime_error);
}

TEST_F(Driver, FlagsStickUntilTheNextStart) {
  SKIP_WITHOUT_CHIP();
  DrivenChip chip(simulator(small_engine()), step_.program);
  auto bad = start_;
  bad[0] = bits_of(3e38F);
  chip.set_state(bad);
  chip.start(3);
  chip.finish(3);
  EXPECT_EQ(chip.status().overflow, 1U);
  EXPECT_EQ(chip.status().nan, 1U);
  chip.set_state(start_);
  chip.start(3);
  chip.finish(3);
  EXPECT_EQ(chip.status().overflow, 0U);
  EXPECT_EQ(chip.status().nan, 0U);
}

// Programs that mean nothing, with every kind of operand, infinities and not-a-numbers among them.
TEST(Cosimulation, RandomGraphs) {
  SKIP_WITHOUT_CHIP();
  constexpr std::uint64_t kSeed = 11;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  for (int trial = 0; trial < 40; ++trial) {
    const auto shape = trial % 2 == 0 ? small_engine() : large_engine();
    const int states = 1 + static_cast<int>(random() % 12);
    auto graph = test::random_graph(random, states, static_cast<int>(random() % 400));
    std::vector<Word> state;
    std::uniform_real_distribution<float> uniform(-2.0F, 2.0F);
    for (int i = 0; i < states; ++i) state.push_back(bits_of(uniform(random)));
    const auto compiled = compile(std::move(graph), shape);
    DrivenChip chip(simulator(shape), compiled.program);
    const auto result = cosimulate(chip, compiled.graph, state, 12);
    EXPECT_EQ(result.differences, 0U) << trial << ": " << result.first;
    EXPECT_TRUE(result.snapshot_agrees) << trial;
    EXPECT_EQ(result.words, 12U * static_cast<unsigned>(states));
  }
}

}  // namespace
}  // namespace hamiltree::hardware
