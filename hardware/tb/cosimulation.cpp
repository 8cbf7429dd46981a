#include "hardware/tb/cosimulation.hpp"

#include <cstdio>
#include <set>
#include <utility>

#include "hardware/compiler/float32_model.hpp"

namespace hamiltree::hardware {

namespace {

class Lockstep final : public ChipSimulator::Observer {
 public:
  Lockstep(const Graph& graph, std::vector<Word> state, Comparison& comparison)
      : graph_(graph), model_(graph), expected_(std::move(state)), comparison_(comparison) {
    model_.step(expected_);
  }

  void word(std::uint32_t index, std::uint32_t value) override {
    if (index >= expected_.size() || !seen_.insert(index).second) {
      differ("a word of the state is written twice, or is none");
      return;
    }
    ++comparison_.words;
    if (expected_[index] == value) return;
    char text[96];
    std::snprintf(text, sizeof text, " is %08x, not %08x, after step %llu", value, expected_[index],
                  static_cast<unsigned long long>(comparison_.steps + 1));
    differ(graph_.states()[index].name + text);
  }

  void step_done() override {
    if (seen_.size() != expected_.size()) differ("words of the state are missing");
    seen_.clear();
    ++comparison_.steps;
    last_ = expected_;
    model_.step(expected_);
  }

  const std::vector<Word>& last() const { return last_; }

 private:
  void differ(const std::string& how) {
    if (comparison_.differences++ == 0) comparison_.first = how;
  }

  const Graph& graph_;
  Float32Model model_;
  std::vector<Word> expected_, last_;
  std::set<std::uint32_t> seen_;
  Comparison& comparison_;
};

}  // namespace

Comparison cosimulate(DrivenChip& chip, const Graph& graph, std::vector<Word> state,
                      std::uint32_t steps) {
  Comparison comparison;
  Lockstep lockstep(graph, state, comparison);
  auto& simulator = chip.simulator();
  chip.set_state(state);
  simulator.watch(&lockstep);
  chip.start(steps);
  const auto before = simulator.bus_words_while_busy();
  simulator.run(std::uint64_t{steps} * chip.image().word_count + 1);
  comparison.cpu_words = simulator.bus_words_while_busy() - before;
  chip.finish(0);
  simulator.watch(nullptr);
  const auto status = chip.status();
  std::uint32_t step = 0;
  comparison.snapshot_agrees = chip.state(step) == lockstep.last() && step == steps;
  comparison.cycles = status.cycles;
  comparison.flags = status.nan != 0 || status.overflow != 0;
  if (comparison.steps != steps || status.steps != steps) ++comparison.differences;
  return comparison;
}

}  // namespace hamiltree::hardware
