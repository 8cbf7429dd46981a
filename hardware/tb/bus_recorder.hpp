// Bus writes of the driver that load and start a program, to be replayed elsewhere.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hardware/compiler/program.hpp"

namespace hamiltree::hardware {

class BusRecorder {
 public:
  explicit BusRecorder(const EngineShape& shape) : shape_(shape) {}
  // Throws std::runtime_error where the driver reports an error.
  void load(const Program& program, const std::vector<Word>& state, std::uint32_t steps);
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& writes() const { return writes_; }

 private:
  friend class RecordingChip;
  EngineShape shape_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> writes_;  // offset, value
};

}  // namespace hamiltree::hardware
