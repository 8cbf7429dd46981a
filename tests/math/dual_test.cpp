#include "hamiltree/math/dual.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <complex>

namespace hamiltree {
namespace {

// One expression through every operation that std::complex has too.
template <class T>
T mixed_expression(const T& x) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  T y = 3.0 * x + 1.0;
  y -= sin(x * x) / (2.0 + cos(x));
  y *= sqrt(x + 4.0) - 0.5;
  y /= 1.0 + x * x;
  y += -x;
  return 1.0 / y - y * 0.25;
}

TEST(Dual, AgreesWithComplexStep) {
  for (const double x : {-2.5, -0.3, 0.1, 0.9, 2.0, 7.0}) {
    constexpr double h = 1e-100;
    const std::complex<double> step = mixed_expression(std::complex<double>(x, h));
    const Dual result = mixed_expression(Dual(x, 1.0));
    EXPECT_DOUBLE_EQ(result.value, mixed_expression(x));
    EXPECT_NEAR(result.derivative, step.imag() / h, 1e-13 * (1.0 + std::abs(result.derivative)));
  }
}

TEST(Dual, KnownDerivatives) {
  const Dual x(0.7, 1.0);
  EXPECT_DOUBLE_EQ((x * x).derivative, 1.4);
  EXPECT_DOUBLE_EQ((1 / x).derivative, -1.0 / 0.49);
  EXPECT_DOUBLE_EQ(sqrt(x).derivative, 0.5 / std::sqrt(0.7));
  EXPECT_DOUBLE_EQ(tanh(x).derivative, 1.0 / (std::cosh(0.7) * std::cosh(0.7)));
  EXPECT_DOUBLE_EQ(abs(-2 * x).derivative, 2.0);
  EXPECT_DOUBLE_EQ((x - 1).derivative, 1.0);
  // The angle of (cos x, sin x) is x, in every quadrant.
  for (const double angle : {-3.0, -1.7, -0.4, 0.2, 1.2, 2.9}) {
    const Dual turn(angle, 1.0);
    const Dual back = atan2(5.0 * sin(turn), 5.0 * cos(turn));
    EXPECT_NEAR(back.value, angle, 1e-15);
    EXPECT_NEAR(back.derivative, 1.0, 1e-15);
  }
}

TEST(Dual, ComparesValuesAndSelects) {
  const Dual a(1.0, 5.0);
  const Dual b(2.0, 7.0);
  EXPECT_TRUE(a < b && a <= b && b > a && b >= a && a != b);
  EXPECT_TRUE(a == 1.0 && a < 2 && 0 < a);
  EXPECT_EQ(select(a < b, a, b).derivative, 5.0);
  EXPECT_EQ(select(b < a, a, 0.0).derivative, 0.0);
  EXPECT_EQ(to_double(b), 2.0);
  EXPECT_EQ(select(true, 1.0f, 2.0f), 1.0f);
}

TEST(Dual, WorksInEigen) {
  Eigen::Matrix3d A;
  A << 2.0, -1.0, 0.5, 0.3, 1.5, -0.2, 0.1, 0.4, 3.0;
  const Eigen::Vector3d value(0.4, -1.2, 2.0);
  const Eigen::Vector3d direction(1.0, 0.5, -0.3);
  Eigen::Vector3<Dual> x = value.cast<Dual>();
  for (int i = 0; i < 3; ++i) x(i).derivative = direction(i);

  const Dual quadratic = x.dot(A.cast<Dual>() * x);
  EXPECT_NEAR(quadratic.value, value.dot(A * value), 1e-14);
  EXPECT_NEAR(quadratic.derivative, value.dot((A + A.transpose()) * direction), 1e-14);

  // A matrix of doubles and numbers mix in without a cast.
  const Eigen::Vector3<Dual> y = 2.0 * (A * x) - x * 3;
  EXPECT_NEAR(y(1).derivative, 2.0 * (A * direction)(1) - 3.0 * direction(1), 1e-14);

  EXPECT_NEAR(x.norm().derivative, value.dot(direction) / value.norm(), 1e-15);
  EXPECT_NEAR(
      x.normalized()(2).derivative,
      direction(2) / value.norm() - value(2) * value.dot(direction) / std::pow(value.norm(), 3),
      1e-15);
  const Eigen::Vector3d k(0.2, 0.7, -0.1);
  const Eigen::Vector3<Dual> moment = x.cross(k.cast<Dual>());
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(moment(i).derivative, direction.cross(k)(i), 1e-15);
  }
}

TEST(Dual, WorksInLargeDynamicProducts) {
  const Eigen::Index n = 40;  // large enough for Eigen's blocked product
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(n, n);
  const Eigen::MatrixXd B = Eigen::MatrixXd::Random(n, n);
  const Dual s(0.5, 1.0);
  const Eigen::MatrixX<Dual> C = (s * A) * (s * B).eval();
  const Eigen::MatrixXd AB = A * B;
  EXPECT_NEAR(C(3, 17).value, 0.25 * AB(3, 17), 1e-13);
  EXPECT_NEAR(C(3, 17).derivative, AB(3, 17), 1e-13);
}

}  // namespace
}  // namespace hamiltree
