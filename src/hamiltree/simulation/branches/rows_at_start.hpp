// RowsAtStart: the rows of a model's loops and couplings where it starts: which others imply, and
// how many motions they leave. A singular start is left along a branch of motion: what is redundant
// there is so next to the pose.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/simulation/branches/branches.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::branches {

struct RowsAtStart {
  // Throws ModelError where a run would be refused: at a singular pose with nothing that chooses
  // between its motions.
  RowsAtStart(const Model& model, const InitialState& start,
              std::unique_ptr<Formulation> formulation);

  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<Workspace> workspace;
  Branches branches;
  std::vector<std::string> notes;  // the branches that a run takes
  Branches::Pose pose;
  Eigen::VectorXd
      v;  // the velocities that a run starts with: where it leaves a pose, on its branch
  Redundancy rows;
  int degrees_of_freedom = 0;  // velocities less the rank of the rows
};

}  // namespace hamiltree::branches
