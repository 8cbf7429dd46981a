#include "hamiltree/math/quad.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <numbers>

namespace hamiltree {
namespace {

// The rest of a quadruple number without its double part.
double tail(const Quad& a) { return to_double(a - Quad(to_double(a))); }

TEST(Quad, CarriesMoreThanADouble) {
  const Quad third = Quad(1.0) / Quad(3.0);
  EXPECT_EQ(to_double(third), 1.0 / 3.0);
  // 1/3 in binary is 0.010101..., so the rest has the same digits 54 places further on.
  EXPECT_NEAR(tail(third), std::ldexp(1.0 / 3.0, -54), 1e-33);
  EXPECT_LE(to_double(abs(Quad(3.0) * third - Quad(1.0))), 1e-34);
}

TEST(Quad, EpsilonIsTheGapAboveOne) {
  const Quad epsilon = Quad::epsilon();
  EXPECT_EQ(to_double(epsilon), std::ldexp(1.0, -112));
  EXPECT_GT(Quad(1.0) + epsilon, Quad(1.0));
  EXPECT_EQ(Quad(1.0) + epsilon / Quad(4.0), Quad(1.0));
}

TEST(Quad, FunctionsAreExactToTheirOwnPrecision) {
  const Quad root = sqrt(Quad(2.0));
  EXPECT_LE(to_double(abs(root * root - Quad(2.0))), 1e-33);
  const Quad x(0.7);
  EXPECT_LE(to_double(abs(sin(x) * sin(x) + cos(x) * cos(x) - Quad(1.0))), 1e-33);
  EXPECT_LE(to_double(abs(atan2(sin(x), cos(x)) - x)), 1e-33);
  // sin(pi) of the double nearest to pi is what that double misses of pi.
  EXPECT_NEAR(to_double(sin(Quad(std::numbers::pi))), 1.2246467991473532e-16, 1e-31);
  // tanh(2 x) = 2 tanh(x) / (1 + tanh(x)^2)
  const Quad t = tanh(x);
  EXPECT_LE(to_double(abs(tanh(x + x) - Quad(2.0) * t / (Quad(1.0) + t * t))), 1e-33);
}

TEST(Quad, ComparesAndSelects) {
  const Quad a(-1.5);
  const Quad b(2.0);
  EXPECT_LT(a, b);
  EXPECT_EQ(abs(a), Quad(1.5));
  EXPECT_EQ(select(a < b, a, b), a);
  EXPECT_FALSE(Quad(std::numeric_limits<double>::quiet_NaN()) <= b);
}

TEST(Quad, WorksInMatrices) {
  const Eigen::Matrix3d A = Eigen::Matrix3d::Random();
  const Eigen::Matrix<Quad, 3, 3> B = A.cast<Quad>();
  const Quad exact = B(0, 0) * B(0, 0) + B(0, 1) * B(1, 0) + B(0, 2) * B(2, 0);
  EXPECT_EQ((B * B)(0, 0), exact);
  EXPECT_NEAR(to_double(exact), (A * A)(0, 0), 1e-15);
}

}  // namespace
}  // namespace hamiltree
