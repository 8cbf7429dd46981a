// Velocities and impulses from the augmented system [Chadaj2017 eq. 8]
//   [ M  A^T ] [   v    ]   [  p  ]
//   [ A   0  ] [ -sigma ] = [ -r  ]
// by its Schur complement A M^-1 A^T, whose eigenvalues below the gap are redundant constraints.
// They are taken as singular values: that solver works in place, Eigen's eigensolver allocates.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/SVD>

namespace hamiltree::dense {

inline constexpr double kEigenvalueGap = 1e-10;  // of the largest
// In units of 1/mass: where all rows are redundant, as those of a second hinge beside the first,
// the largest is itself rounding, about 1e-30.
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
  Eigen::MatrixXd W;  // L^-1 A^T, columns scaled by row_scale
  Eigen::MatrixXd S;  // W^T W
  Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd;  // of S, which is square
  Eigen::VectorXd u, s, coefficients;
  Eigen::VectorXd row_scale;  // makes angular rows comparable with linear ones
  int rank = 0;
  int analysed_rank = 0;  // with less, a row is masked
  double floor = 0.0;     // 1/kg: eigenvalues below it are rounding, whatever the largest
  // With bodies that have no inertia of their own M alone may be singular, but M + w A^T A is not;
  // on A v = -r it has the same solutions if p gains -w A^T r. 0: M is used as it is.
  double weight = 0.0;

  void factor();
  // v and sigma from p and r (null: 0); factor() must have run at the same pose.
  //   sigma = -S^+ (A M^-1 p + r),   v = M^-1 (p + A^T sigma)
  // and once more on what A v + r still misses.
  void solve(const Eigen::VectorXd& p, const double* r, Eigen::Map<Eigen::VectorXd> v,
             Eigen::Map<Eigen::VectorXd> sigma);

 private:
  void divide_by_S();  // s <- S^+ s
};

}  // namespace hamiltree::dense
