// Operands for the float units, drawn from the classes in which such units go wrong.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <utility>

#include "hardware/compiler/float32.hpp"

namespace hamiltree::hardware {

class OperandClasses {
 public:
  static constexpr std::array<const char*, 9> kNames{"any bits", "close exponents", "cancellation",
                                                     "ties",     "powers of two",   "tiny",
                                                     "huge",     "special",         "of order one"};

  explicit OperandClasses(std::uint64_t seed) : random_(seed) {}

  std::pair<Word, Word> draw(std::size_t operand_class) {
    const Word a = word(), b = word();
    switch (operand_class) {
      case 1:
        return {a, with_exponent(b, exponent(a) + below(5) - 2)};
      case 2: {  // all but the last digits cancel
        const Word near = a + below(9) - 4;
        return {a, (near ^ kSignBit) + (below(2) << 23)};
      }
      case 3:
        return below(2) == 0 ? tie_of_a_sum(a) : tie_of_a_product(a, b);
      case 4:
        return {a & 0xff800000U, below(2) == 0 ? b & 0xff800000U : b};
      case 5:
        return {with_exponent(a, below(26)), with_exponent(b, below(2) == 0 ? below(26) : 127)};
      case 6:
        return {with_exponent(a, 254 - below(30)),
                with_exponent(b, below(2) == 0 ? 254 - below(30) : 127)};
      case 7:
        return {special(), below(2) == 0 ? special() : b};
      case 8:
        return {with_exponent(a, 120 + below(14)), with_exponent(b, 120 + below(14))};
      default:
        return {a, b};
    }
  }

 private:
  Word word() { return static_cast<Word>(random_()); }
  Word below(Word n) { return static_cast<Word>(random_() % n); }
  static Word exponent(Word x) { return (x >> 23) & 0xffU; }
  static Word with_exponent(Word x, Word e) { return (x & 0x807fffffU) | ((e & 0xffU) << 23); }

  // Half a unit of the last place of a, or three halves of it.
  std::pair<Word, Word> tie_of_a_sum(Word a) {
    const Word e = 26 + below(220);
    const Word half = with_exponent(word() & kSignBit, e - 24);
    return {with_exponent(a, e), below(2) == 0 ? half : half + (1U << 23) + (1U << 22)};
  }
  // Odd significands of 12 and 13 digits: the product has 25, the last of them one.
  std::pair<Word, Word> tie_of_a_product(Word a, Word b) {
    const Word x = (a & 0xfffff000U) | 0x1000U;
    const Word y = (b & 0xfffff800U) | 0x800U;
    return {with_exponent(x, 64 + below(120)), with_exponent(y, 64 + below(120))};
  }
  Word special() {
    static constexpr std::array<Word, 12> kSpecial{
        0x00000000U, 0x00000001U, 0x007fffffU, 0x00800000U, 0x00800001U, 0x3f800000U,
        0x3f7fffffU, 0x7f7fffffU, 0x7f800000U, 0x7f800001U, 0x7fc00000U, 0x7e800001U};
    return kSpecial[below(kSpecial.size())] | (word() & kSignBit);
  }

  std::mt19937_64 random_;
};

}  // namespace hamiltree::hardware
