// Inverse dynamics: the efforts at chosen joints that make a Model move in a given way.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hamiltree/analysis/model_at_pose.hpp"

namespace hamiltree::analysis {

struct InverseDynamics {
  Eigen::VectorXd v, v_dot;  // of all joints
  Eigen::VectorXd efforts;   // (joints,), N m or N, beside the model's own forces
  Eigen::VectorXd
      unbalanced;  // (m,): along the independent velocities, what these joints cannot give
};

// For the independent velocities u and their rates. With fewer joints than freedoms `unbalanced` is
// left over, least squares; where more joints than needed can make the motion, the efforts are
// those of least norm. Throws UsageError for sizes and joints that do not fit.
InverseDynamics inverse_dynamics(ModelAtPose& pose, const Eigen::VectorXd& u,
                                 const Eigen::VectorXd& u_dot,
                                 const std::vector<std::string>& joints);

// Transmission of a linkage: the rates of some joints from those of others, drives at rest,
//   rate_outputs = J rate_inputs      effort_inputs = J^T effort_outputs
// with a row, or a column, for each degree of freedom of the joints; the latter in balance, of
// least norm where inputs are redundant. Throws UsageError where the inputs do not determine an
// output; what else they leave open does not matter.
Eigen::MatrixXd transmission(ModelAtPose& pose, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& outputs);

}  // namespace hamiltree::analysis
