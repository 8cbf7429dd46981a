// Explicit Runge-Kutta methods with a fixed step, from their tableau.
#pragma once

#include <vector>

#include "hamiltree/integrators/integrator.hpp"

namespace hamiltree {

// c_i, a_ij row by row below the diagonal, b_i.
struct Tableau {
  std::vector<double> c;
  std::vector<std::vector<double>> a;
  std::vector<double> b;
};

const Tableau& explicit_euler();
const Tableau& runge_kutta_4();

class FixedStep final : public Integrator {
 public:
  FixedStep(const Tableau& tableau, double step, OdeProblem& problem, double t, const double* y);

  // Steps have the given length, counted from where this call starts; the last is cut short to end
  // at `stop` if the interval is not a whole number of steps.
  void advance(double stop) override;
  double time() const override { return t_; }
  const double* y() const override { return y_.data(); }
  IntegratorCounts counts() const override { return counts_; }

 private:
  void take(double h, double t_end);

  const Tableau& tableau_;
  double step_;
  OdeProblem& problem_;
  double t_;
  std::vector<double> y_, stage_;
  std::vector<std::vector<double>> k_;
  IntegratorCounts counts_;
};

}  // namespace hamiltree
