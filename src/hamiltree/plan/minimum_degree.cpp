// The plan of minimum degree: the join that leaves the fewest rows open comes next.
#include <cstddef>
#include <functional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/plan/planner.hpp"

namespace hamiltree {
namespace {

// The rows that a join leaves open, less those it eliminates; then the first alone. Of what was
// tried on grids and ladders this took least work: the cheapest join next, for one, is up to twenty
// times worse.
using Degree = std::pair<int, int>;

Degree degree(const Planner& planner, int left, int right) {
  int kept = 0, eliminated = 0;
  const auto count = [&](int c, int other) {
    for (const int l : planner.compound(c).kept) {
      const auto others = planner.neighbours(c, l);
      const bool is_shared = others.contains(other);
      if (is_shared && c == right) continue;  // counted with the left one
      (is_shared && others.size() == 1 ? eliminated : kept) += planner.link(l).rows;
    }
  };
  count(left, right);
  count(right, left);
  return {kept - eliminated, kept};
}

}  // namespace

Plan make_minimum_degree_plan(int body_count, const std::vector<PlanLink>& links) {
  const std::vector<int> inboard(at(body_count), kNone);
  Planner planner(inboard, body_count, links);
  using Pair = std::tuple<Degree, int, int>;  // with left and right
  std::priority_queue<Pair, std::vector<Pair>, std::greater<>> pairs;
  const auto add_pairs = [&](int c) {
    std::set<int> others;
    for (const int l : planner.compound(c).kept) others.merge(planner.neighbours(c, l));
    for (const int other : others) {
      if (other < c) pairs.emplace(degree(planner, other, c), other, c);
    }
  };
  for (int b = 0; b < body_count; ++b) add_pairs(b);
  while (!pairs.empty()) {
    const auto [unused, left, right] = pairs.top();
    pairs.pop();
    if (planner.is_joined(left) || planner.is_joined(right)) continue;
    add_pairs(planner.join(left, right, kNone));
  }
  return planner.finish("minimum degree");
}

}  // namespace hamiltree
