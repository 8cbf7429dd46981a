#include "hardware/tb/driven_chip.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace hamiltree::hardware {

namespace {

constexpr std::uint32_t kPolls = 1000;

void must(hamiltree_result result, const char* what) {
  if (result == HAMILTREE_OK) return;
  constexpr const char* kWhy[] = {"ok",        "no chip answers", "it has another shape",
                                  "bus error", "it is busy",      "no step has been completed"};
  throw std::runtime_error(std::string("the chip could not ") + what + ": " + kWhy[result]);
}

int read(void* simulator, std::uint32_t offset, std::uint32_t* value) {
  return static_cast<ChipSimulator*>(simulator)->read(offset, value);
}
int write(void* simulator, std::uint32_t offset, std::uint32_t value) {
  return static_cast<ChipSimulator*>(simulator)->write(offset, value);
}

}  // namespace

DrivenChip::DrivenChip(std::unique_ptr<ChipSimulator> simulator, const Program& program)
    : simulator_(std::move(simulator)) {
  for (const auto& word : program.words) words_.insert(words_.end(), word.begin(), word.end());
  for (const auto& c : program.constants) {
    constants_.push_back({static_cast<std::uint32_t>(c.place.bank),
                          static_cast<std::uint32_t>(c.place.address), c.value});
  }
  const auto& shape = program.shape;
  const auto number = [](auto n) { return static_cast<std::uint32_t>(n); };
  image_.shape = {number(shape.adders),        number(shape.multipliers),
                  number(shape.address_bits),  number(shape.program_bits),
                  number(shape.snapshot_bits), 0};
  image_.word_count = number(program.words.size());
  image_.slice_count = number(shape.word_slices());
  image_.words = words_.data();
  image_.constant_count = number(constants_.size());
  image_.constants = constants_.data();
  image_.state_count = number(program.states.size());
  must(hamiltree_open(&chip_, {read, write, simulator_.get()}), "be opened");
  must(hamiltree_load(&chip_, &image_), "take the program");
}

void DrivenChip::set_state(const std::vector<Word>& state) {
  must(hamiltree_set_state(&chip_, &image_, state.data()), "take the state");
}

void DrivenChip::start(std::uint32_t steps) { must(hamiltree_start(&chip_, steps), "start"); }

void DrivenChip::finish(std::uint32_t steps) {
  simulator_->run(std::uint64_t{steps} * image_.word_count);
  must(hamiltree_wait(&chip_, kPolls), "finish");
}

std::vector<Word> DrivenChip::state(std::uint32_t& step) {
  std::vector<Word> state(image_.state_count);
  must(hamiltree_get_state(&chip_, &image_, state.data(), &step), "say its state");
  return state;
}

hamiltree_status DrivenChip::status() {
  hamiltree_status status{};
  must(hamiltree_get_status(&chip_, &status), "say its status");
  return status;
}

}  // namespace hamiltree::hardware
