// Quaternions among the coordinates that a user gives: of any length but 0, for the length turns
// nothing.
#pragma once

#include <Eigen/Core>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

// Throws UsageError that names the first joint of the tree whose quaternion in q (coordinates) has
// no length.
void check_quaternions(const Model& model, const Eigen::VectorXd& q);

}  // namespace hamiltree
