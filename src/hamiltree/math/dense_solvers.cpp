#include "hamiltree/math/dense_solvers.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace hamiltree {

Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                    double rank_tolerance) {
  return least_norm_solutions(A, b, rank_tolerance);
}

Eigen::MatrixXd least_norm_solutions(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                     double rank_tolerance) {
  if (A.size() == 0) return Eigen::MatrixXd::Zero(A.cols(), B.cols());
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(A);
  Eigen::MatrixXd X(A.cols(), B.cols());
  for (Eigen::Index k = 0; k < B.cols(); ++k) X.col(k) = decomposition.solve(B.col(k));
  return X;
}

SolutionSpace solution_space(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                             double rank_tolerance) {
  const Eigen::Index n = A.cols();
  if (A.size() == 0) return {Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Identity(n, n)};
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(A);
  const Eigen::MatrixXd Z = decomposition.matrixZ();
  return {decomposition.solve(b),
          decomposition.colsPermutation() * Z.bottomRows(n - decomposition.rank()).transpose()};
}

Eigen::Index rank_of(const Eigen::MatrixXd& A, double rank_tolerance) {
  if (A.size() == 0) return 0;
  const Eigen::VectorXd pivots = pivoted_qr(A).R.diagonal().cwiseAbs();
  return (pivots.array() > rank_tolerance * pivots(0)).count();
}

PseudoInverse pseudo_inverse(const Eigen::MatrixXd& A, double rank_tolerance) {
  if (A.size() == 0) return {Eigen::MatrixXd::Zero(A.cols(), A.rows()), 0};
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  decomposition.compute(A);
  return {decomposition.pseudoInverse(), decomposition.rank()};
}

Eigen::VectorXd positive_definite_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.ldlt().solve(b);
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

PrincipalAxes principal_axes(const Eigen::Matrix3d& inertia) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(inertia);
  Eigen::Matrix3d axes = eigen.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  return {eigen.eigenvalues(), axes};
}

GeneralEigen general_eigen(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return {};
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

PivotedQr pivoted_qr(const Eigen::MatrixXd& A) {
  const Eigen::Index k = std::min(A.rows(), A.cols());
  if (k == 0) {
    std::vector<int> order(static_cast<std::size_t>(A.cols()));
    std::iota(order.begin(), order.end(), 0);
    return {Eigen::MatrixXd(A.rows(), 0), Eigen::MatrixXd(0, A.cols()), std::move(order)};
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  const auto& order = qr.colsPermutation().indices();
  return {qr.householderQ() * Eigen::MatrixXd::Identity(A.rows(), k),
          qr.matrixQR().topRows(k).triangularView<Eigen::Upper>(),
          {order.data(), order.data() + order.size()}};
}

Eigen::MatrixXd PivotedQr::solve(const Eigen::MatrixXd& b) const {
  const Eigen::MatrixXd ordered = R.triangularView<Eigen::Upper>().solve(Q.transpose() * b);
  Eigen::MatrixXd x(R.cols(), b.cols());
  for (std::size_t k = 0; k < order.size(); ++k)
    x.row(order[k]) = ordered.row(static_cast<Eigen::Index>(k));
  return x;
}

SingularValueDecomposition singular_value_decomposition(const Eigen::MatrixXd& A) {
  if (A.size() == 0) {
    return {Eigen::MatrixXd::Identity(A.rows(), A.rows()),
            Eigen::MatrixXd::Identity(A.cols(), A.cols()),
            {}};
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::FullPivHouseholderQRPreconditioner> svd(
      A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

}  // namespace hamiltree
