// The Verilated chip as a ChipSimulator: a master of AXI4-Lite, and a monitor that counts every
// word at the wires.
#include <Vhamiltree_chip.h>

#include <functional>

#include "hardware/tb/axi_master.hpp"
#include "hardware/tb/chip_simulator.hpp"

namespace {

class VerilatedChip final : public hamiltree::hardware::ChipSimulator {
 public:
  VerilatedChip() : master_(chip_, [this] { tick(); }) {
    chip_.rst_ni = 0;
    run(3);
    chip_.rst_ni = 1;
    run(1);
  }

  void watch(Observer* observer) override { observer_ = observer; }

  int write(std::uint32_t offset, std::uint32_t value) override {
    return master_.write(offset, value);
  }
  int read(std::uint32_t offset, std::uint32_t* value) override {
    return master_.read(offset, value);
  }

  void run(std::uint64_t cycles) override {
    for (; cycles > 0; --cycles) tick();
  }

  bool is_busy() const override { return busy_; }
  std::uint64_t bus_words() const override { return bus_words_; }
  std::uint64_t bus_words_while_busy() const override { return bus_words_while_busy_; }

 private:
  void tick() {
    chip_.clk_i = 0;
    chip_.eval();
    // The present values of the wires take effect at the edge that follows.
    const bool writes = chip_.axi_wvalid_i && chip_.axi_wready_o;
    const bool reads = chip_.axi_rvalid_o && chip_.axi_rready_i;
    bus_words_ += static_cast<unsigned>(writes) + static_cast<unsigned>(reads);
    if (busy_)
      bus_words_while_busy_ += static_cast<unsigned>(writes) + static_cast<unsigned>(reads);
    if (observer_ != nullptr && chip_.state_valid_o) {
      observer_->word(chip_.state_index_o, chip_.state_data_o);
    }
    if (observer_ != nullptr && chip_.step_done_o) observer_->step_done();
    chip_.clk_i = 1;
    chip_.eval();
    busy_ = chip_.busy_o;
  }

  Vhamiltree_chip chip_;
  hamiltree::hardware::AxiMaster<Vhamiltree_chip, std::function<void()>> master_;
  Observer* observer_ = nullptr;
  bool busy_ = false;
  std::uint64_t bus_words_ = 0, bus_words_while_busy_ = 0;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) hamiltree::hardware::ChipSimulator*
HAMILTREE_CHIP_SIMULATOR() {
  return new VerilatedChip;
}
