// Whole kernels on Traced, through Eigen: the trace computes what the kernel computes.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/math/counting.hpp"
#include "hamiltree/math/tracing.hpp"

namespace hamiltree {
namespace {

// Kernels on plain numbers, to run on double (or Counted, which Eigen does not vectorise) and on
// Traced.
template <class T>
std::vector<T> congruence(const std::vector<T>& in) {
  using Matrix6 = Eigen::Matrix<T, 6, 6>;
  const Eigen::Map<const Matrix6> A(in.data());
  const Eigen::Map<const Matrix6> B(in.data() + 36);
  const Matrix6 M = B + B.transpose() + T(3.0) * Matrix6::Identity();
  const Matrix6 result = A.transpose() * M * A;
  return {result.data(), result.data() + 36};
}

// L D L^T x = b by columns, a pivot too small replaced by 1; dynamic size.
template <class T>
std::vector<T> ldl_solve(const std::vector<T>& in) {
  constexpr Eigen::Index n = 5;
  const Eigen::Map<const Eigen::MatrixX<T>> B(in.data(), n, n);
  Eigen::MatrixX<T> A(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) A(i, j) = B(i, j) + B(j, i);
  Eigen::VectorX<T> x(n);
  for (Eigen::Index i = 0; i < n; ++i) x(i) = in[static_cast<std::size_t>(n * n + i)];
  Eigen::VectorX<T> inverse(n);
  for (Eigen::Index j = 0; j < n; ++j) {
    inverse(j) = T(1.0) / select(A(j, j) < T(0.5), T(1.0), A(j, j));
    for (Eigen::Index i = j + 1; i < n; ++i) {
      const T l = A(i, j) * inverse(j);
      for (Eigen::Index k = j + 1; k <= i; ++k) A(i, k) -= l * A(k, j);
      A(i, j) = l;
      x(i) -= l * x(j);
    }
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    x(i) *= inverse(i);
    for (Eigen::Index k = i + 1; k < n; ++k) x(i) -= A(k, i) * x(k);
  }
  return {x.data(), x.data() + n};
}

// Geometry, blocks, norms and functions in one go.
template <class T>
std::vector<T> geometry(const std::vector<T>& in) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  using Vector3 = Eigen::Matrix<T, 3, 1>;
  const Vector3 a(in[0], in[1], in[2]);
  const Vector3 b(in[3], in[4], in[5]);
  Eigen::Matrix<T, 3, 3> R = Eigen::Matrix<T, 3, 3>::Identity();
  R.template topLeftCorner<2, 2>() << cos(in[6]), -sin(in[6]), sin(in[6]), cos(in[6]);
  Eigen::Matrix<T, 6, 1> V = Eigen::Matrix<T, 6, 1>::Zero();
  V.template head<3>() = R * a.cross(b);
  V.template tail<3>() = a.cwiseProduct(b).cwiseAbs() / a.squaredNorm() - 2.0 * b;
  V += Eigen::Matrix<double, 6, 1>::LinSpaced(0.0, 1.0).template cast<T>();
  V(5) = V.norm() + V.sum() * (R * R.transpose()).trace() + sqrt(a.array().square().sum());
  return {V.data(), V.data() + 6};
}

// Dynamic sizes beyond Eigen's threshold for blocked products, and a strided destination.
template <class T>
std::vector<T> dynamic_products(const std::vector<T>& in) {
  const Eigen::Index n = 12;
  const Eigen::Map<const Eigen::MatrixX<T>> A(in.data(), n, n);
  const Eigen::VectorX<T> x = A.col(0) - A.row(1).transpose();
  Eigen::MatrixX<T> C = A * A.transpose();
  C.noalias() += A * C.transpose();
  C.row(2) = x.transpose() * A;
  C.row(3) = (A * x).transpose();
  C.block(4, 4, 3, 5) *= T(2.0);
  return {C.data(), C.data() + n * n};
}

template <class T>
using Kernel = std::vector<T> (*)(const std::vector<T>&);

std::vector<double> random_numbers(std::size_t size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x(size);
  for (double& value : x) value = uniform(generator);
  return x;
}

Trace trace_kernel(Kernel<Traced> kernel, std::size_t inputs) {
  Trace trace;
  const TraceScope scope(trace);
  std::vector<Traced> x;
  for (std::size_t i = 0; i < inputs; ++i) x.push_back(trace.input(std::to_string(i)));
  for (const Traced& y : kernel(x)) trace.output("y", y);
  return trace;
}

// Compilers may fuse the double path's products and sums where the machine can; bits then differ.
void expect_same(double traced, double computed) {
#if defined(__FMA__) || defined(__FP_FAST_FMA)
  EXPECT_NEAR(traced, computed, 1e-12 * (1.0 + std::abs(computed)));
#else
  EXPECT_EQ(std::bit_cast<std::uint64_t>(traced), std::bit_cast<std::uint64_t>(computed))
      << traced << " against " << computed;
#endif
}

// One trace, many inputs: all results are those of Counted, bit for bit, and close to double's,
// whose sums Eigen may take in another order.
template <class Reference>
void expect_agreement(Kernel<Traced> traced, Kernel<Reference> reference, Kernel<double> plain,
                      std::size_t inputs) {
  const Trace trace = trace_kernel(traced, inputs);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::vector<double> x = random_numbers(inputs, seed);
    const std::vector<double> y = trace.evaluate(x);
    const std::vector<Reference> expected = reference(std::vector<Reference>(x.begin(), x.end()));
    const std::vector<double> close = plain(x);
    ASSERT_EQ(y.size(), expected.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      expect_same(y[i], to_double(expected[i]));
      EXPECT_NEAR(y[i], close[i], 1e-11 * (1.0 + std::abs(close[i])));
    }
  }
}

