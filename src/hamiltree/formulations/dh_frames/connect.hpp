// Connect: how the revolutes of a tree, in a list depth first, follow one another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"

namespace hamiltree::dh_frames {

// `inboard`: of each revolute, among them. `receives`: revolutes to which lane groups hand in. Sets
// is_leaf, continues, joins, opens and branches, and returns how many places of sums there are:
// those of revolutes that branch inside one another are apart, and those that receive are apart
// from all.
template <class K>
int connect(const std::vector<int>& inboard, const std::vector<bool>& receives,
            std::vector<Revolute<K>>& revolutes) {
  const auto is_receiving = [&](std::size_t i) { return !receives.empty() && receives[i]; };
  std::vector<int> children(revolutes.size(), 0), depth(revolutes.size(), 0);
  int deepest = 0;
  for (std::size_t i = 0; i < revolutes.size(); ++i) {
    if (inboard[i] != kNobody) ++children[at(inboard[i])];
  }
  for (std::size_t i = 0; i < revolutes.size(); ++i) {
    if (inboard[i] != kNobody) {
      const auto before = at(inboard[i]);
      depth[i] = depth[before] + (children[before] > 1 && !is_receiving(before) ? 1 : 0);
    }
    deepest = std::max(deepest, depth[i] + 1);
  }
  int places = deepest;
  std::vector<bool> is_open(revolutes.size(), false);
  for (std::size_t i = 0; i < revolutes.size(); ++i) {
    auto& revolute = revolutes[i];
    revolute.is_leaf = children[i] == 0 && !is_receiving(i);
    revolute.branches = is_receiving(i) ? places++ : children[i] > 1 ? depth[i] : kNobody;
    revolute.joins = inboard[i] == kNobody ? kHandsOver : revolutes[at(inboard[i])].branches;
    revolute.continues = inboard[i] != kNobody && revolute.joins == kNobody;
  }
  for (std::size_t i = revolutes.size(); i-- > 0;) {
    if (inboard[i] == kNobody) continue;
    const auto before = at(inboard[i]);
    revolutes[i].opens = !is_open[before] && !is_receiving(before);
    is_open[before] = true;
  }
  return places;
}

}  // namespace hamiltree::dh_frames
