// Sparse least-norm solutions against a dense factorisation of the same matrix.
#include "hamiltree/math/least_norm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <random>
#include <vector>

#include "hamiltree/base/random.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr double kRankTolerance = 1e-9;

Eigen::VectorXd random_vector(Eigen::Index size, std::mt19937_64& random) {
  Eigen::VectorXd x(size);
  for (auto& part : x) part = about_zero(random);
  return x;
}

// Rows in threes, each of five columns beside each other; the third is the sum of the others but
// for `apart` in one entry.
SparseMatrix rows_of_loops(int loops, double apart, std::mt19937_64& random) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < loops; ++i) {
    const int row = 3 * i, column = 3 * i;
    for (int k = 0; k < 5; ++k) {
      const double one = about_zero(random), other = about_zero(random);
      entries.emplace_back(row, column + k, one);
      entries.emplace_back(row + 1, column + k, other);
      entries.emplace_back(row + 2, column + k, one + other + (k == 2 ? apart : 0.0));
    }
  }
  SparseMatrix A(3 * loops, 3 * loops + 2);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(LeastNorm, IsThatOfTheDenseMatrix) {
  std::mt19937_64 random(20261128);
  for (const int loops : {4, 90, 200}) {
    const auto A = rows_of_loops(loops, 0.0, random);
    const Eigen::MatrixXd dense(A);
    const auto beyond_reach = random_vector(A.rows(), random);  // redundant rows contradict it
    for (const Eigen::VectorXd& b : {Eigen::VectorXd(A * random_vector(A.cols(), random)),
                                     Eigen::VectorXd(Eigen::VectorXd::Zero(A.rows()))}) {
      const auto x = LeastNorm().solution(A, b, kRankTolerance);
      const auto expected = least_norm_solution(dense, b, kRankTolerance);
      EXPECT_LE((x - expected).norm(), 1e-9 * expected.norm()) << loops;
    }
    const auto x = LeastNorm().solution(A, beyond_reach, kRankTolerance);
    const auto expected = least_norm_solution(dense, beyond_reach, kRankTolerance);
    EXPECT_LE((x - expected).norm(), 1e-5 * expected.norm()) << loops;
  }
}

// No iteration reaches what one weak row asks for.
TEST(LeastNorm, ReachesAlongWeakRows) {
  std::mt19937_64 random(20261128);
  auto A = rows_of_loops(90, 0.0, random);
  A.coeffRef(2, 2) += 1e-7;
  const Eigen::VectorXd b = random_vector(A.rows(), random);
  const auto x = LeastNorm().solution(A, b, kRankTolerance);
  const auto expected = least_norm_solution(Eigen::MatrixXd(A), b, kRankTolerance);
  EXPECT_GT(expected.norm(), 1e5);
  EXPECT_LE((x - expected).norm(), 1e-6 * expected.norm());
}

TEST(LeastNorm, SeesWeakRows) {
  std::mt19937_64 random(20261128);
  for (const int loops : {4, 90, 200}) {
    for (const double apart : {0.0, 1e-12, 1e-8, 1e-7, 1e-6, 1e-5, 0.1}) {
      const bool is_weak = apart > 1e-10 && apart < 1e-3;
      EXPECT_EQ(
          LeastNorm().has_weak_rows(rows_of_loops(loops, apart, random), kRankTolerance, 1e-4),
          is_weak)
          << loops << " loops, " << apart;
    }
  }
}

TEST(LeastNorm, CountsItsWork) {
  std::mt19937_64 random(20261128);
  const auto work = [&](int loops) {
    const auto A = rows_of_loops(loops, 0.0, random);
    LeastNorm least_norm;
    least_norm.solution(A, A * random_vector(A.cols(), random), kRankTolerance);
    return least_norm.work();
  };
  EXPECT_GT(work(60), 1e6);               // the cube of 180
  EXPECT_LT(work(800), 3.0 * work(400));  // the work of many columns grows as they do
}

TEST(LeastNorm, TakesEmptyMatrices) {
  EXPECT_EQ(LeastNorm().solution(SparseMatrix(0, 3), Eigen::VectorXd(0), 1e-9).norm(), 0.0);
  EXPECT_EQ(LeastNorm().solution(SparseMatrix(3, 0), Eigen::VectorXd::Ones(3), 1e-9).size(), 0);
  EXPECT_FALSE(LeastNorm().has_weak_rows(SparseMatrix(0, 300), 1e-9, 1e-4));
}

}  // namespace
}  // namespace hamiltree
