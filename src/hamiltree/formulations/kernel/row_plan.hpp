// Where the open rows of all loops meet and close, and the lanes they keep until then.
//
// Rows close at the first body that has both of their ends behind it. A tree on the ground whose
// rows all end in one body of another tree, as the leg of a platform, counts as behind that body:
// it is attached there. Such rows close as if the body stood still, as many of them as the joints
// behind it let move; the rest closes further in.
#pragma once

#include <vector>

#include "hamiltree/formulations/kernel/independent_rows.hpp"
#include "hamiltree/formulations/kernel/tables.hpp"

namespace hamiltree::kernel {

// Which trees on the ground are attached to others: those of which all rows can close there, or
// also those of which some cannot.
enum class Attach { kIfAllClose, kAlways };

struct RowPlanInput {
  Opening opening;
  std::vector<double> weight;  // by row, see Event
};

// Completes tables that have bodies and cuts. False if some place has more than sixteen open rows,
// or to find independent ones takes too long.
bool plan_rows(const RowPlanInput& input, Attach attach, Tables& tables);

}  // namespace hamiltree::kernel
