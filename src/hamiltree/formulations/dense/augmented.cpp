#include "hamiltree/formulations/dense/augmented.hpp"

#include <algorithm>

namespace hamiltree::dense {

void Augmented::factor() {
  const auto constraints = A.rows();
  if (weight > 0.0 && constraints > 0) {
    scaled = row_scale.asDiagonal() * A;
    L.compute(M + weight * scaled.transpose() * scaled);
  } else {
    L.compute(M);
  }
  if (constraints == 0) return;
  for (Eigen::Index c = 0; c < constraints; ++c) {
    u = row_scale(c) * A.row(c).transpose();
    L.matrixL().solveInPlace(u);
    W.col(c) = u;
  }
  S.noalias() = W.transpose().lazyProduct(W);
  svd.compute(S);
  const auto& values = svd.singularValues();  // descending
  rank = 0;
  for (Eigen::Index i = 0; i < constraints; ++i) {
    if (values(i) > std::max(kEigenvalueGap * values(0), floor)) ++rank;
  }
}

void Augmented::solve(const Eigen::VectorXd& p, const double* r, Eigen::Map<Eigen::VectorXd> v,
                      Eigen::Map<Eigen::VectorXd> sigma) {
  sigma.setZero();
  u = p;
  if (weight > 0.0 && r != nullptr) {
    for (Eigen::Index c = 0; c < A.rows(); ++c) {
      u -= weight * row_scale(c) * row_scale(c) * r[c] * A.row(c).transpose();
    }
  }
  L.matrixL().solveInPlace(u);  // u = L^-1 (p + A^T sigma)
  v = u;
  L.matrixU().solveInPlace(v);
  if (A.rows() == 0) return;
  for (int pass = 0; pass < 2; ++pass) {
    s.noalias() = A.lazyProduct(v);
    for (Eigen::Index c = 0; c < s.size(); ++c) {
      s(c) = row_scale(c) * (s(c) + (r == nullptr ? 0.0 : r[c]));
    }
    divide_by_S();
    u.noalias() -= W.lazyProduct(s);
    for (Eigen::Index c = 0; c < s.size(); ++c) sigma(c) -= row_scale(c) * s(c);
    v = u;
    L.matrixU().solveInPlace(v);
  }
}

void Augmented::divide_by_S() {
  coefficients.noalias() = svd.matrixU().transpose().lazyProduct(s);
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    coefficients(i) = i < rank ? coefficients(i) / svd.singularValues()(i) : 0.0;
  }
  s.noalias() = svd.matrixV().lazyProduct(coefficients);
}

}  // namespace hamiltree::dense
