// How fast a problem could move, and how fast it does: the largest |lambda| of its Jacobian J, by
// nonlinear power iteration, and |y_dot_dot| / |y_dot|, each a rate a turn.
#pragma once

#include <vector>

#include "hamiltree/integrators/ode_problem.hpp"

namespace hamiltree {

struct Scales {
  double fastest = 0.0;  // 1/s, of any mode; 0: nothing is known, a rate was not finite
  double cosine = 0.0;   // between its direction and what becomes of it: -1 where it decays
  double moving = 0.0;   // 1/s, of the motion as it goes
};

class TimeScales {
 public:
  // Errors are weighed by `tolerances`, which say what is small against y.
  TimeScales(OdeProblem& problem, const Tolerances& tolerances);

  // At (t, y), by three rates; the iteration goes on from where the last call ended. `step`: s, how
  // far ahead rates may be asked for.
  Scales at(double t, const double* y, double step);

 private:
  using Vector = std::vector<double>;
  double norm(const Vector& x) const;
  double dot(const Vector& a, const Vector& b) const;
  bool differentiate(double t, double longest, const double* y, Vector& direction, double& growth);

  OdeProblem& problem_;
  Tolerances tolerances_;
  Vector rate_, fastest_, moving_, moved_, before_, weights_;
};

}  // namespace hamiltree
