#include "hamiltree/math/counting.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <thread>

namespace hamiltree {
namespace {

using Matrix3 = Eigen::Matrix<Counted, 3, 3>;
using Vector3 = Eigen::Matrix<Counted, 3, 1>;

Matrix3 some_matrix() { return Eigen::Matrix3d::Random().cast<Counted>(); }

TEST(Counting, MatrixProduct) {
  const Matrix3 A = some_matrix();
  const Matrix3 B = some_matrix();
  CountOperations scope;
  const Matrix3 C = A * B;
  EXPECT_EQ(scope.count(), (OperationCount{.additions = 18, .multiplications = 27}));
  EXPECT_EQ(scope.count().flops(), 45U);
  EXPECT_EQ(to_double(C(0, 0)), to_double(A.row(0).dot(B.col(0))));
}

TEST(Counting, VectorProducts) {
  const Vector3 a = some_matrix().col(0);
  const Vector3 b = some_matrix().col(1);
  {
    CountOperations scope;
    const Counted c = a.dot(b);
    EXPECT_EQ(scope.count(), (OperationCount{.additions = 2, .multiplications = 3}));
    EXPECT_EQ(to_double(c), to_double(a(0) * b(0) + (a(1) * b(1) + a(2) * b(2))));
  }
  {
    CountOperations scope;
    const Vector3 c = a.cross(b);
    EXPECT_EQ(scope.count(), (OperationCount{.additions = 3, .multiplications = 6}));
    EXPECT_EQ(to_double(c(2)), to_double(a(0) * b(1) - a(1) * b(0)));
  }
}

TEST(Counting, EveryKind) {
  const Counted a = 2.0;
  const Counted b = 3.0;
  CountOperations scope;
  Counted c = sqrt(a) / b;
  c -= sin(a) - cos(b) + 1.0;
  c = abs(-select(a < b, c, b));
  EXPECT_EQ(scope.count(), (OperationCount{.additions = 3,
                                           .divisions = 1,
                                           .square_roots = 1,
                                           .trigonometric = 2,
                                           .comparisons = 1,
                                           .selects = 1}));
  EXPECT_EQ(scope.count().total(), 9U);
}

TEST(Counting, ConstantsAreNotFolded) {
  const Counted a = 2.0;
  CountOperations scope;
  const Counted c = (a * 0.0 + 0.0) * 1.0;
  EXPECT_EQ(scope.count(), (OperationCount{.additions = 1, .multiplications = 2}));
  EXPECT_EQ(to_double(c), 0.0);
}

TEST(Counting, InnerScopesAddToOuterOnes) {
  const Counted a = 2.0;
  Counted b = a;
  CountOperations outer;
  b += a;
  {
    CountOperations inner;
    b *= a;
    EXPECT_EQ(inner.count(), (OperationCount{.multiplications = 1}));
  }
  EXPECT_EQ(outer.count(), (OperationCount{.additions = 1, .multiplications = 1}));
  EXPECT_EQ(to_double(b), 8.0);
}

TEST(Counting, ThreadsCountApart) {
  CountOperations scope;
  std::thread([] {
    const Counted a = 2.0;
    CountOperations other;
    const Counted b = a * a;
    EXPECT_EQ(other.count(), (OperationCount{.multiplications = 1}));
    EXPECT_EQ(to_double(b), 4.0);
  }).join();
  EXPECT_EQ(scope.count(), OperationCount{});
}

}  // namespace
}  // namespace hamiltree
