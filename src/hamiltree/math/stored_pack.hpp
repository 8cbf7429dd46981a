// StoredPack: what a Pack holds, aligned as doubles are, so that Eigen takes matrices of it.
#pragma once

#include "hamiltree/math/pack.hpp"

namespace hamiltree {

class StoredPack {
 public:
  StoredPack() : StoredPack(Pack(0.0)) {}
  StoredPack(double value) : StoredPack(Pack(value)) {}
  StoredPack(const Pack& pack) { pack.store(lane_); }

  Pack pack() const { return Pack::load(lane_); }
  double operator[](int lane) const { return lane_[lane]; }

  friend StoredPack operator-(const StoredPack& a) { return -a.pack(); }
  friend StoredPack operator+(const StoredPack& a, const StoredPack& b) {
    return a.pack() + b.pack();
  }
  friend StoredPack operator-(const StoredPack& a, const StoredPack& b) {
    return a.pack() - b.pack();
  }
  friend StoredPack operator*(const StoredPack& a, double b) { return a.pack() * b; }
  friend StoredPack operator*(double a, const StoredPack& b) { return a * b.pack(); }
  friend StoredPack operator/(const StoredPack& a, double b) { return a.pack() / b; }

 private:
  double lane_[kLanes];
};

}  // namespace hamiltree
