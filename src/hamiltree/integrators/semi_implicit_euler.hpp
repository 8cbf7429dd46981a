// Semi-implicit Euler: first the momenta, then the coordinates with the new momenta.
#pragma once

#include <vector>

#include "hamiltree/integrators/fixed_step.hpp"

namespace hamiltree {

class SemiImplicitEulerSteps final : public FixedStep {
 public:
  SemiImplicitEulerSteps(double step, OdeProblem& problem, double t, const double* y);

 private:
  int order() const override { return 1; }
  void take(double t, double h, double* y) override;

  AlignedVector y_dot_;
};

}  // namespace hamiltree
