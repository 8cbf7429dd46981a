// Velocities and impulses from the augmented system [Chadaj2017 eq. 8]
//   [ M  A^T ] [   v    ]   [  p  ]
//   [ A   0  ] [ -sigma ] = [ -r  ]
// by its Schur complement A M^-1 A^T, whose eigenvalues below the gap are redundant constraints.
// They are taken as singular values: that solver works in place, Eigen's eigensolver allocates.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>

namespace hamiltree::dense {

inline constexpr double kEigenvalueGap = 1e-10;  // of the largest
// Of 1/mass: where all rows are redundant, as those of a second hinge beside the first, the largest
// is itself rounding, about 1e-30.
inline constexpr double kEigenvalueFloor = 1e-12;

struct Augmented {
  Augmented(int velocities, int constraints)
      : M(velocities, velocities),
        A(constraints, velocities),
        b(velocities),
        L(velocities),
        W(velocities, constraints),
        S(constraints, constraints),
        svd(constraints, constraints, Eigen::ComputeFullU | Eigen::ComputeFullV),
        u(velocities),
        s(constraints),
        coefficients(constraints),
        row_scale(Eigen::VectorXd::Ones(constraints)) {}

  Eigen::MatrixXd M, A;
  Eigen::MatrixXd scaled;  // A, rows scaled
  Eigen::VectorXd b;       // momenta at v = 0 as the drives move
  Eigen::LLT<Eigen::MatrixXd> L;
  Eigen::MatrixXd W;                      // L^-1 A^T, columns scaled by row_scale
  Eigen::MatrixXd S;                      // W^T W
  Eigen::JacobiSVD<Eigen::MatrixXd> svd;  // of S
  Eigen::VectorXd u, s, coefficients;
  Eigen::VectorXd row_scale;  // makes angular rows comparable with linear ones
  int rank = 0;
  double floor = 0.0;  // 1/kg: eigenvalues below it are rounding, whatever the largest
  // With bodies that have no inertia of their own M alone may be singular, but M + w A^T A is not;
  // on A v = -r it has the same solutions if p gains -w A^T r. 0: M is used as it is.
  double weight = 0.0;

  void factor() {
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

  // v and sigma from p and r (null: 0); factor() must have run at the same pose.
  //   sigma = -S^+ (A M^-1 p + r),   v = M^-1 (p + A^T sigma)
  // and once more on what A v + r still misses.
  template <class V, class Sigma, class P>
  void solve(const P& p, const double* r, V& v, Sigma& sigma) {
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

 private:
  // s <- S^+ s
  void divide_by_S() {
    coefficients.noalias() = svd.matrixU().transpose().lazyProduct(s);
    for (Eigen::Index i = 0; i < s.size(); ++i) {
      coefficients(i) = i < rank ? coefficients(i) / svd.singularValues()(i) : 0.0;
    }
    s.noalias() = svd.matrixV().lazyProduct(coefficients);
  }
};

}  // namespace hamiltree::dense
