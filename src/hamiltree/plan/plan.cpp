#include "hamiltree/plan/plan.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

class BalancedPlanner {
 public:
  BalancedPlanner(const std::vector<int>& inboard, int joint_count,
                  const std::vector<PlanLink>& links)
      : body_count_(static_cast<int>(inboard.size())),
        joint_count_(joint_count),
        inboard_(inboard),
        links_(links),
        owner_(inboard.size()) {
    plan_.strategy = "balanced";
    plan_.body_count = body_count_;
    plan_.compounds.reserve(2 * inboard.size());
  }

  Plan make() {
    make_leaves();
    contract_trees();
    contract_others();
    for (const auto& compound : plan_.compounds)
      plan_.depth = std::max(plan_.depth, compound.depth);
    return std::move(plan_);
  }

 private:
  Compound& compound(int i) { return plan_.compounds[at(i)]; }
  const PlanLink& link(int l) const { return links_[at(l)]; }

  // A leaf eliminates its joints to the ground at once.
  void make_leaves() {
    plan_.compounds.resize(at(body_count_));
    for (int b = 0; b < body_count_; ++b) {
      compound(b).body = b;
      compound(b).root = b;
      owner_[at(b)] = b;
    }
    for (int l = 0; l < static_cast<int>(links_.size()); ++l) {
      const auto& bodies = link(l).bodies;
      for (const int b : bodies) {
        if (l < joint_count_) compound(b).joints.push_back(l);
        if (bodies.size() > 1) {
          compound(b).kept.push_back(l);
        } else if (link(l).rows > 0) {
          compound(b).eliminated.push_back(l);
        }
      }
      if (l < body_count_ && inboard_[at(l)] != kNone) {
        compound(inboard_[at(l)]).outboard.push_back(l);
      }
    }
    for (int b = 0; b < body_count_; ++b) {
      for (const int l : compound(b).eliminated) {
        compound(b).grounded = compound(b).grounded || link(l).grounded;
      }
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
        const int inboard = inboard_[at(tree_joint)];
        const int partner = inboard == kNone ? kNone : owner_[at(inboard)];
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

  // The compounds that a link of compound c reaches besides c.
  std::set<int> neighbours(int c, int l) const {
    std::set<int> others;
    for (const int b : link(l).bodies) {
      if (owner_[at(b)] != c) others.insert(owner_[at(b)]);
    }
    return others;
  }

  // Every compound joins the one that it shares most links with.
  void contract_others() {
    bool progress = true;
    while (progress) {
      progress = false;
      std::vector<int> next;
      std::vector<bool> used(plan_.compounds.size(), false);
      for (const int c : live_) {
        if (used[at(c)]) continue;
        std::map<int, int> shared;  // links shared with each free neighbour
        for (const int l : compound(c).kept) {
          for (const int other : neighbours(c, l)) {
            if (at(other) < used.size() && !used[at(other)]) ++shared[other];
          }
        }
        used[at(c)] = true;
        if (shared.empty()) {
          next.push_back(c);
          continue;
        }
        const auto best = std::max_element(shared.begin(), shared.end(), [](auto& a, auto& b) {
          return a.second < b.second;  // the first of equals
        });
        used[at(best->first)] = true;
        next.push_back(join(c, best->first, kNone));
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
    for (const int side : {left, right}) absorb(side, index);
    if (tree_joint != kNone) c.eliminated.push_back(tree_joint);
    bool grounded_here = false;
    const auto sort_link = [&](int l) {
      if (!neighbours(index, l).empty()) {
        c.kept.push_back(l);
      } else if (l != tree_joint) {
        c.eliminated.push_back(l);
        grounded_here = grounded_here || link(l).grounded;
      }
    };
    for (const int l : compound(left).kept) sort_link(l);
    for (const int l : compound(right).kept) {
      if (!contains(compound(left).kept, l)) sort_link(l);
    }
    for (const int side : {left, right}) {
      for (const int j : compound(side).outboard) {
        if (j != tree_joint) c.outboard.push_back(j);
      }
    }
    std::erase_if(c.eliminated, [&](int l) { return link(l).rows == 0; });
    const bool both = compound(left).grounded && compound(right).grounded;
    c.grounded = compound(left).grounded || compound(right).grounded || grounded_here;
    // A coupling may bind joints that other rows have locked already.
    const bool couples = std::any_of(c.eliminated.begin(), c.eliminated.end(),
                                     [&](int l) { return l >= joint_count_; });
    c.closes_loop = couples || c.eliminated.size() + (both ? 1U : 0U) > 1U;
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

  int body_count_, joint_count_;
  const std::vector<int>& inboard_;
  const std::vector<PlanLink>& links_;
  std::vector<int> owner_;  // compound that a body belongs to now
  std::vector<int> live_;
  Plan plan_;
};

}  // namespace

Plan make_balanced_plan(const std::vector<int>& inboard, int joint_count,
                        const std::vector<PlanLink>& links) {
  return BalancedPlanner(inboard, joint_count, links).make();
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
  if (closing > 0) text += ", loops close in " + std::to_string(closing);
  return text;
}

}  // namespace hamiltree
