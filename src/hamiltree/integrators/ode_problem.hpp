// OdeProblem: what an integrator solves, y' = f(t, y). y holds coordinates, then their momenta
// (or velocities), then integrals: entries on which no rate depends, such as the work done so far.
// Methods that close loops themselves also see the equation with its loops open,
//   q' = u(t, q, p)     p' = f(t, q, p) + A(t, q)^T lambda     Phi(t, q) = 0     A = Phi_q
#pragma once

#include <string>

#include "hamiltree/integrators/method.hpp"

namespace hamiltree {

// The verdict on an accepted step. kRetake: it does not stand; refusal() says why.
enum class Verdict { kGoOn, kRestart, kRetake, kStop };

class OdeProblem {
 public:
  virtual ~OdeProblem() = default;

  virtual int size() const = 0;
  virtual int coordinates() const { return 0; }
  virtual int integrals() const { return 0; }
  // The name of an entry of y in messages.
  virtual std::string name_of(int entry) const { return "y[" + std::to_string(entry) + "]"; }
  // The end of a sentence on a step that failed: why the place that was seen last is a hard one.
  // May be empty.
  virtual std::string place() const { return {}; }

  // y_dot at (t, y); false if it is not finite.
  virtual bool rate(double t, const double* y, double* y_dot) = 0;
  // d y_dot / d y at (t, y) into J, (size, size) column by column, where the problem knows it;
  // false: not here. Columns and rows of the integrals may be zero.
  virtual bool jacobian([[maybe_unused]] double t, [[maybe_unused]] const double* y,
                        [[maybe_unused]] double* J) {
    return false;
  }
  // Weights of the error norm: 1 / the tolerance of each entry.
  virtual void weights(const Tolerances& tolerances, const double* y, double* weights) const = 0;

  // After every accepted step of a one-step method, and before a restart of a multistep one; may
  // move y (projection, reset). False, y is not finite, stops the run.
  virtual bool accept(double t, double* y) = 0;
  // The same for a method that can take the step again, shorter: may refuse this one, and
  // refusal() says why. The method then goes back to where the step began.
  virtual bool accept_or_refuse(double t, double* y) { return accept(t, y); }
  // Why the last step was refused, as a sentence without a full stop; empty: it was not.
  virtual std::string refusal() const { return {}; }
  // The same for a method that closes loops itself where it leaves a step to one that does not.
  virtual bool accept_substitute(double t, double* y) { return accept(t, y); }
  // After every accepted step of a multistep method, which must not move y.
  virtual Verdict watch([[maybe_unused]] double t, [[maybe_unused]] const double* y) {
    return Verdict::kGoOn;
  }
  // From (t, y) on a method of this kind takes the steps, its tolerances left aside.
  virtual void change_method([[maybe_unused]] const Method& method, [[maybe_unused]] double t,
                             [[maybe_unused]] const double* y) {}
  // The correction that brings y, a little off it, onto the manifold on which solutions lie; for
  // multistep methods that can take it.
  virtual bool has_manifold() const { return false; }
  virtual bool correct([[maybe_unused]] double t, [[maybe_unused]] const double* y,
                       [[maybe_unused]] double* correction) {
    return true;
  }

  virtual int constraints() const { return 0; }
  // y_dot with lambda = 0; its integrals need not be set.
  virtual bool free_rate(double t, const double* y, double* y_dot) { return rate(t, y, y_dot); }
  virtual bool gaps([[maybe_unused]] double t, [[maybe_unused]] const double* y,
                    [[maybe_unused]] double* phi) {
    return true;
  }
  // Whether loops are open at y that can be closed: a step to there has not closed them.
  virtual bool is_open([[maybe_unused]] double t, [[maybe_unused]] const double* y) {
    return false;
  }
  // change += A^T impulses, in the entries of the momenta; of y only the coordinates matter.
  virtual void add_impulses([[maybe_unused]] double t, [[maybe_unused]] const double* y,
                            [[maybe_unused]] const double* impulses,
                            [[maybe_unused]] double* change) {}
  // (A M^-1 A^T)^-1 phi, or a near enough matrix: fixed points do not depend on it.
  virtual bool closing_impulses([[maybe_unused]] double t, [[maybe_unused]] const double* y,
                                [[maybe_unused]] const double* phi,
                                [[maybe_unused]] double* impulses) {
    return true;
  }
};

}  // namespace hamiltree
