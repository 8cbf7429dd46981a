// Plans in which neighbours pair up in rounds.
#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/plan/planner.hpp"

namespace hamiltree {
namespace {

// Along the trees; returns the compounds that are left.
std::vector<int> contract_trees(Planner& planner) {
  std::vector<int> live(at(planner.compound_count()));
  std::iota(live.begin(), live.end(), 0);
  bool progress = true;
  while (progress) {
    progress = false;
    std::vector<int> next;
    std::vector<bool> used(at(planner.compound_count()), false);
    // From the tips inwards, so that a chain pairs up without gaps.
    for (auto c = live.rbegin(); c != live.rend(); ++c) {
      if (used[at(*c)]) continue;
      const int tree_joint = planner.compound(*c).root;  // joint b carries body b
      const int inboard = planner.inboard(tree_joint);
      const int partner = inboard == kNone ? kNone : planner.owner(inboard);
      if (partner == kNone || at(partner) >= used.size() || used[at(partner)]) {
        next.push_back(*c);
        continue;
      }
      used[at(partner)] = used[at(*c)] = true;
      next.push_back(planner.join(partner, *c, tree_joint));
      progress = true;
    }
    // Partners appear in `live` after the compounds that took them: drop those.
    std::erase_if(next, [&](int c) { return at(c) < used.size() && used[at(c)]; });
    std::sort(next.begin(), next.end(),
              [&](int a, int b) { return planner.compound(a).root < planner.compound(b).root; });
    live = std::move(next);
  }
  return live;
}

// Every compound joins the one that it shares most links with.
void contract_others(std::vector<int> live, Planner& planner) {
  bool progress = true;
  while (progress) {
    progress = false;
    std::vector<int> next;
    std::vector<bool> used(at(planner.compound_count()), false);
    for (const int c : live) {
      if (used[at(c)]) continue;
      std::map<int, int> shared;  // links shared with each free neighbour
      for (const int l : planner.compound(c).kept) {
        for (const int other : planner.neighbours(c, l)) {
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
      next.push_back(planner.join(c, best->first, kNone));
      progress = true;
    }
    live = std::move(next);
  }
}

}  // namespace

Plan make_balanced_plan(const std::vector<int>& inboard, int joint_count,
                        const std::vector<PlanLink>& links) {
  Planner planner(inboard, joint_count, links);
  contract_others(contract_trees(planner), planner);
  return planner.finish("balanced");
}

Plan make_loose_plan(int body_count, int joint_count, const std::vector<PlanLink>& links) {
  const std::vector<int> inboard(at(body_count), kNone);
  Planner planner(inboard, joint_count, links);
  std::vector<int> leaves(at(body_count));
  std::iota(leaves.begin(), leaves.end(), 0);
  contract_others(std::move(leaves), planner);
  auto plan = planner.finish("loose");
  plan.along_tree = false;
  return plan;
}

}  // namespace hamiltree
