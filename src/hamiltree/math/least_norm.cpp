#include "hamiltree/math/least_norm.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "hamiltree/base/random.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

// With as many columns dense factors, whose work grows with the cube, take some hundredths of a
// second.
constexpr Eigen::Index kFew = 200;

// Iterated regularisation [Engl1996, sect. 5.1]:
//
//   (1)  x_0 = 0,   x_i+1 = x_i + A^T (A A^T + delta)^-1 (b - A x_i)
//
// Along a singular value s it leaves (delta / (s^2 + delta))^i of the solution. So it settles where
// no singular value lies between zero and about the root of delta, which is 1e-5 of the largest;
// its last step tells whether it has.
class RegularisedIteration {
 public:
  explicit RegularisedIteration(const SparseMatrix& A) : A_(A) {
    SparseMatrix normal = A * SparseMatrix(A.transpose());
    const double delta = kDelta * largest_row_sum(normal);
    SparseMatrix identity(A.rows(), A.rows());
    identity.setIdentity();
    normal += delta * identity;
    factor_.compute(normal);
  }

  struct Result {
    Eigen::VectorXd x;
    double last_step;  // of |x|
  };
  Result solve(const Eigen::VectorXd& b) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(A_.cols());
    double last_step = 0.0;
    for (int i = 0; i < kIterations; ++i) {
      const Eigen::VectorXd step = A_.transpose() * factor_.solve(b - A_ * x);
      x += step;
      last_step = step.norm() / std::max(x.norm(), std::numeric_limits<double>::min());
      if (last_step <= kRounding) break;
    }
    return {x, last_step};
  }

  double work() const {
    const auto& L = factor_.matrixL().nestedExpression();
    double work = 0.0;
    for (Eigen::Index k = 0; k < L.cols(); ++k) {
      const auto entries = static_cast<double>(L.outerIndexPtr()[k + 1] - L.outerIndexPtr()[k]);
      work += entries * (entries + 2 * kIterations);
    }
    return work;
  }

 private:
  static constexpr double kDelta = 1e-10;  // of the largest eigenvalue of A A^T, or a bound
  static constexpr int kIterations = 10;
  static constexpr double kRounding = 1e-15;

  static double largest_row_sum(const SparseMatrix& symmetric) {
    double largest = 0.0;
    for (Eigen::Index k = 0; k < symmetric.outerSize(); ++k) {
      double sum = 0.0;
      for (SparseMatrix::InnerIterator entry(symmetric, k); entry; ++entry)
        sum += std::abs(entry.value());
      largest = std::max(largest, sum);
    }
    return largest;
  }

  const SparseMatrix& A_;
  Eigen::SimplicialLDLT<SparseMatrix> factor_;
};

double dense_work(const SparseMatrix& A) {
  const auto rows = static_cast<double>(A.rows()), columns = static_cast<double>(A.cols());
  return rows * columns * std::min(rows, columns);
}

}  // namespace

Eigen::VectorXd LeastNorm::solution(const SparseMatrix& A, const Eigen::VectorXd& b,
                                    double rank_tolerance) {
  constexpr double kSettled = 1e-6;
  if (A.cols() > kFew) {
    const RegularisedIteration iteration(A);
    work_ += iteration.work();
    const auto [x, last_step] = iteration.solve(b);
    if (last_step <= kSettled) return x;
  }
  work_ += dense_work(A);
  return least_norm_solution(Eigen::MatrixXd(A), b, rank_tolerance);
}

bool LeastNorm::has_weak_rows(const SparseMatrix& A, double lower, double upper) {
  constexpr double kSettled = 1e-9;
  if (A.nonZeros() == 0) return false;
  if (A.cols() > kFew) {
    const RegularisedIteration iteration(A);
    work_ += iteration.work();
    std::mt19937_64 random(1);
    Eigen::VectorXd x(A.cols());
    for (auto& part : x) part = about_zero(random);
    if (iteration.solve(A * x).last_step <= kSettled) return false;
  }
  work_ += dense_work(A);
  const Eigen::MatrixXd dense(A);
  return rank_of(dense, lower) > rank_of(dense, upper);
}

}  // namespace hamiltree
