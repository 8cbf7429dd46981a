// The minimum of a convex quadratic function between bounds.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

// The z that makes  z H z / 2 - c z  least among those with  G z <= room,  for a symmetric positive
// definite H and room >= 0. Rounding may end the search at a z that is only lower than 0, within
// the bounds.
Eigen::VectorXd minimum_within(const Eigen::MatrixXd& H, const Eigen::VectorXd& c,
                               const Eigen::MatrixXd& G, const Eigen::VectorXd& room);

}  // namespace hamiltree
