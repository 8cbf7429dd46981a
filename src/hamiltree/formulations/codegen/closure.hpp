// Closure: the loops of a linkage that connect two groups of joints, as a routine: from the
// coordinates x concerned, by how much the loops are open and the coordinates of both groups, with
// all derivatives. The rest of the mechanism stays at a pose.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hamiltree/formulations/codegen/routine.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::codegen {

struct ClosureSide {
  std::vector<int> joints;       // of the tables
  std::vector<bool> wraps = {};  // of each coordinate: it is an angle known within half a turn
};

struct Closure {
  Routine routine;            // x -> gap, actuator, joint, gap_x, actuator_x, joint_x
  std::vector<double> start;  // of x
  ClosureSide actuators, joints;
};

// Throws UsageError where no loop connects them, ModelError where a coordinate concerned is a
// quaternion.
Closure closure_of(const Model& model, const Eigen::VectorXd& q, const std::vector<int>& actuators,
                   const std::vector<int>& joints);

}  // namespace hamiltree::codegen
