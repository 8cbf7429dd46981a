#include "hamiltree/plan/plan.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/index.hpp"

namespace hamiltree {
namespace {

// Rows from which on another order may be worth finding.
constexpr int kLargeFront = 24;

struct Work {
  int largest_front = 0;  // rows
  double products = 0.0;  // of all eliminations, about
};

Work work_of(const Plan& plan, const std::vector<PlanLink>& links) {
  const auto rows_of = [&](const std::vector<int>& some) {
    int rows = 0;
    for (const int l : some) rows += links[at(l)].rows;
    return rows;
  };
  Work work;
  for (const auto& compound : plan.compounds) {
    const int eliminated = rows_of(compound.eliminated);
    const int all = eliminated + rows_of(compound.kept);
    work.largest_front = std::max(work.largest_front, all);
    for (int i = 0; i < eliminated; ++i)
      work.products += static_cast<double>((all - i) * (all - i));
  }
  return work;
}

}  // namespace

Plan make_plan(const std::vector<int>& inboard, int joint_count,
               const std::vector<PlanLink>& links) {
  auto balanced = make_balanced_plan(inboard, joint_count, links);
  const auto work = work_of(balanced, links);
  if (work.largest_front < kLargeFront) return balanced;
  auto loose = make_loose_plan(balanced.body_count, joint_count, links);
  return 2.0 * work_of(loose, links).products < work.products ? loose : balanced;
}

template Plan make_plan(const System<Planar<double>>&);
template Plan make_plan(const System<Spatial<double>>&);

std::string Plan::to_text() const {
  const auto joins = std::ssize(compounds) - body_count;
  const auto closing = std::count_if(compounds.begin(), compounds.end(),
                                     [](const Compound& c) { return c.closes_loop; });
  std::string text = strategy + ", " + counted(body_count, "leaf", "leaves") + ", " +
                     counted(joins, "join") + ", depth " + std::to_string(depth);
  if (closing > 0) text += ", loops close in " + std::to_string(closing);
  return text;
}

}  // namespace hamiltree