TEST(TracedKernels, CongruenceIsBitExact) {
  expect_agreement<Counted>(congruence<Traced>, congruence<Counted>, congruence<double>, 72);
}

TEST(TracedKernels, LoopWithSelectIsBitExact) {
  expect_agreement<double>(ldl_solve<Traced>, ldl_solve<double>, ldl_solve<double>, 30);
}

TEST(TracedKernels, GeometryIsBitExact) {
  expect_agreement<Counted>(geometry<Traced>, geometry<Counted>, geometry<double>, 7);
}

TEST(TracedKernels, DynamicProductsAreBitExact) {
  expect_agreement<Counted>(dynamic_products<Traced>, dynamic_products<Counted>,
                            dynamic_products<double>, 144);
}

TEST(TracedKernels, NeverNeedsMoreThanCounted) {
  const std::vector<double> x = random_numbers(72, 1);
  const std::vector<Counted> in(x.begin(), x.end());
  const CountOperations scope;
  congruence<Counted>(in);
  const OperationCount executed = scope.count();
  const OperationCount needed = trace_kernel(congruence<Traced>, 72).count();
  EXPECT_EQ(executed.multiplications, 2U * 216U + 36U);
  EXPECT_EQ(needed.multiplications, 2U * 216U);  // 3 I folds
  EXPECT_EQ(executed.additions, 2U * 180U + 2U * 36U);
  EXPECT_EQ(needed.additions, 2U * 180U + 21U + 6U);  // B + B^T is symmetric, 3 I diagonal
}

TEST(Scalars, KnowAtan2) {
  Trace trace;
  {
    const TraceScope scope(trace);
    const Traced y = trace.input("y");
    trace.output("angle", atan2(y, trace.input("x")));
  }
  EXPECT_EQ(trace.evaluate(std::vector{-1.0, -2.0})[0], std::atan2(-1.0, -2.0));
  EXPECT_EQ(trace.count().trigonometric, 1U);
  EXPECT_EQ(atan2(Traced(1.0), Traced(-1.0)).constant_value(), std::atan2(1.0, -1.0));
  const CountOperations scope;
  EXPECT_EQ(atan2(Counted(1.0), Counted(-2.0)).value(), std::atan2(1.0, -2.0));
  EXPECT_EQ(scope.count().trigonometric, 1U);
}

TEST(Scalars, KnowTanh) {
  Trace trace;
  {
    const TraceScope scope(trace);
    const Traced x = trace.input("x");
    trace.output("y", tanh(x));
    trace.output("minus y", tanh(-x));
  }
  const auto values = trace.evaluate(std::vector{0.3});
  EXPECT_EQ(values[0], std::tanh(0.3));
  EXPECT_EQ(values[1], -std::tanh(0.3));
  EXPECT_EQ(trace.count().trigonometric, 1U);
  EXPECT_EQ(tanh(Traced(-1.0)).constant_value(), std::tanh(-1.0));
  const CountOperations scope;
  EXPECT_EQ(tanh(Counted(1.0)).value(), std::tanh(1.0));
  EXPECT_EQ(scope.count().trigonometric, 1U);
}

}  // namespace
}  // namespace hamiltree
