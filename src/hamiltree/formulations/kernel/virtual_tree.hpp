// The spanning tree with trees on the ground attached to bodies of others, and the orders in which
// its bodies are eliminated.
#pragma once

#include <vector>

#include "hamiltree/formulations/kernel/independent_rows.hpp"
#include "hamiltree/formulations/kernel/tables.hpp"

namespace hamiltree::kernel {

class VirtualTree {
 public:
  // A tree is attached where all of its rows to other trees end in one of them; if
  // `only_if_all_close`, only where all of these rows can close as if its body stood still.
  VirtualTree(const Tables& tables, const Opening& opening, bool only_if_all_close);

  // The body inboard of each, or the one that its tree is attached to; kNothing: the ground.
  int up(int body) const { return up_[at(body)]; }
  // The body nearest to the ground that has both bodies of a cut behind it; kNothing: the ground.
  int meeting_body(const Cut& cut) const { return meet(cut.body[0], cut.body[1]); }
  // Whether the bodies of a cut, or one of them and the ground, have nothing in the spanning tree
  // in common.
  bool is_over_ground(const Cut& cut) const;
  bool has_attached_trees() const { return has_attached_trees_; }
  // All bodies behind one, but for those `left_out` and what is behind these.
  std::vector<int> bodies_behind(int body, const std::vector<bool>& left_out) const;
  // Those of the joints of some bodies.
  std::vector<int> velocities_of(const std::vector<int>& bodies) const;

  // The bodies that have a body as their up().
  const std::vector<int>& behind(int body) const { return behind_[at(body)]; }

  // By level, so that neighbours in the order rarely wait for each other.
  const std::vector<int>& inward() const { return inward_; }
  const std::vector<int>& outward() const { return outward_; }

 private:
  int base(int body) const { return body == kNothing ? kNothing : base_[at(body)]; }
  int root(int body) const;
  int meet(int a, int b) const;
  using CutsOfTrees = std::vector<std::vector<const Cut*>>;  // by the trees' first bodies
  CutsOfTrees cuts_over_ground() const;
  void attach_trees(const Opening& opening, bool only_if_all_close);
  bool attach(int tree, const Opening& opening, bool only_if_all_close, CutsOfTrees& cuts);
  void order();

  const Tables& tables_;
  std::vector<int> up_, base_, depth_, inward_, outward_;  // base: of each body's own tree
  std::vector<std::vector<int>> behind_;
  bool has_attached_trees_ = false;
};

}  // namespace hamiltree::kernel
