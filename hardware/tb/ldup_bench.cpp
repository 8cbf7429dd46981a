// Inverts random matrices on ldup_block, over its bus, and holds every entry against math/ldup.hpp
// on the chip's arithmetic.
//   ldup_bench MATRICES [SEED]      exit code 0: no difference, 1: differences, 2: usage
#include <Vldup_block.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <stdexcept>

#include "hamiltree/math/ldup.hpp"
#include "hardware/tb/axi_master.hpp"
#include "hardware/tb/chip_number.hpp"

namespace {

using namespace hamiltree::hardware;

constexpr int kSize = LDUP_SIZE;
constexpr int kIndexBits = kSize > 8 ? 4 : kSize > 4 ? 3 : kSize > 2 ? 2 : 1;
using Matrix = Eigen::Matrix<ChipNumber, kSize, kSize>;

struct Cost {
  std::uint64_t run = 0, all = 0;  // cycles: of the block, and with the words over the bus
};

class Bench {
 public:
  Bench() : master_(rtl_, [this] { tick(); }) {
    rtl_.rst_ni = 0;
    tick();
    rtl_.rst_ni = 1;
    tick();
  }

  // Throws where the bus answers with an error.
  Cost invert(Matrix& A) {
    const auto start = cycles_;
    for_each_entry([&](int i, int j) { write(entry(i, j), A(i, j).word()); });
    write(kControl, 1);
    std::uint32_t busy = 1;
    while (busy != 0) busy = read(kControl);
    for_each_entry([&](int i, int j) { A(i, j) = ChipNumber::from(read(entry(i, j))); });
    const auto all = cycles_ - start;
    return {read(kCycles), all};
  }

 private:
  static constexpr std::uint32_t kControl = 4, kCycles = 8;
  static constexpr int kWindowBits = std::max(4, 2 * kIndexBits + 2);
  static std::uint32_t entry(int i, int j) {
    return static_cast<std::uint32_t>(1 << kWindowBits | (i << kIndexBits | j) << 2);
  }
  template <class F>
  static void for_each_entry(const F& f) {
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) f(i, j);
    }
  }
  void write(std::uint32_t address, std::uint32_t value) {
    if (master_.write(address, value) != 0) throw std::runtime_error("bus error");
  }
  std::uint32_t read(std::uint32_t address) {
    std::uint32_t value = 0;
    if (master_.read(address, &value) != 0) throw std::runtime_error("bus error");
    return value;
  }
  void tick() {
    ++cycles_;
    rtl_.clk_i = 0;
    rtl_.eval();
    rtl_.clk_i = 1;
    rtl_.eval();
  }
  Vldup_block rtl_;
  AxiMaster<Vldup_block, std::function<void()>> master_;
  std::uint64_t cycles_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t matrices = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2023;
  if (matrices == 0 || argc > 3) {
    std::fprintf(stderr, "usage: ldup_bench MATRICES [SEED]\n");
    return 2;
  }
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Bench bench;
  std::uint64_t differences = 0;
  Cost fewest{~0ULL, ~0ULL}, most;
  for (std::uint64_t m = 0; m < matrices; ++m) {
    Matrix A;
    for (auto& x : A.reshaped()) x = ChipNumber(uniform(random));
    if (m % 3 == 0) {  // symmetric, as the matrix of a loop is
      for (int i = 0; i < kSize; ++i) {
        for (int j = 0; j < i; ++j) A(i, j) = A(j, i);
      }
    }
    const Matrix expected = hamiltree::ldup_inverse<ChipNumber, kSize>(A);
    const auto cost = bench.invert(A);
    fewest = {std::min(fewest.run, cost.run), std::min(fewest.all, cost.all)};
    most = {std::max(most.run, cost.run), std::max(most.all, cost.all)};
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) {
        if (A(i, j).word() == expected(i, j).word()) continue;
        if (differences++ == 0) {
          std::printf("matrix %" PRIu64 ": entry (%d, %d) is %08x, not %08x\n", m, i, j,
                      A(i, j).word(), expected(i, j).word());
        }
      }
    }
  }
  std::printf("%" PRIu64 " matrices %dx%d, seed %" PRIu64 ": %" PRIu64 " to %" PRIu64
              " cycles, %" PRIu64 " to %" PRIu64 " with the bus, %" PRIu64 " differences\n",
              matrices, kSize, kSize, seed, fewest.run, most.run, fewest.all, most.all,
              differences);
  return differences == 0 ? 0 : 1;
}
