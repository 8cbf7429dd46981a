// A linear solver of CVODE for dense matrices: SUNDIALS' own eliminates one number at a time, and
// takes most of the time of a step.
#pragma once

#include <sundials/sundials_linearsolver.h>

namespace hamiltree::sundials {

// By rows exchanged and columns in blocks. Free it by SUNLinSolFree.
SUNLinearSolver make_dense_solver(SUNContext context);

}  // namespace hamiltree::sundials
