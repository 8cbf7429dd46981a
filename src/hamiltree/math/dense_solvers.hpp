// Dense factorisations by Eigen, compiled once: to compile one takes ten seconds wherever it is
// used.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

// The shortest x of those that minimise |A x - b|. Pivots below `rank_tolerance` of the largest are
// zero.
Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                    double rank_tolerance);

// For a symmetric matrix, of which the lower triangle is read: eigenvalues in ascending order, and
// an eigenvector of length 1 in each column.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

// A = U diag(values) V^T with U and V square and values in descending order.
struct SingularValueDecomposition {
  Eigen::MatrixXd U, V;
  Eigen::VectorXd values;
};
SingularValueDecomposition singular_value_decomposition(const Eigen::MatrixXd& A);

}  // namespace hamiltree
