// The Verilated chip as a ChipSimulator: a master of AXI4-Lite, and a monitor that counts every
// word at the wires.
#include <Vhamiltree_chip.h>

#include <type_traits>

#include "hardware/tb/chip_simulator.hpp"

namespace {

constexpr int kLongestAnswer = 100;  // cycles, far beyond what the chip takes

using Address = std::remove_reference_t<decltype(Vhamiltree_chip::axi_awaddr_i)>;

class VerilatedChip final : public hamiltree::hardware::ChipSimulator {
 public:
  VerilatedChip() {
    chip_.axi_wstrb_i = 15;
    chip_.rst_ni = 0;
    run(3);
    chip_.rst_ni = 1;
    run(1);
  }

  void watch(Observer* observer) override { observer_ = observer; }

  int write(std::uint32_t offset, std::uint32_t value) override {
    chip_.axi_awaddr_i = static_cast<Address>(offset);
    chip_.axi_wdata_i = value;
    chip_.axi_awvalid_i = chip_.axi_wvalid_i = 1;
    if (!wait_for([&] { return chip_.axi_awready_o && chip_.axi_wready_o; })) return -1;
    chip_.axi_awvalid_i = chip_.axi_wvalid_i = 0;
    chip_.axi_bready_i = 1;
    int answer = -1;
    if (!wait_for([&] { return (answer = chip_.axi_bresp_o, chip_.axi_bvalid_o); })) return -1;
    chip_.axi_bready_i = 0;
    return answer;
  }

  int read(std::uint32_t offset, std::uint32_t* value) override {
    chip_.axi_araddr_i = static_cast<Address>(offset);
    chip_.axi_arvalid_i = 1;
    if (!wait_for([&] { return chip_.axi_arready_o; })) return -1;
    chip_.axi_arvalid_i = 0;
    chip_.axi_rready_i = 1;
    int answer = -1;
    const auto take = [&] {
      *value = chip_.axi_rdata_o;
      answer = chip_.axi_rresp_o;
      return chip_.axi_rvalid_o;
    };
    if (!wait_for(take)) return -1;
    chip_.axi_rready_i = 0;
    return answer;
  }

  void run(std::uint64_t cycles) override {
    for (; cycles > 0; --cycles) tick();
  }

  bool is_busy() const override { return busy_; }
  std::uint64_t bus_words() const override { return bus_words_; }
  std::uint64_t bus_words_while_busy() const override { return bus_words_while_busy_; }

 private:
  // True if it was ready at a rising edge, which has then passed.
  template <class Ready>
  bool wait_for(const Ready& ready) {
    for (int i = 0; i < kLongestAnswer; ++i) {
      chip_.eval();
      const bool now = ready();
      tick();
      if (now) return true;
    }
    return false;
  }

  void tick() {
    chip_.clk_i = 0;
    chip_.eval();
    // What the wires say now happens at the edge that follows.
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
  Observer* observer_ = nullptr;
  bool busy_ = false;
  std::uint64_t bus_words_ = 0, bus_words_while_busy_ = 0;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) hamiltree::hardware::ChipSimulator*
HAMILTREE_CHIP_SIMULATOR() {
  return new VerilatedChip;
}
