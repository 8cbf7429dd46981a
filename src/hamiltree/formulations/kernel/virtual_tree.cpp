#include "hamiltree/formulations/kernel/virtual_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/kernel/independent_rows.hpp"
#include "hamiltree/formulations/kernel/joint_size.hpp"

namespace hamiltree::kernel {

VirtualTree::VirtualTree(const Tables& tables, const Eigen::MatrixXd& opening,
                         bool only_if_all_close)
    : tables_(tables) {
  for (const auto& body : tables.bodies) up_.push_back(body.inboard);
  attach_trees(opening, only_if_all_close);
  order();
}

int VirtualTree::root(int body) const {
  while (up(body) != kNothing) body = up(body);
  return body;
}

int VirtualTree::depth(int body) const {
  int depth = 0;
  for (; up(body) != kNothing; body = up(body)) ++depth;
  return depth;
}

int VirtualTree::meet(int a, int b) const {
  if (a == kNothing || b == kNothing) return kNothing;
  while (a != b) {
    auto& further = depth(a) >= depth(b) ? a : b;
    further = up(further);
    if (further == kNothing) return kNothing;
  }
  return a;
}

bool VirtualTree::is_over_ground(const Cut& cut) const {
  const auto base = [&](int body) {
    while (body != kNothing && tables_.bodies[at(body)].inboard != kNothing)
      body = tables_.bodies[at(body)].inboard;
    return body;
  };
  return base(cut.body[0]) != base(cut.body[1]);
}

bool VirtualTree::is_behind(int body, int other) const {
  for (; body != kNothing; body = up(body))
    if (body == other) return true;
  return false;
}

std::vector<int> VirtualTree::velocities_behind(int body) const {
  std::vector<int> velocities;
  for (std::size_t b = 0; b < tables_.bodies.size(); ++b) {
    if (static_cast<int>(b) == body || !is_behind(static_cast<int>(b), body)) continue;
    const auto& joint = tables_.bodies[b];
    for (int i = 0; i < velocity_count(joint.kind); ++i) velocities.push_back(joint.v + i);
  }
  return velocities;
}

// Leaves of the graph of trees first; of two that have only each other, the smaller one.
void VirtualTree::attach_trees(const Eigen::MatrixXd& opening, bool only_if_all_close) {
  std::vector<int> trees;
  for (std::size_t b = 0; b < up_.size(); ++b)
    if (up_[b] == kNothing) trees.push_back(static_cast<int>(b));
  const auto size = [&](int tree) {
    return std::count_if(up_.begin(), up_.end(), [&](const int& u) {
      return root(static_cast<int>(&u - up_.data())) == tree;
    });
  };
  for (bool changed = true; changed;) {
    changed = false;
    std::stable_sort(trees.begin(), trees.end(), [&](int a, int b) { return size(a) < size(b); });
    for (auto tree = trees.begin(); tree != trees.end() && !changed; ++tree) {
      changed = attach(*tree, opening, only_if_all_close);
      if (changed) {
        trees.erase(tree);
        break;
      }
    }
  }
}

bool VirtualTree::attach(int tree, const Eigen::MatrixXd& opening, bool only_if_all_close) {
  int hub = kNothing;
  std::vector<int> rows;
  for (const auto& cut : tables_.cuts) {
    int ends[2] = {cut.body[0], cut.body[1]};
    const auto is_here = [&](int end) { return end != kNothing && root(end) == tree; };
    if (cut.rows.empty() || is_here(ends[0]) == is_here(ends[1])) continue;
    const int other = is_here(ends[0]) ? ends[1] : ends[0];
    if (other == kNothing) return false;
    hub = hub == kNothing ? other : meet(hub, other);
    if (hub == kNothing) return false;
    for (const auto& row : cut.rows) rows.push_back(row.row);
  }
  if (hub == kNothing) return false;
  up_[at(tree)] = hub;
  // What moves while the hub stands: the tree, and what is between the hub and the ends of the
  // rows.
  auto velocities = velocities_behind(tree);
  const auto& joint = tables_.bodies[at(tree)];
  for (int i = 0; i < velocity_count(joint.kind); ++i) velocities.push_back(joint.v + i);
  for (const int v : velocities_behind(hub))
    if (std::find(velocities.begin(), velocities.end(), v) == velocities.end())
      velocities.push_back(v);
  const auto closing = independent_rows(opening, velocities, {}, rows).size();
  const bool is_attached = closing == rows.size() || (!only_if_all_close && closing > 0);
  if (!is_attached) up_[at(tree)] = kNothing;
  return is_attached;
}

void VirtualTree::order() {
  const auto count = up_.size();
  std::vector<int> height(count, 0), depths(count, 0);
  for (std::size_t b = 0; b < count; ++b) {
    depths[b] = depth(static_cast<int>(b));
    int above = 0;
    for (int u = static_cast<int>(b); u != kNothing; u = up(u), ++above)
      height[at(u)] = std::max(height[at(u)], above);
  }
  outward_.resize(count);
  std::iota(outward_.begin(), outward_.end(), 0);
  inward_.assign(outward_.rbegin(), outward_.rend());
  std::stable_sort(outward_.begin(), outward_.end(),
                   [&](int a, int b) { return depths[at(a)] < depths[at(b)]; });
  std::stable_sort(inward_.begin(), inward_.end(),
                   [&](int a, int b) { return height[at(a)] < height[at(b)]; });
}

}  // namespace hamiltree::kernel
