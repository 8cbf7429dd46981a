// Explicit Runge-Kutta methods with a fixed step, from their tableau.
#pragma once

#include <vector>

#include "hamiltree/integrators/fixed_step.hpp"

namespace hamiltree {

// c_i, a_ij row by row below the diagonal, b_i.
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
  void take(double t, double h, std::vector<double>& y) override;

  const Tableau& tableau_;
  std::vector<double> stage_;
  std::vector<std::vector<double>> k_;
  std::vector<double> c_;         // of a sum: y and
  std::vector<const double*> x_;  // some of k_
};

}  // namespace hamiltree
