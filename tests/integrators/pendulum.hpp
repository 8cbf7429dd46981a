// Two pendulums of length 1 under unit gravity, as problems for integrators: in its angle, and in
// Cartesian coordinates with the rod as a constraint.
#pragma once

#include <cmath>

#include "hamiltree/integrators/ode_problem.hpp"

namespace hamiltree::test {

// The error of each entry is weighed by its tolerance.
class WeighedProblem : public OdeProblem {
 public:
  void weights(const Tolerances& tolerances, const double* y, double* weights) const override {
    for (int i = 0; i < size(); ++i)
      weights[i] = 1.0 / (tolerances.relative * std::abs(y[i]) + tolerances.absolute);
  }
};

// q = angle from hanging, p = its rate; then the integral of p^2.
class AnglePendulum final : public WeighedProblem {
 public:
  int size() const override { return 3; }
  int coordinates() const override { return 1; }
  int integrals() const override { return 1; }
  bool rate(double, const double* y, double* y_dot) override {
    y_dot[0] = y[1];
    y_dot[1] = -std::sin(y[0]);
    y_dot[2] = y[1] * y[1];
    return true;
  }
  bool accept(double, double*) override { return true; }
};

// q = (x, y), p = their rates; Phi = (x^2 + y^2 - 1) / 2, so A = (x, y).
class RodPendulum : public WeighedProblem {
 public:
  int size() const override { return 4; }
  int coordinates() const override { return 2; }
  int constraints() const override { return 1; }
  bool rate(double t, const double* y, double* y_dot) override {
    free_rate(t, y, y_dot);
    const double lambda = -(y[2] * y[2] + y[3] * y[3] - y[1]) / (y[0] * y[0] + y[1] * y[1]);
    y_dot[2] += y[0] * lambda;
    y_dot[3] += y[1] * lambda;
    return true;
  }
  // The last impulse of the step: the rate of Phi becomes zero.
  bool accept(double, double* y) override {
    const double impulse = (y[0] * y[2] + y[1] * y[3]) / (y[0] * y[0] + y[1] * y[1]);
    y[2] -= y[0] * impulse;
    y[3] -= y[1] * impulse;
    return true;
  }
  bool free_rate(double, const double* y, double* y_dot) override {
    y_dot[0] = y[2];
    y_dot[1] = y[3];
    y_dot[2] = 0.0;
    y_dot[3] = -1.0;
    return true;
  }
  bool gaps(double, const double* y, double* phi) override {
    phi[0] = 0.5 * (y[0] * y[0] + y[1] * y[1] - 1.0);
    return true;
  }
  void add_impulses(double, const double* y, const double* impulses, double* change) override {
    change[2] += y[0] * impulses[0];
    change[3] += y[1] * impulses[0];
  }
  bool closing_impulses(double, const double* y, const double* phi, double* impulses) override {
    impulses[0] = phi[0] / (y[0] * y[0] + y[1] * y[1]);
    return true;
  }
};

}  // namespace hamiltree::test
