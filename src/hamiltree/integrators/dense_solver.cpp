#include "hamiltree/integrators/dense_solver.hpp"

#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <Eigen/LU>
#include <new>

namespace hamiltree::sundials {
namespace {

using Factors = Eigen::PartialPivLU<Eigen::MatrixXd>;

Factors& factors_of(SUNLinearSolver solver) { return *static_cast<Factors*>(solver->content); }

SUNLinearSolver_Type type_of(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }

// A positive code asks CVODE to try again with another step.
int factor(SUNLinearSolver solver, SUNMatrix A) {
  const auto n = SUNDenseMatrix_Rows(A);
  auto& factors = factors_of(solver);
  factors.compute(Eigen::Map<const Eigen::MatrixXd>(SUNDenseMatrix_Data(A), n, n));
  const auto pivots = factors.matrixLU().diagonal();
  return pivots.allFinite() && (pivots.array() != 0.0).all() ? 0 : 1;
}

int solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
  const auto n = N_VGetLength(b);
  Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(x), n).noalias() =
      factors_of(solver).solve(Eigen::Map<const Eigen::VectorXd>(N_VGetArrayPointer(b), n));
  return 0;
}

int free(SUNLinearSolver solver) {
  delete &factors_of(solver);
  solver->content = nullptr;
  SUNLinSolFreeEmpty(solver);
  return 0;
}

}  // namespace

SUNLinearSolver make_dense_solver(SUNContext context) {
  auto* const solver = SUNLinSolNewEmpty(context);
  if (solver == nullptr) throw std::bad_alloc();
  solver->ops->gettype = type_of;
  solver->ops->setup = factor;
  solver->ops->solve = solve;
  solver->ops->free = free;
  solver->content = new Factors;
  return solver;
}

}  // namespace hamiltree::sundials
