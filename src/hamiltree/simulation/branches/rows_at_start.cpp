#include "hamiltree/simulation/branches/rows_at_start.hpp"

#include <utility>

namespace hamiltree::branches {

RowsAtStart::RowsAtStart(const Model& model, const InitialState& start,
                         std::unique_ptr<Formulation> made)
    : formulation(std::move(made)),
      workspace(formulation->make_workspace()),
      branches(model),
      pose{0.0, start.q},
      v(start.v) {
  if (!branches.empty()) {
    const auto chosen = branches.at_start(0.0, start.q, start.v, true);
    notes = chosen.notes;
    v = chosen.v;
    pose = Branches::next_to(0.0, start.q, chosen.branches);
  }
  rows = formulation->analyse({pose.t, pose.q.data(), start.p.data()}, *workspace);
  degrees_of_freedom = model.velocity_count() - (rows.constraints - rows.redundant);
}

}  // namespace hamiltree::branches
