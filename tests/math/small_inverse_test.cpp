// The inverses of [Turno2023, sect. 3]: what they compute, and what they cost.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <random>

#include "hamiltree/math/adjugate.hpp"
#include "hamiltree/math/counting.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/math/ldup.hpp"
#include "hamiltree/math/tracing.hpp"

namespace hamiltree {
namespace {

template <class Scalar, int N>
using Square = Eigen::Matrix<Scalar, N, N>;

template <int N>
Square<double, N> random_matrix(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Square<double, N>::NullaryExpr([&] { return normal(random); });
}

double error_of(const Eigen::MatrixXd& A, const Eigen::MatrixXd& X) {
  const Eigen::MatrixXd inverse =
      pivoted_qr(A).solve(Eigen::MatrixXd::Identity(A.rows(), A.rows()));
  return (X - inverse).norm() / (inverse.norm() * inverse.norm() * A.norm());
}

template <class F>
void for_sizes_2_to_8(const F& f) {
  [&]<int... N>(std::integer_sequence<int, N...>) { (f.template operator()<N + 2>(), ...); }
  (std::make_integer_sequence<int, 7>());
}

constexpr double kTolerance = 1e-14;  // of the norm times the condition; measured: 2e-15

TEST(Ldup, InvertsAnyRegularMatrix) {
  std::mt19937_64 random(1);
  for_sizes_2_to_8([&]<int N>() {
    for (int trial = 0; trial < 200; ++trial) {
      const auto A = random_matrix<N>(random);
      EXPECT_LT(error_of(A, ldup_inverse(A)), kTolerance) << A;
    }
  });
}

TEST(Ldup, NeedsItsPivots) {
  for_sizes_2_to_8([]<int N>() {
    // Every row in the wrong place, zeros and specks on the diagonal.
    std::mt19937_64 random(2);
    Square<double, N> A = Square<double, N>::Zero();
    for (int i = 0; i < N; ++i) A(i, (i + 1) % N) = 2.0 + i;
    EXPECT_LT(error_of(A, ldup_inverse(A)), kTolerance);
    A = random_matrix<N>(random);
    A.diagonal().setConstant(1e-17);
    EXPECT_LT(error_of(A, ldup_inverse(A)), kTolerance);
  });
}

TEST(Ldup, ReturnsItsFactors) {
  std::mt19937_64 random(3);
  const auto A = random_matrix<5>(random);
  const Ldup<double, 5> factors(A);
  const Square<double, 5> U = factors.upper();
  EXPECT_TRUE(U.isUpperTriangular() && factors.lower().isLowerTriangular());
  EXPECT_LE(factors.lower().cwiseAbs().maxCoeff(), 1.0);
  const Square<double, 5> PA =
      factors.lower() * factors.inverse_diagonal().cwiseInverse().asDiagonal() * U;
  // Each row of P A is one of A.
  for (int i = 0; i < 5; ++i) {
    EXPECT_LT((A.rowwise() - PA.row(i)).rowwise().norm().minCoeff(), 1e-14);
  }
}

// Eqs. 86-92, step by step.
TEST(Ldup, CostsWhatThePaperSays) {
  std::mt19937_64 random(4);
  for_sizes_2_to_8([&]<int N>() {
    using Matrix = Square<Counted, N>;
    constexpr std::size_t n = N;
    const Matrix A = random_matrix<N>(random).template cast<Counted>();
    const auto expect = [](const CountOperations& scope, std::size_t additions,
                           std::size_t multiplications, std::size_t divisions) {
      EXPECT_EQ(scope.count().additions, additions);
      EXPECT_EQ(scope.count().multiplications, multiplications);
      EXPECT_EQ(scope.count().divisions, divisions);
    };
    const CountOperations all;
    const Ldup<Counted, N> factors(A);
    expect(all, (n - 1) * n * (2 * n - 1) / 6, (n - 1) * n * (n + 1) / 3, n);  // 87, 86
    Matrix U, X, B;
    {
      const CountOperations scope;
      U = factors.upper();
      expect(scope, 0, (n - 1) * n / 2, 0);  // 88
    }
    {
      const CountOperations scope;
      X = Ldup<Counted, N>::invert_unit_lower(factors.lower());
      expect(scope, (n - 2) * (n - 1) * n / 6, (n - 2) * (n - 1) * n / 6, 0);  // 89
    }
    {
      const CountOperations scope;
      B = factors.scale_columns(U);
      expect(scope, 0, (n - 1) * n / 2, 0);  // 90
    }
    {
      const CountOperations scope;
      Ldup<Counted, N>::product(B, X);
      expect(scope, (n - 1) * n * (2 * n - 1) / 6, (n - 1) * n * (n + 1) / 3, 0);  // 92, 91
    }
    const CountOperations whole;
    ldup_inverse(A);
    expect(whole, (n - 1) * (n - 1) * n, (n - 1) * n * (n + 1), n);
    EXPECT_EQ(whole.count().comparisons, n * (n - 1) / 2);
  });
}

TEST(Ldup, RunsOnATrace) {
  std::mt19937_64 random(5);
  Trace trace;
  Square<Traced, 3> A;
  {
    const TraceScope scope(trace);
    for (auto& a : A.reshaped()) a = trace.input("a");
    const auto traced = ldup_inverse(A);
    for (const auto& x : traced.reshaped()) trace.output("x", x);
  }
  for (int trial = 0; trial < 20; ++trial) {  // any order of rows through the same graph
    const auto values = random_matrix<3>(random);
    const auto inverse = trace.evaluate({values.data(), 9});
    EXPECT_LT(error_of(values, Eigen::Map<const Square<double, 3>>(inverse.data())), kTolerance);
  }
}

template <int N>
void check_adjugate(std::size_t additions, std::size_t multiplications) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 200; ++trial) {
    Square<double, N> A = random_matrix<N>(random);
    A.diagonal().array() += N + 2.0;  // well away from singular: there is no pivoting
    EXPECT_LT(error_of(A, adjugate_inverse(A)), kTolerance);
  }
  const Square<Counted, N> A = random_matrix<N>(random).template cast<Counted>();
  const CountOperations scope;
  adjugate_inverse(A);
  EXPECT_EQ(
      scope.count(),
      (OperationCount{.additions = additions, .multiplications = multiplications, .divisions = 1}));
}

TEST(Adjugate, InvertsAndCounts) {
  check_adjugate<2>(1, 6);
  check_adjugate<3>(11, 30);
  check_adjugate<4>(49, 94);
}

}  // namespace
}  // namespace hamiltree
