// Drives the float units with classed operands, one pair in each clock cycle, and holds every
// result against float32.hpp.
//   unit_bench VECTORS [SEED]      exit code 0: no difference, 1: differences, 2: usage
//   unit_bench --vectors N         prints N vectors and their results, for replay_units.sv
#include <array>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string_view>

#include "Vfloat_units.h"
#include "hardware/tb/operand_classes.hpp"

namespace {

using hamiltree::hardware::OperandClasses;
using hamiltree::hardware::Word;

constexpr std::uint64_t kSeed = 2023;
constexpr std::size_t kClasses = OperandClasses::kNames.size();

// A unit beside its model: what went in waits here until it comes out.
struct Unit {
  const char* name;
  std::size_t latency;
  Word (*model)(Word, Word);
  struct Expected {
    Word a, b, result;
    std::size_t operand_class;
  };
  std::deque<Expected> inside{};
  std::array<std::uint64_t, kClasses> differences{};
  std::uint64_t all_differences = 0;

  void start(Word a, Word b, std::size_t operand_class) {
    inside.push_back({a, b, model(a, b), operand_class});
  }
  void finish(Word result) {
    if (inside.size() < latency) return;
    const auto expected = inside.front();
    inside.pop_front();
    if (result == expected.result) return;
    if (all_differences++ == 0) {
      std::printf("%s(%08x, %08x) is %08x, not %08x (%s)\n", name, expected.a, expected.b,
                  expected.result, result, OperandClasses::kNames[expected.operand_class]);
    }
    ++differences[expected.operand_class];
  }
};

void print_vectors(std::uint64_t vectors) {
  namespace hw = hamiltree::hardware;
  OperandClasses operands(kSeed);
  for (std::uint64_t i = 0; i < vectors; ++i) {
    const auto [a, b] = operands.draw(i % kClasses);
    std::printf("%08x%08x%08x%08x%08x\n", a, b, hw::add(a, b), hw::multiply(a, b),
                hw::reciprocal(a));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--vectors") {
    print_vectors(std::strtoull(argv[2], nullptr, 10));
    return 0;
  }
  const std::uint64_t vectors = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : kSeed;
  if (vectors == 0 || argc > 3) {
    std::fprintf(stderr, "usage: unit_bench VECTORS [SEED]\n");
    return 2;
  }
  namespace hw = hamiltree::hardware;
  constexpr std::size_t kReciprocalLatency = 24 / BITS_PER_STAGE + 2;
  std::array<Unit, 3> units{
      Unit{"add", ADD_LATENCY, hw::add}, Unit{"multiply", MULTIPLY_LATENCY, hw::multiply},
      Unit{"reciprocal", kReciprocalLatency, [](Word a, Word) { return hw::reciprocal(a); }}};
  OperandClasses operands(seed);
  Vfloat_units rtl;
  for (std::uint64_t i = 0; i < vectors + 16; ++i) {
    const std::size_t operand_class = i % kClasses;
    const auto [a, b] = operands.draw(operand_class);
    rtl.a_i = a;
    rtl.b_i = b;
    for (auto& unit : units) unit.start(a, b, operand_class);
    rtl.clk_i = 0;
    rtl.eval();
    rtl.clk_i = 1;
    rtl.eval();
    units[0].finish(rtl.sum_o);
    units[1].finish(rtl.product_o);
    units[2].finish(rtl.reciprocal_o);
  }
  std::uint64_t all = 0;
  std::printf("%" PRIu64 " vectors per unit, seed %" PRIu64 "\n", vectors, seed);
  for (const auto& unit : units) {
    std::printf("%-10s %" PRIu64 " differences\n", unit.name, unit.all_differences);
    for (std::size_t c = 0; c < kClasses && unit.all_differences > 0; ++c) {
      std::printf("  %-16s %" PRIu64 "\n", OperandClasses::kNames[c], unit.differences[c]);
    }
    all += unit.all_differences;
  }
  return all == 0 ? 0 : 1;
}
