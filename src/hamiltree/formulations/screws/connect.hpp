// Connect: how the pins of a tree, in a list depth first, follow one another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/tree.hpp"

namespace hamiltree::screws {

// `inboard`: of each pin, among them. `receives`: pins to which banks hand in. Sets is_leaf,
// continues, joins, opens and branches, and returns how many places of sums there are: those of
// pins that branch inside one another are apart, and those that receive are apart from all.
template <class K>
int connect(const std::vector<int>& inboard, const std::vector<bool>& receives,
            std::vector<Pin<K>>& pins) {
  const auto is_receiving = [&](std::size_t i) { return !receives.empty() && receives[i]; };
  std::vector<int> children(pins.size(), 0), depth(pins.size(), 0);
  int deepest = 0;
  for (std::size_t i = 0; i < pins.size(); ++i) {
    if (inboard[i] != kNobody) ++children[at(inboard[i])];
  }
  for (std::size_t i = 0; i < pins.size(); ++i) {
    if (inboard[i] != kNobody) {
      const auto before = at(inboard[i]);
      depth[i] = depth[before] + (children[before] > 1 && !is_receiving(before) ? 1 : 0);
    }
    deepest = std::max(deepest, depth[i] + 1);
  }
  int places = deepest;
  std::vector<bool> is_open(pins.size(), false);
  for (std::size_t i = 0; i < pins.size(); ++i) {
    auto& pin = pins[i];
    pin.is_leaf = children[i] == 0 && !is_receiving(i);
    pin.branches = is_receiving(i) ? places++ : children[i] > 1 ? depth[i] : kNobody;
    pin.joins = inboard[i] == kNobody ? kHandsOver : pins[at(inboard[i])].branches;
    pin.continues = inboard[i] != kNobody && pin.joins == kNobody;
  }
  for (std::size_t i = pins.size(); i-- > 0;) {
    if (inboard[i] == kNobody) continue;
    const auto before = at(inboard[i]);
    pins[i].opens = !is_open[before] && !is_receiving(before);
    is_open[before] = true;
  }
  return places;
}

}  // namespace hamiltree::screws
