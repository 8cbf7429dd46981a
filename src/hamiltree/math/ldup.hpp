// The inverse of a small matrix by its factors P A = L D U, with partial pivoting, as
// [Turno2023, sect. 3.2] builds it in hardware: one reciprocal a pivot, then only products and
// sums. Exchanges of rows are selections (multiplexers there), so that it runs on any scalar.
//
// Row k is exchanged with the rows below it until it holds the largest entry of column k; then
//   (1)  c_k = 1 / a_kk                                                         [eqs. 60-62, 75]
//   (2)  l_ik = c_k a_ik,   a_ij -= l_ik a_kj            i, j > k                [eqs. 66-69]
// which leaves D U in the upper part of A, with D^-1 = diag(c). From there
//   (3)  u_ij = c_i a_ij                                 i < j                  [eq. 77]
//   (4)  X = L^-1:  x_ij = -(l_ij + sum_{j<k<i} x_ik l_kj)                      [eq. 78]
//        U^-1 in the same way, from U^T                                         [eq. 79]
//   (5)  B = U^-1 D^-1:  b_ij = (U^-1)_ij c_j,  b_jj = c_j                      [eq. 80]
//   (6)  Y = B L^-1:  y_ij = sum_{k>=i} b_ik x_kj        i > j                  [eq. 81]
//                     y_ij = b_ij + sum_{k>j} b_ik x_kj  i <= j
//   (7)  A^-1 = Y P: the exchanges of rows, undone on the columns               [eq. 82]
// Eq. 81 counts the rows of L^-1 from the second one, unlike eq. 78; eq. 74 has its factors in the
// wrong order.
//
// n (n - 1) (n + 1) products, n (n - 1)^2 sums and n reciprocals.
#pragma once

#include <Eigen/Core>
#include <array>
#include <utility>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

template <class Scalar, int N>
class Ldup {
 public:
  using Matrix = Eigen::Matrix<Scalar, N, N>;
  using Vector = Eigen::Matrix<Scalar, N, 1>;
  using Mask = decltype(std::declval<Scalar>() < std::declval<Scalar>());  // bool, or of a trace

  // Factors A, which may be any matrix that has an inverse: (1), (2).
  explicit Ldup(const Matrix& A) : A_(A), L_(Matrix::Identity()) {
    for (int k = 0; k < N; ++k) {
      bring_up_largest(k);
      c_(k) = Scalar(1) / A_(k, k);
      for (int i = k + 1; i < N; ++i) {
        L_(i, k) = c_(k) * A_(i, k);
        for (int j = k + 1; j < N; ++j) A_(i, j) -= L_(i, k) * A_(k, j);
      }
    }
  }

  const Matrix& lower() const { return L_; }             // L, with its unit diagonal
  const Vector& inverse_diagonal() const { return c_; }  // of D

  // (3)
  Matrix upper() const {
    Matrix U = Matrix::Identity();
    for (int i = 0; i < N; ++i) {
      for (int j = i + 1; j < N; ++j) U(i, j) = c_(i) * A_(i, j);
    }
    return U;
  }

  // (4), diagonal by diagonal below the main one.
  static Matrix invert_unit_lower(const Matrix& L) {
    Matrix X = Matrix::Identity();
    for (int d = 1; d < N; ++d) {
      for (int j = 0; j + d < N; ++j) {
        const int i = j + d;
        Scalar sum = L(i, j);
        for (int k = j + 1; k < i; ++k) sum += X(i, k) * L(k, j);
        X(i, j) = -sum;
      }
    }
    return X;
  }

  // (5)
  Matrix scale_columns(const Matrix& U_inverse) const {
    Matrix B = Matrix::Zero();
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < j; ++i) B(i, j) = U_inverse(i, j) * c_(j);
      B(j, j) = c_(j);
    }
    return B;
  }

  // (6)
  static Matrix product(const Matrix& B, const Matrix& X) {
    Matrix Y;
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) {
        Scalar sum = i > j ? B(i, i) * X(i, j) : B(i, j);
        for (int k = (i > j ? i : j) + 1; k < N; ++k) sum += B(i, k) * X(k, j);
        Y(i, j) = sum;
      }
    }
    return Y;
  }

  // (7)
  Matrix undo_exchanges(Matrix Y) const {
    for (int k = N - 1; k >= 0; --k) {
      for (int i = N - 1; i > k; --i) {
        for (int r = 0; r < N; ++r) exchange(exchanges_[at(slot(i, k))].done, Y(r, i), Y(r, k));
      }
    }
    return Y;
  }

  Matrix inverse() const {
    Matrix U = upper();
    U.transposeInPlace();
    Matrix U_inverse = invert_unit_lower(U);
    U_inverse.transposeInPlace();
    return undo_exchanges(product(scale_columns(U_inverse), invert_unit_lower(L_)));
  }

 private:
  struct Exchange {
    Mask done = false;
  };

  static constexpr int slot(int i, int k) { return i * (i - 1) / 2 + k; }

  static void exchange(const Mask& mask, Scalar& x, Scalar& y) {
    const Scalar kept = x;
    x = select(mask, y, x);
    y = select(mask, kept, y);
  }

  // Columns before k are those of L, the others of A.
  void bring_up_largest(int k) {
    using std::abs;
    for (int i = k + 1; i < N; ++i) {
      const Mask mask = abs(A_(k, k)) < abs(A_(i, k));
      for (int j = 0; j < k; ++j) exchange(mask, L_(k, j), L_(i, j));
      for (int j = k; j < N; ++j) exchange(mask, A_(k, j), A_(i, j));
      exchanges_[at(slot(i, k))].done = mask;
    }
  }

  Matrix A_, L_;  // of A_ the upper part
  Vector c_;
  std::array<Exchange, N*(N - 1) / 2> exchanges_;
};

// A^-1
template <class Scalar, int N>
Eigen::Matrix<Scalar, N, N> ldup_inverse(const Eigen::Matrix<Scalar, N, N>& A) {
  return Ldup<Scalar, N>(A).inverse();
}

}  // namespace hamiltree
