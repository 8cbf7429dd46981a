// How well the augmented system of a mechanism determines its motion and its reactions.
#pragma once

#include <Eigen/Core>

namespace hamiltree::test {

// Condition of [M A^T; A 0] with rows and columns scaled to a unit diagonal of M and unit rows of
// A: by how much an evaluation of the augmented system may magnify its rounding.
double scaled_condition(const Eigen::MatrixXd& M, const Eigen::MatrixXd& A);

}  // namespace hamiltree::test
