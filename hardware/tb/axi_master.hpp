// A master of AXI4-Lite for a Verilated module: one access at a time.
#pragma once

#include <cstdint>
#include <type_traits>

namespace hamiltree::hardware {

// Tick moves the clock by a cycle, the inputs as they are.
template <class Rtl, class Tick>
class AxiMaster {
 public:
  AxiMaster(Rtl& rtl, Tick tick) : rtl_(rtl), tick_(tick) { rtl_.axi_wstrb_i = 15; }

  // Both return the slave's response, 0 for OKAY, or -1 where there is none.
  int write(std::uint32_t address, std::uint32_t value) {
    rtl_.axi_awaddr_i = static_cast<Address>(address);
    rtl_.axi_wdata_i = value;
    rtl_.axi_awvalid_i = rtl_.axi_wvalid_i = 1;
    if (!wait_for([&] { return rtl_.axi_awready_o && rtl_.axi_wready_o; })) return -1;
    rtl_.axi_awvalid_i = rtl_.axi_wvalid_i = 0;
    rtl_.axi_bready_i = 1;
    int answer = -1;
    if (!wait_for([&] { return (answer = rtl_.axi_bresp_o, rtl_.axi_bvalid_o); })) return -1;
    rtl_.axi_bready_i = 0;
    return answer;
  }

  int read(std::uint32_t address, std::uint32_t* value) {
    rtl_.axi_araddr_i = static_cast<Address>(address);
    rtl_.axi_arvalid_i = 1;
    if (!wait_for([&] { return rtl_.axi_arready_o; })) return -1;
    rtl_.axi_arvalid_i = 0;
    rtl_.axi_rready_i = 1;
    int answer = -1;
    const auto take = [&] {
      *value = rtl_.axi_rdata_o;
      answer = rtl_.axi_rresp_o;
      return rtl_.axi_rvalid_o;
    };
    if (!wait_for(take)) return -1;
    rtl_.axi_rready_i = 0;
    return answer;
  }

 private:
  using Address = std::remove_reference_t<decltype(Rtl::axi_awaddr_i)>;
  static constexpr int kLongestAnswer = 100;  // cycles, far beyond what a slave here takes

  // True if it was ready at a rising edge, which has then passed.
  template <class Ready>
  bool wait_for(const Ready& ready) {
    for (int i = 0; i < kLongestAnswer; ++i) {
      rtl_.eval();
      const bool now = ready();
      tick_();
      if (now) return true;
    }
    return false;
  }

  Rtl& rtl_;
  Tick tick_;
};

}  // namespace hamiltree::hardware
