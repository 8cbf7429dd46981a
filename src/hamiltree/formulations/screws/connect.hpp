// Connect: how the pins of a tree, in a list depth first, follow one another.
#pragma once

#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// `inboard`: of each pin, among them. `receives`: pins to which banks hand in. Sets is_leaf,
// continues, joins and branches, and returns how many branch.
template <class K>
int connect(const std::vector<int>& inboard, const std::vector<bool>& receives,
            std::vector<Pin<K>>& pins) {
  std::vector<int> children(pins.size(), 0);
  for (const int i : inboard) {
    if (i != kNobody) ++children[at(i)];
  }
  int branchings = 0;
  for (std::size_t i = 0; i < pins.size(); ++i) {
    auto& pin = pins[i];
    const bool banks = !receives.empty() && receives[i];
    pin.is_leaf = children[i] == 0 && !banks;
    pin.branches = children[i] > 1 || banks ? branchings++ : kNobody;
    pin.joins = inboard[i] == kNobody ? kHandsOver : pins[at(inboard[i])].branches;
    pin.continues = inboard[i] != kNobody && pin.joins == kNobody;
  }
  return branchings;
}

}  // namespace hamiltree::screws
