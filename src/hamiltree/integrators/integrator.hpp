// Integrators: methods as data, an ordinary differential equation as an interface, and the one
// class that marches it. Nothing here knows of mechanics.
#pragma once

#include <memory>
#include <string>
#include <variant>

namespace hamiltree {

// Dormand-Prince 5(4) with adaptive steps, by SUNDIALS' ARKODE.
struct DormandPrince {
  double rtol = 1e-9;
  double atol = 1e-9;
};
// The classical Runge-Kutta method of order 4 with a fixed step in s.
struct RungeKutta4 {
  double step = 1e-3;
};
// Explicit Euler with a fixed step in s, the method of [Turno2023].
struct Euler {
  double step = 1e-4;
};
using Method = std::variant<DormandPrince, RungeKutta4, Euler>;

// "dormand_prince", "rk4", "euler".
const char* to_name(const Method& method);

class OdeProblem {
 public:
  virtual ~OdeProblem() = default;

  virtual int size() const = 0;
  // y_dot at (t, y); false if it is not finite.
  virtual bool rate(double t, const double* y, double* y_dot) = 0;
  // Weights of the error norm, 1 / tolerance of each component; adaptive methods ask for them.
  virtual void weights(const double* y, double* weights) const = 0;
  // After every accepted step; may move y (projection, reset). False stops the run.
  virtual bool accept(double t, double* y) = 0;
};

struct IntegratorCounts {
  long steps = 0;
  long rejected = 0;
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  // Marches from the present time to exactly `stop`. Throws SimulationError where it has to give
  // up.
  virtual void advance(double stop) = 0;
  virtual double time() const = 0;
  virtual const double* y() const = 0;
  virtual IntegratorCounts counts() const = 0;
};

// Starts at (t, y); the problem must outlive the integrator. Throws UsageError for tolerances or
// steps that are not positive.
std::unique_ptr<Integrator> make_integrator(const Method& method, OdeProblem& problem, double t,
                                            const double* y);

}  // namespace hamiltree
