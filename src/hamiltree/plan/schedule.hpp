// PlanSchedule: which compounds of a Plan may be contracted at the same time: subtrees of about
// equal cost, then what is above them [Chadaj2017]. It follows from the plan alone, never from how
// many threads there are.
#pragma once

#include <vector>

#include "hamiltree/plan/plan.hpp"

namespace hamiltree {

// All compounds, each after its sides, in items: one after the other. Items of one stage need
// nothing of each other. Downwards everything is reversed.
struct PlanSchedule {
  std::vector<int> compounds;
  std::vector<int> items;   // where each begins among the compounds, and the end
  std::vector<int> stages;  // where each begins among the items, and the end
};

// An item has `grain` compounds or more, but where a stage has no more.
PlanSchedule make_schedule(const Plan& plan, int grain);

}  // namespace hamiltree
