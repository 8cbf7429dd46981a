#include "hamiltree/plan/plan.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

class BalancedPlanner {
 public:
  BalancedPlanner(int body_count, const std::vector<PlanJoint>& joints)
      : body_count_(body_count), joints_(joints), owner_(at(body_count)) {
    plan_.strategy = "balanced";
    plan_.body_count = body_count;
    plan_.compounds.reserve(at(2 * body_count));
  }

  Plan make() {
    make_leaves();
    contract_trees();
    contract_cuts();
    for (const auto& compound : plan_.compounds)
      plan_.depth = std::max(plan_.depth, compound.depth);
    return std::move(plan_);
  }

 private:
  Compound& compound(int i) { return plan_.compounds[at(i)]; }
  const PlanJoint& joint(int j) const { return joints_[at(j)]; }
  bool is_tree_joint(int j) const { return j < body_count_; }
  int other_side(int j, int inside) const {  // compound at the other end of a kept joint
    const int parent = joint(j).parent == kNone ? kNone : owner_[at(joint(j).parent)];
    const int child = owner_[at(joint(j).child)];
    return parent == inside ? child : parent;
  }

  // A leaf eliminates its joints to the ground at once.
  void make_leaves() {
    plan_.compounds.resize(at(body_count_));
    for (int b = 0; b < body_count_; ++b) {
      compound(b).body = b;
      compound(b).root = b;
      owner_[at(b)] = b;
    }
    for (int j = 0; j < static_cast<int>(joints_.size()); ++j) {
      const auto& [parent, child, rows] = joint(j);
      compound(child).joints.push_back(j);
      if (parent != kNone) compound(parent).joints.push_back(j);
      if (parent == kNone) {
        if (rows > 0) compound(child).eliminated.push_back(j);
        continue;
      }
      compound(parent).kept.push_back(j);
      compound(child).kept.push_back(j);
      if (is_tree_joint(j)) compound(parent).outboard.push_back(j);
    }
    for (int b = 0; b < body_count_; ++b) {
      compound(b).grounded = !compound(b).eliminated.empty();
      compound(b).closes_loop = compound(b).eliminated.size() > 1;
    }
  }

  void contract_trees() {
    std::vector<int> live(at(body_count_));
    for (int b = 0; b < body_count_; ++b) live[at(b)] = b;
    bool progress = true;
    while (progress) {
      progress = false;
      std::vector<int> next;
      std::vector<bool> used(plan_.compounds.size(), false);
      // From the tips inwards, so that a chain pairs up without gaps.
      for (auto c = live.rbegin(); c != live.rend(); ++c) {
        if (used[at(*c)]) continue;
        const int tree_joint = compound(*c).root;  // joint b carries body b
        const int parent = joint(tree_joint).parent;
        const int partner = parent == kNone ? kNone : owner_[at(parent)];
        if (partner == kNone || at(partner) >= used.size() || used[at(partner)]) {
          next.push_back(*c);
          continue;
        }
        used[at(partner)] = used[at(*c)] = true;
        next.push_back(join(partner, *c, tree_joint));
        progress = true;
      }
      // Partners appear in `live` after the compounds that took them: drop those.
      std::erase_if(next, [&](int c) { return at(c) < used.size() && used[at(c)]; });
      std::sort(next.begin(), next.end(),
                [&](int a, int b) { return compound(a).root < compound(b).root; });
      live = std::move(next);
    }
    live_ = std::move(live);
  }

  void contract_cuts() {
    bool progress = true;
    while (progress) {
      progress = false;
      std::vector<int> next;
      std::vector<bool> used(plan_.compounds.size(), false);
      for (const int c : live_) {
        if (used[at(c)]) continue;
        int best = kNone;
        std::size_t best_shared = 0;
        for (const int j : compound(c).kept) {
          const int other = other_side(j, c);
          if (other == c || at(other) >= used.size() || used[at(other)]) continue;
          const auto shared = static_cast<std::size_t>(
              std::count_if(compound(c).kept.begin(), compound(c).kept.end(),
                            [&](int k) { return other_side(k, c) == other; }));
          if (shared > best_shared || (shared == best_shared && other < best)) {
            best = other;
            best_shared = shared;
          }
        }
        used[at(c)] = true;
        if (best == kNone) {
          next.push_back(c);
          continue;
        }
        used[at(best)] = true;
        next.push_back(join(c, best, kNone));
        progress = true;
      }
      live_ = std::move(next);
    }
  }

  int join(int left, int right, int tree_joint) {
    const int index = static_cast<int>(plan_.compounds.size());
    Compound c;
    c.left = left;
    c.right = right;
    c.tree_joint = tree_joint;
    c.root = compound(left).root;
    c.depth = 1 + std::max(compound(left).depth, compound(right).depth);
    if (tree_joint != kNone) c.eliminated.push_back(tree_joint);
    for (const int j : compound(left).kept) {
      if (!contains(compound(right).kept, j)) {
        c.kept.push_back(j);
      } else if (j != tree_joint) {
        c.eliminated.push_back(j);
      }
    }
    for (const int j : compound(right).kept) {
      if (!contains(compound(left).kept, j)) c.kept.push_back(j);
    }
    for (const int side : {left, right}) {
      for (const int j : compound(side).outboard) {
        if (j != tree_joint) c.outboard.push_back(j);
      }
    }
    std::erase_if(c.eliminated, [&](int j) { return joint(j).constraints == 0; });
    const bool both = compound(left).grounded && compound(right).grounded;
    c.grounded = compound(left).grounded || compound(right).grounded;
    c.closes_loop = c.eliminated.size() + (both ? 1U : 0U) > 1U;
    for (const int side : {left, right}) absorb(side, index);
    plan_.compounds.push_back(std::move(c));
    return index;
  }

  // Bodies of a compound now belong to the join above it.
  void absorb(int from, int to) {
    std::vector<int> stack{from};
    while (!stack.empty()) {
      const int c = stack.back();
      stack.pop_back();
      if (compound(c).body != kNone) {
        owner_[at(compound(c).body)] = to;
      } else {
        stack.push_back(compound(c).left);
        stack.push_back(compound(c).right);
      }
    }
  }

  int body_count_;
  const std::vector<PlanJoint>& joints_;
  std::vector<int> owner_;  // compound that a body belongs to now
  std::vector<int> live_;
  Plan plan_;
};

}  // namespace

Plan make_balanced_plan(int body_count, const std::vector<PlanJoint>& joints) {
  return BalancedPlanner(body_count, joints).make();
}

std::string Plan::to_text() const {
  const auto counted = [](std::ptrdiff_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
  };
  const auto joins = static_cast<std::ptrdiff_t>(compounds.size()) - body_count;
  const auto closing = std::count_if(compounds.begin(), compounds.end(),
                                     [](const Compound& c) { return c.closes_loop; });
  std::string text = strategy + ", " + counted(body_count, "leaf", "leaves") + ", " +
                     counted(joins, "join", "joins") + ", depth " + std::to_string(depth);
  if (closing > 0) text += ", " + std::to_string(closing) + " closing loops";
  return text;
}

}  // namespace hamiltree
