#include "hamiltree/formulations/kernel/virtual_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/kernel/joint_size.hpp"

namespace hamiltree::kernel {

// Bodies come after their inboard neighbours.
VirtualTree::VirtualTree(const Tables& tables, const Opening& opening, bool only_if_all_close)
    : tables_(tables), behind_(tables.bodies.size()) {
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    const int inboard = tables.bodies[b].inboard;
    up_.push_back(inboard);
    base_.push_back(inboard == kNothing ? static_cast<int>(b) : base_[at(inboard)]);
    depth_.push_back(inboard == kNothing ? 0 : depth_[at(inboard)] + 1);
    if (inboard != kNothing) behind_[at(inboard)].push_back(static_cast<int>(b));
  }
  attach_trees(opening, only_if_all_close);
  order();
}

// Trees attached to one another.
int VirtualTree::root(int body) const {
  while (up(base(body)) != kNothing) body = up(base(body));
  return base(body);
}

int VirtualTree::meet(int a, int b) const {
  if (a == kNothing || b == kNothing) return kNothing;
  const auto above = [&](int tree) {  // how many trees lie between one and the ground
    int count = 0;
    for (; up(tree) != kNothing; tree = base(up(tree))) ++count;
    return count;
  };
  while (base(a) != base(b)) {
    auto& further = above(base(a)) >= above(base(b)) ? a : b;
    further = up(base(further));
    if (further == kNothing) return kNothing;
  }
  while (a != b) {
    auto& further = depth_[at(a)] >= depth_[at(b)] ? a : b;
    further = up(further);
  }
  return a;
}

bool VirtualTree::is_over_ground(const Cut& cut) const {
  return base(cut.body[0]) != base(cut.body[1]);
}

std::vector<int> VirtualTree::bodies_behind(int body, const std::vector<bool>& left_out) const {
  std::vector<int> found{body};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const int b : behind(found[i]))
      if (!left_out[at(b)]) found.push_back(b);
  }
  found.erase(found.begin());
  return found;
}

std::vector<int> VirtualTree::velocities_of(const std::vector<int>& bodies) const {
  std::vector<int> velocities;
  for (const int b : bodies) {
    const auto& joint = tables_.bodies[at(b)];
    for (int i = 0; i < velocity_count(joint.kind); ++i) velocities.push_back(joint.v + i);
  }
  return velocities;
}

VirtualTree::CutsOfTrees VirtualTree::cuts_over_ground() const {
  CutsOfTrees cuts(up_.size());
  for (const auto& cut : tables_.cuts) {
    if (!is_over_ground(cut)) continue;
    for (const int body : cut.body)
      if (body != kNothing) cuts[at(base(body))].push_back(&cut);
  }
  return cuts;
}

// Leaves of the graph of trees first; of two that have only each other, the smaller one.
void VirtualTree::attach_trees(const Opening& opening, bool only_if_all_close) {
  auto cuts = cuts_over_ground();
  std::vector<int> size(up_.size(), 0), trees;
  for (const int b : base_) ++size[at(b)];
  for (std::size_t b = 0; b < up_.size(); ++b)
    if (!cuts[b].empty()) trees.push_back(static_cast<int>(b));
  std::stable_sort(trees.begin(), trees.end(),
                   [&](int a, int b) { return size[at(a)] < size[at(b)]; });
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<int> left;
    for (const int tree : trees) {
      if (attach(tree, opening, only_if_all_close, cuts)) {
        changed = true;
      } else {
        left.push_back(tree);
      }
    }
    trees = std::move(left);
  }
}

bool VirtualTree::attach(int tree, const Opening& opening, bool only_if_all_close,
                         CutsOfTrees& cuts) {
  int hub = kNothing;
  std::vector<int> rows;
  auto& own = cuts[at(tree)];
  const auto is_here = [&](int end) { return end != kNothing && root(end) == tree; };
  std::erase_if(own, [&](const Cut* cut) {
    return cut->rows.empty() || is_here(cut->body[0]) == is_here(cut->body[1]);
  });
  for (const auto* cut : own) {
    const int other = is_here(cut->body[0]) ? cut->body[1] : cut->body[0];
    if (other == kNothing) return false;
    hub = hub == kNothing ? other : meet(hub, other);
    if (hub == kNothing) return false;
    for (const auto& row : cut->rows) rows.push_back(row.row);
  }
  if (hub == kNothing || rows.size() > at(kMostLanes)) return false;
  up_[at(tree)] = hub;
  behind_[at(hub)].push_back(tree);
  // The moving parts while the hub stands: the tree, and what is between the hub and the ends of
  // the rows.
  const auto moving = velocities_of(bodies_behind(hub, std::vector<bool>(up_.size(), false)));
  const auto closing = independent_rows(opening, moving, {}, rows).size();
  const bool is_attached = closing == rows.size() || (!only_if_all_close && closing > 0);
  if (is_attached) {
    auto& of_hub = cuts[at(root(hub))];
    of_hub.insert(of_hub.end(), own.begin(), own.end());
    return has_attached_trees_ = true;
  }
  up_[at(tree)] = kNothing;
  behind_[at(hub)].pop_back();
  return false;
}

void VirtualTree::order() {
  std::vector<int> level(up_.size(), 0), height(up_.size(), 0), found;
  for (std::size_t b = 0; b < up_.size(); ++b)
    if (up_[b] == kNothing) found.push_back(static_cast<int>(b));
  for (std::size_t i = 0; i < found.size(); ++i) {  // outwards, level by level
    for (const int b : behind(found[i])) {
      level[at(b)] = level[at(found[i])] + 1;
      found.push_back(b);
    }
  }
  for (auto b = found.rbegin(); b != found.rend(); ++b)
    if (up(*b) != kNothing) height[at(up(*b))] = std::max(height[at(up(*b))], height[at(*b)] + 1);
  outward_.resize(up_.size());
  std::iota(outward_.begin(), outward_.end(), 0);
  inward_.assign(outward_.rbegin(), outward_.rend());
  std::stable_sort(outward_.begin(), outward_.end(),
                   [&](int a, int b) { return level[at(a)] < level[at(b)]; });
  std::stable_sort(inward_.begin(), inward_.end(),
                   [&](int a, int b) { return height[at(a)] < height[at(b)]; });
}

}  // namespace hamiltree::kernel
