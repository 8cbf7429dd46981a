#include "hardware/tb/bus_recorder.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "hardware/tb/driven_chip.hpp"

namespace hamiltree::hardware {

// Answers like the chip as far as the driver asks before it starts.
class RecordingChip final : public ChipSimulator {
 public:
  explicit RecordingChip(BusRecorder& recorder) : recorder_(recorder) {}

  void watch(Observer*) override {}
  int read(std::uint32_t offset, std::uint32_t* value) override {
    const auto& shape = recorder_.shape_;
    const auto bits = [](int n) { return static_cast<std::uint32_t>(n); };
    const int slice_bits = std::bit_width(bits(shape.word_slices() - 1));
    const int window =
        std::max(shape.program_bits + slice_bits + 2, shape.address_bits + shape.bank_bits() + 2);
    *value = offset == 0 ? 0x48545231U
                         : bits(shape.adders) | bits(shape.multipliers) << 4 |
                               bits(shape.address_bits) << 8 | bits(shape.program_bits) << 12 |
                               bits(shape.snapshot_bits) << 16 | bits(window) << 20;
    return 0;
  }
  int write(std::uint32_t offset, std::uint32_t value) override {
    recorder_.writes_.emplace_back(offset, value);
    return 0;
  }
  void run(std::uint64_t) override {}
  bool is_busy() const override { return false; }
  std::uint64_t bus_words() const override { return recorder_.writes_.size(); }
  std::uint64_t bus_words_while_busy() const override { return 0; }

 private:
  BusRecorder& recorder_;
};

void BusRecorder::load(const Program& program, const std::vector<Word>& state,
                       std::uint32_t steps) {
  DrivenChip chip(std::make_unique<RecordingChip>(*this), program);
  chip.set_state(state);
  chip.start(steps);
}

}  // namespace hamiltree::hardware
