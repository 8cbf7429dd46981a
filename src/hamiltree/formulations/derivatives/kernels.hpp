// The passes of joint space, compiled for every instruction set. A Jacobian goes pose - factor -
// solve_one - move - differentiate - solve - finish.
#pragma once

#include "hamiltree/formulations/derivatives/joint_space.hpp"

namespace hamiltree::derivatives {

struct Kernels {
  // After kernel::Kernels::place, or what stands for it: axes, composites and constraint rows, and
  // with them K.
  void (*pose)(const Tables&, const kernel::Work&, Work&);
  // With the right-hand sides that K has. False where a pivot is lost.
  bool (*factor)(const Elimination&, Work&);
  void (*solve_one)(const Elimination&, const Tables&, Work&);  // Work::primal
  // Velocities of the bodies and momenta behind them; v null: only drives move.
  void (*move)(const Tables&, const kernel::Work&, const double* v, Work&);
  // S^T of the momenta, and the rates at which the rows open.
  void (*project)(const Tables&, const Work&, double* momenta, double* opening);
  // Right-hand sides, and the derivatives of pdot at fixed v and sigma; after move().
  void (*differentiate)(const Tables&, const kernel::Work&, const State&, Work&);
  void (*solve)(const Elimination&, Work&);  // Work::X
  // Adds what comes through v and sigma. False if not all is finite.
  bool (*finish)(const Elimination&, const Tables&, Work&);
  void (*find_coordinate_rates)(const Tables&, Work&);  // Work::Q_dot
};

// Kernels for the best instruction set of this machine.
const Kernels& kernels();

}  // namespace hamiltree::derivatives
