// Numbers and vectors whose operations are counted, lane by lane, spare lanes like all others: for
// tests, which compile the kernel with them as one more set of instructions (HAMILTREE_COUNTING).
#pragma once

#include <type_traits>

#include "hamiltree/math/operation_count.hpp"

namespace hamiltree::kernel {

OperationCount& counted_operations();  // of the tests

template <class T>
concept PlainNumber = std::is_arithmetic_v<T>;

class CountedReal {
 public:
  CountedReal() = default;
  constexpr CountedReal(double value) : value_(value) {}
  operator double() const { return value_; }

  friend CountedReal operator-(CountedReal a) { return -a.value_; }
  friend CountedReal operator+(CountedReal a, CountedReal b) {
    ++counted_operations().additions;
    return a.value_ + b.value_;
  }
  friend CountedReal operator-(CountedReal a, CountedReal b) {
    ++counted_operations().additions;
    return a.value_ - b.value_;
  }
  friend CountedReal operator*(CountedReal a, CountedReal b) {
    ++counted_operations().multiplications;
    return a.value_ * b.value_;
  }
  friend CountedReal operator/(CountedReal a, CountedReal b) {
    ++counted_operations().divisions;
    return a.value_ / b.value_;
  }
  friend CountedReal operator+(CountedReal a, PlainNumber auto b) { return a + CountedReal(b); }
  friend CountedReal operator-(CountedReal a, PlainNumber auto b) { return a - CountedReal(b); }
  friend CountedReal operator*(CountedReal a, PlainNumber auto b) { return a * CountedReal(b); }
  friend CountedReal operator+(PlainNumber auto a, CountedReal b) { return CountedReal(a) + b; }
  friend CountedReal operator-(PlainNumber auto a, CountedReal b) { return CountedReal(a) - b; }
  friend CountedReal operator*(PlainNumber auto a, CountedReal b) { return CountedReal(a) * b; }
  friend CountedReal operator/(PlainNumber auto a, CountedReal b) { return CountedReal(a) / b; }
  CountedReal& operator+=(CountedReal b) { return *this = *this + b; }
  CountedReal& operator-=(CountedReal b) { return *this = *this - b; }

 private:
  double value_ = 0.0;
};

struct CountedFour {
  double lane[4];

  CountedReal operator[](int i) const { return lane[i]; }
  friend CountedFour operator+(const CountedFour& a, const CountedFour& b) {
    counted_operations().additions += 4;
    CountedFour sum;
    for (int i = 0; i < 4; ++i) sum.lane[i] = a.lane[i] + b.lane[i];
    return sum;
  }
  friend CountedFour operator-(const CountedFour& a, const CountedFour& b) { return a + -b; }
  friend CountedFour operator*(const CountedFour& a, const CountedFour& b) {
    counted_operations().multiplications += 4;
    CountedFour product;
    for (int i = 0; i < 4; ++i) product.lane[i] = a.lane[i] * b.lane[i];
    return product;
  }
  friend CountedFour operator*(const CountedFour& a, double b) {
    return a * CountedFour{b, b, b, b};
  }
  friend CountedFour operator-(const CountedFour& a) {
    return {-a.lane[0], -a.lane[1], -a.lane[2], -a.lane[3]};
  }
  CountedFour& operator+=(const CountedFour& b) { return *this = *this + b; }
  CountedFour& operator-=(const CountedFour& b) { return *this = *this - b; }
};

template <int i, int j, int k, int l>
inline CountedFour shuffled(const CountedFour& a, const CountedFour& b) {
  const auto lane = [&](int m) { return m < 4 ? a.lane[m] : b.lane[m - 4]; };
  return {lane(i), lane(j), lane(k), lane(l)};
}
inline CountedFour load(const double* from) { return {from[0], from[1], from[2], from[3]}; }
inline void store(const CountedFour& a, double* to) {
  for (int i = 0; i < 4; ++i) to[i] = a.lane[i];
}

}  // namespace hamiltree::kernel
