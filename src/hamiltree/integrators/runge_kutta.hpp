// Explicit Runge-Kutta methods with a fixed step, from their tableau.
#pragma once

#include <vector>

#include "hamiltree/integrators/fixed_step.hpp"
#include "hamiltree/integrators/sums.hpp"

namespace hamiltree {

// c_i, a_ij row by row below the diagonal, b_i; the first stage is where the step begins.
struct Tableau {
  int order;
  std::vector<double> c;
  std::vector<std::vector<double>> a;
  std::vector<double> b;
};

const Tableau& explicit_euler();
const Tableau& runge_kutta_4();

class RungeKutta final : public FixedStep {
 public:
  RungeKutta(const Tableau& tableau, double step, OdeProblem& problem, double t, const double* y);

 private:
  int order() const override { return tableau_.order; }
  void take(double t, double h, double* y) override;

  // y + h sum_j weight_j k_j, without the terms that are zero.
  struct Sum {
    std::vector<double> weights, c{1.0};  // c: of y, and h times the weights
    std::vector<const double*> x{nullptr};
  };
  void add(Sum& sum, double h, const double* y, double* to);

  const Tableau& tableau_;
  const sums::Kernels& kernels_;
  AlignedVector stage_;
  std::vector<AlignedVector> k_;
  std::vector<Sum> sums_;  // of the second stage, the third, ..., and the whole step
};

}  // namespace hamiltree
