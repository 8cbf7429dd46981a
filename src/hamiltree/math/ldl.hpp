// A = L d L^T of a small symmetric positive definite matrix of fixed size, without pivoting and
// without branches, so that it runs on any scalar.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

template <class Scalar, int N>
class Ldl {
 public:
  using Matrix = Eigen::Matrix<Scalar, N, N>;

  explicit Ldl(const Matrix& A) : L_(A) {
    for (int j = 0; j < N; ++j) {
      inverse_pivot_(j) = Scalar(1) / L_(j, j);
      for (int i = j + 1; i < N; ++i) {
        const Scalar l = L_(i, j) * inverse_pivot_(j);
        for (int k = j + 1; k <= i; ++k) L_(i, k) -= l * L_(k, j);
      }
      for (int i = j + 1; i < N; ++i) L_(i, j) *= inverse_pivot_(j);
    }
  }

  // A^-1 B, column by column.
  template <int Columns>
  Eigen::Matrix<Scalar, N, Columns> solve(Eigen::Matrix<Scalar, N, Columns> B) const {
    for (int c = 0; c < Columns; ++c) {
      for (int i = 0; i < N; ++i) {
        for (int k = 0; k < i; ++k) B(i, c) -= L_(i, k) * B(k, c);
      }
      for (int i = N - 1; i >= 0; --i) {
        B(i, c) *= inverse_pivot_(i);
        for (int k = i + 1; k < N; ++k) B(i, c) -= L_(k, i) * B(k, c);
      }
    }
    return B;
  }

 private:
  Matrix L_;  // strictly lower part
  Eigen::Matrix<Scalar, N, 1> inverse_pivot_;
};

}  // namespace hamiltree
