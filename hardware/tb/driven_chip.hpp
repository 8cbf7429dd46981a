// A simulated chip with its program, used through the C driver alone.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "hardware/compiler/program.hpp"
#include "hardware/driver/hamiltree_chip.h"
#include "hardware/tb/chip_simulator.hpp"

namespace hamiltree::hardware {

class DrivenChip {
 public:
  // Loads the program. Throws std::runtime_error, as all below, where the driver reports an error.
  DrivenChip(std::unique_ptr<ChipSimulator> simulator, const Program& program);
  DrivenChip(const DrivenChip&) = delete;
  DrivenChip& operator=(const DrivenChip&) = delete;

  void set_state(const std::vector<Word>& state);
  void start(std::uint32_t steps);
  // Lets so many steps' time pass, then polls.
  void finish(std::uint32_t steps);
  std::vector<Word> state(std::uint32_t& step);
  hamiltree_status status();

  ChipSimulator& simulator() { return *simulator_; }
  const hamiltree_chip& chip() const { return chip_; }
  const hamiltree_program& image() const { return image_; }

 private:
  std::unique_ptr<ChipSimulator> simulator_;
  std::vector<std::uint32_t> words_;
  std::vector<hamiltree_constant> constants_;
  hamiltree_program image_{};
  hamiltree_chip chip_{};
};

}  // namespace hamiltree::hardware
