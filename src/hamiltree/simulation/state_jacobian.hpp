// StateJacobian: d y_dot / d y of the state (q, p, work) of MechanismOde, by the closed form of
// formulations/derivatives/. No rate depends on the work: its columns are zero. Its rows are left
// out; Newton's method does without them.
#pragma once

#include <memory>

#include "hamiltree/formulations/derivatives/analytic.hpp"

namespace hamiltree {

class StateJacobian {
 public:
  // Refers to the formulation, one of momenta of this model.
  StateJacobian(const Model& model, const Formulation& formulation);

  // Into J, (size, size) column by column, with what stands beyond q and p in y zero. False where
  // the closed form does not hold, or is not finite. Overwrites the last evaluation.
  bool find(const StateView& state, Workspace& workspace, int size, double* J);

 private:
  std::unique_ptr<derivatives::Analytic> analytic_;  // null where it never holds
  Jacobians jacobians_;
};

}  // namespace hamiltree
