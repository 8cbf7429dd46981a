// Disjoint groups of numbered things, which grow together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "hamiltree/base/index.hpp"

namespace hamiltree {

class Groups {
 public:
  explicit Groups(std::size_t count) : leader_(count) {
    std::iota(leader_.begin(), leader_.end(), 0);
  }

  // The least of the group that i is in.
  int find(int i) {
    while (leader_[at(i)] != i) {
      leader_[at(i)] = leader_[at(leader_[at(i)])];
      i = leader_[at(i)];
    }
    return i;
  }

  // False if they are in one group already.
  bool unite(int a, int b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    leader_[at(std::max(a, b))] = std::min(a, b);
    return true;
  }

 private:
  std::vector<int> leader_;
};

}  // namespace hamiltree
