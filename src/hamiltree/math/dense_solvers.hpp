// Dense factorisations by Eigen, compiled once: to compile one takes ten seconds wherever it is
// used. Matrices may be empty for all but `principal_axes`: what no loop holds and what nothing
// moves gives them no rows or no columns.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace hamiltree {

// The shortest x of those that minimise |A x - b|. Pivots below `rank_tolerance` of the largest are
// zero.
Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                    double rank_tolerance);
// The same for each column of B.
Eigen::MatrixXd least_norm_solutions(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                     double rank_tolerance);

// All x that minimise |A x - b|: the shortest one, and an orthonormal basis of the kernel of A.
// Pivots below `rank_tolerance` of the largest are zero.
struct SolutionSpace {
  Eigen::VectorXd shortest;
  Eigen::MatrixXd kernel;
};
SolutionSpace solution_space(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                             double rank_tolerance);

// Of A; pivots below `rank_tolerance` of the largest are zero.
Eigen::Index rank_of(const Eigen::MatrixXd& A, double rank_tolerance);

// The pseudo-inverse of A, and A's rank. Pivots below `rank_tolerance` of the largest are zero.
struct PseudoInverse {
  Eigen::MatrixXd matrix;
  Eigen::Index rank = 0;
};
PseudoInverse pseudo_inverse(const Eigen::MatrixXd& A, double rank_tolerance);

// A^-1 b for a symmetric positive definite matrix, of which the lower triangle is read.
Eigen::VectorXd positive_definite_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

// For a symmetric matrix, of which the lower triangle is read: eigenvalues in ascending order, and
// an eigenvector of length 1 in each column.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

// Principal moments of an inertia in ascending order, and its principal axes, each a column of a
// rotation.
struct PrincipalAxes {
  Eigen::Vector3d moments;
  Eigen::Matrix3d axes;
};
PrincipalAxes principal_axes(const Eigen::Matrix3d& inertia);

// The same as `symmetric_eigen` for any square matrix, in no order.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
GeneralEigen general_eigen(const Eigen::MatrixXd& A);

// A's columns in `order` are Q R: Q has orthonormal columns, as many as the smaller side of A, R is
// upper triangular with diagonal entries of falling size.
struct PivotedQr {
  Eigen::MatrixXd Q, R;
  std::vector<int> order;

  // The columns x that minimise |A x - b|, for A with independent columns.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& b) const;
};
PivotedQr pivoted_qr(const Eigen::MatrixXd& A);

// A = U diag(values) V^T with U and V square and values in descending order.
struct SingularValueDecomposition {
  Eigen::MatrixXd U, V;
  Eigen::VectorXd values;
};
SingularValueDecomposition singular_value_decomposition(const Eigen::MatrixXd& A);

}  // namespace hamiltree
