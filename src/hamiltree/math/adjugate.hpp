// The inverse of a 2x2, 3x3 or 4x4 matrix as its adjugate over its determinant
// [Turno2023, sect. 3.1]: one reciprocal and no pivoting, where LDUP takes one for each pivot.
//   A^-1 = adj(A) / det(A),   adj(A)_ji = (-1)^(i+j) minor_ij
// Without pivoting, digits are lost where the determinant is small beside the terms it is made of.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

// 6 products, 1 sum.
template <class Scalar>
Eigen::Matrix<Scalar, 2, 2> adjugate_inverse(const Eigen::Matrix<Scalar, 2, 2>& A) {
  const Scalar c = Scalar(1) / (A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0));
  Eigen::Matrix<Scalar, 2, 2> X;
  X << c * A(1, 1), -(c * A(0, 1)), -(c * A(1, 0)), c * A(0, 0);
  return X;
}

// 30 products, 11 sums. The signs of the cofactors are in the cyclic order of their indices.
template <class Scalar>
Eigen::Matrix<Scalar, 3, 3> adjugate_inverse(const Eigen::Matrix<Scalar, 3, 3>& A) {
  const auto cofactor = [&](int i, int j) {
    const int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    return Scalar(A(k, m) * A(l, n) - A(k, n) * A(l, m));
  };
  Eigen::Matrix<Scalar, 3, 3> X;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) X(j, i) = cofactor(i, j);
  }
  const Scalar c = Scalar(1) / (A(0, 0) * X(0, 0) + A(0, 1) * X(1, 0) + A(0, 2) * X(2, 0));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) X(i, j) = c * X(i, j);
  }
  return X;
}

// 94 products, 49 sums. The 2x2 minors of the upper and of the lower two rows are shared by all
// cofactors and by the determinant (Laplace).
template <class Scalar>
Eigen::Matrix<Scalar, 4, 4> adjugate_inverse(const Eigen::Matrix<Scalar, 4, 4>& A) {
  using Minors = Eigen::Matrix<Scalar, 4, 4>;  // antisymmetric, [j, k]: of columns j and k
  const auto minors_of = [&](int r) {
    Minors minor;
    for (int j = 0; j < 4; ++j) {
      for (int k = j + 1; k < 4; ++k) {
        minor(j, k) = A(r, j) * A(r + 1, k) - A(r, k) * A(r + 1, j);
        minor(k, j) = -minor(j, k);
      }
      minor(j, j) = Scalar(0);
    }
    return minor;
  };
  const Minors upper = minors_of(0), lower = minors_of(2);
  const Scalar c = Scalar(1) / (upper(0, 1) * lower(2, 3) - upper(0, 2) * lower(1, 3) +
                                upper(0, 3) * lower(1, 2) + upper(1, 2) * lower(0, 3) -
                                upper(1, 3) * lower(0, 2) + upper(2, 3) * lower(0, 1));
  Eigen::Matrix<Scalar, 4, 4> X;
  for (int i = 0; i < 4; ++i) {
    const Minors& minor = i < 2 ? lower : upper;
    const int partner = i ^ 1;  // the other row of the same half
    for (int j = 0; j < 4; ++j) {
      const int k = j == 0 ? 1 : 0, l = j <= 1 ? 2 : 1, m = j == 3 ? 2 : 3;  // the other columns
      const Scalar cofactor =
          A(partner, k) * minor(l, m) - A(partner, l) * minor(k, m) + A(partner, m) * minor(k, l);
      X(j, i) = c * ((i + j) % 2 == 0 ? cofactor : Scalar(-cofactor));
    }
  }
  return X;
}

}  // namespace hamiltree
