// A scalar with the chip's arithmetic: kernels on it are models of circuits that do the same
// operations in the same order. There is no division: x / y is x times the reciprocal of y.
#pragma once

#include "hamiltree/math/eigen_scalar.hpp"
#include "hardware/compiler/float32.hpp"

namespace hamiltree::hardware {

class ChipNumber {
 public:
  ChipNumber() = default;
  ChipNumber(double value) : word_(bits_of(static_cast<float>(value))) {}
  static ChipNumber from(Word word) {
    ChipNumber x;
    x.word_ = word;
    return x;
  }
  Word word() const { return word_; }

  friend ChipNumber operator+(ChipNumber x, ChipNumber y) { return from(add(x.word_, y.word_)); }
  friend ChipNumber operator-(ChipNumber x) { return from(x.word_ ^ kSignBit); }
  friend ChipNumber operator-(ChipNumber x, ChipNumber y) { return x + -y; }
  friend ChipNumber operator*(ChipNumber x, ChipNumber y) {
    return from(multiply(x.word_, y.word_));
  }
  friend ChipNumber operator/(ChipNumber x, ChipNumber y) { return x * from(reciprocal(y.word_)); }
  ChipNumber& operator+=(ChipNumber y) { return *this = *this + y; }
  ChipNumber& operator-=(ChipNumber y) { return *this = *this - y; }
  ChipNumber& operator*=(ChipNumber y) { return *this = *this * y; }
  ChipNumber& operator/=(ChipNumber y) { return *this = *this / y; }
  friend bool operator<(ChipNumber x, ChipNumber y) {
    return float_of(x.word_) < float_of(y.word_);
  }
  friend ChipNumber abs(ChipNumber x) { return from(x.word_ & ~kSignBit); }
  friend ChipNumber select(bool condition, ChipNumber x, ChipNumber y) { return condition ? x : y; }

 private:
  Word word_ = 0;
};

}  // namespace hamiltree::hardware

template <>
struct Eigen::NumTraits<hamiltree::hardware::ChipNumber>
    : hamiltree::EigenScalarTraits<hamiltree::hardware::ChipNumber> {};
