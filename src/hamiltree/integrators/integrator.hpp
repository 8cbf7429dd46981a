// Integrator: solves an ordinary differential equation, one accepted step after the other.
// Nothing here knows of mechanics.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "hamiltree/integrators/method.hpp"
#include "hamiltree/integrators/ode_problem.hpp"

namespace hamiltree {

struct IntegratorCounts {
  long steps = 0;
  long rejected = 0;
  long restarts = 0;     // of multistep methods
  long substitutes = 0;  // steps that a method closing loops itself had to leave to another
};

// The last accepted step.
struct Step {
  double size = 0.0;  // s
  int order = 0;
};

// From t (s) on the method of this name takes the steps.
struct MethodChange {
  double t = 0.0;
  std::string to;
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  // One accepted step, not beyond `stop`, which it reaches exactly. Throws SimulationError where it
  // has to give up.
  virtual void step(double stop) = 0;
  void advance(double stop) {
    while (time() < stop) step(stop);
  }
  virtual double time() const = 0;
  virtual const double* y() const = 0;
  virtual Step last_step() const = 0;
  virtual IntegratorCounts counts() const = 0;

  // Dense output: the state at t (s) within the last accepted step, to the order of the method and
  // as the problem had not yet moved the end of the step. May evaluate rates.
  virtual bool has_dense_output() const { return false; }
  virtual void interpolate([[maybe_unused]] double t, [[maybe_unused]] double* y) {}
  // A note for the user on how the steps were taken; empty: nothing.
  virtual std::string note() const { return {}; }
};

// Starts at (t, y); the problem must outlive the integrator. Throws UsageError for tolerances or
// steps that are not positive, and for methods that do not fit the problem.
std::unique_ptr<Integrator> make_integrator(const Method& method, OdeProblem& problem, double t,
                                            const double* y);

// Makes an integrator of the caller's, which starts at (t, y).
using MakeIntegrator =
    std::function<std::unique_ptr<Integrator>(OdeProblem& problem, double t, const double* y)>;

}  // namespace hamiltree
