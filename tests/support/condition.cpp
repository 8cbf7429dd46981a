#include "support/condition.hpp"

#include <Eigen/SVD>
#include <limits>

namespace hamiltree::test {

double scaled_condition(const Eigen::MatrixXd& M, const Eigen::MatrixXd& A) {
  // Nothing moves but by drives: then loops have no unique reactions.
  if (M.size() == 0) return A.rows() == 0 ? 1.0 : std::numeric_limits<double>::infinity();
  const Eigen::VectorXd s = M.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(M.rows() + A.rows(), M.rows() + A.rows());
  K.topLeftCorner(M.rows(), M.rows()) = s.asDiagonal() * M * s.asDiagonal();
  Eigen::MatrixXd scaled = A * s.asDiagonal();
  for (Eigen::Index r = 0; r < scaled.rows(); ++r) scaled.row(r).normalize();
  K.bottomLeftCorner(A.rows(), M.rows()) = scaled;
  K.topRightCorner(M.rows(), A.rows()) = scaled.transpose();
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(
      K);  // fails where what moves has no inertia
  if (svd.info() != Eigen::Success) return std::numeric_limits<double>::infinity();
  return svd.singularValues()(0) / svd.singularValues()(K.rows() - 1);
}

}  // namespace hamiltree::test
