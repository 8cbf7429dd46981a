// Our dense solver against matrices whose solutions are known, and where there is none.
#include "hamiltree/integrators/dense_solver.hpp"

#include <gtest/gtest.h>
#include <sundials/sundials_linearsolver.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <type_traits>

#include "hamiltree/integrators/sundials.hpp"

namespace hamiltree::sundials {
namespace {

constexpr unsigned kSolverSeed = 2511;

class DenseSolver : public testing::TestWithParam<int> {
 protected:
  // Random, with nothing on its diagonal: rows must be exchanged.
  void fill() {
    std::printf("seed %u\n", kSolverSeed);
    std::mt19937 random(kSolverSeed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) entry(i, j) = i == j ? 0.0 : uniform(random);
    for (int i = 0; i < n; ++i) data(x.get())[i] = uniform(random);
  }
  double& entry(int i, int j) { return SUNDenseMatrix_Column(A.get(), j)[i]; }

  int n = GetParam();
  Context context = make_context();
  std::unique_ptr<std::remove_pointer_t<SUNMatrix>, decltype(&SUNMatDestroy)> A{
      SUNDenseMatrix(n, n, context.get()), SUNMatDestroy};
  std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, decltype(&SUNLinSolFree)> solver{
      make_dense_solver(context.get()), SUNLinSolFree};
  Vector x{N_VNew_Serial(n, context.get())}, b{N_VNew_Serial(n, context.get())},
      found{N_VNew_Serial(n, context.get())};
};

TEST_P(DenseSolver, FindsWhatWasMultiplied) {
  fill();
  SUNMatMatvec(A.get(), x.get(), b.get());
  ASSERT_EQ(SUNLinSolSetup(solver.get(), A.get()), 0);
  ASSERT_EQ(SUNLinSolSolve(solver.get(), A.get(), found.get(), b.get(), 0.0), 0);
  double worst = 0.0;
  for (int i = 0; i < n; ++i)
    worst = std::max(worst, std::abs(data(found.get())[i] - data(x.get())[i]));
  std::printf("%d: off by %.1e\n", n, worst);
  EXPECT_LT(worst, 1e-10);
}

TEST_P(DenseSolver, SaysThatAMatrixIsSingularAndGoesOn) {
  fill();
  const double kept = entry(0, n - 1);
  for (int i = 0; i < n; ++i) entry(i, n - 1) = 0.0;
  EXPECT_GT(SUNLinSolSetup(solver.get(), A.get()), 0);
  entry(0, n - 1) = std::nan("");
  EXPECT_GT(SUNLinSolSetup(solver.get(), A.get()), 0);
  fill();
  EXPECT_EQ(entry(0, n - 1), kept);
  EXPECT_EQ(SUNLinSolSetup(solver.get(), A.get()), 0);
}

INSTANTIATE_TEST_SUITE_P(Sizes, DenseSolver, testing::Values(2, 7, 16, 33, 100));

}  // namespace
}  // namespace hamiltree::sundials
