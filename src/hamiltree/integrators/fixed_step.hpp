// Base of all methods with a fixed step: the grid of their steps.
#pragma once

#include <vector>

#include "hamiltree/base/cache_aligned.hpp"
#include "hamiltree/integrators/integrator.hpp"

namespace hamiltree {

using AlignedVector = std::vector<double, CacheAligned<double>>;

class FixedStep : public Integrator {
 public:
  // Steps have the given length, counted from where the first step towards this `stop` starts; the
  // last is cut short to end there if the interval is not a whole number of steps.
  void step(double stop) final;
  double time() const final { return t_; }
  const double* y() const final { return y_.data(); }
  Step last_step() const final { return {last_, order()}; }
  IntegratorCounts counts() const final { return {steps_, 0, 0, substitutes()}; }

 protected:
  // Throws UsageError for a step that is not positive.
  FixedStep(double step, OdeProblem& problem, double t, const double* y);

  virtual int order() const = 0;
  virtual long substitutes() const { return 0; }
  // Moves y from t by h, short of what the problem does when it accepts the step.
  virtual void take(double t, double h, double* y) = 0;

  // The rate, or free rate, of the problem; throws where it is not finite.
  void rate(double t, const double* y, double* y_dot);
  [[noreturn]] void give_up(const char* why);  // at the last accepted state

  OdeProblem& problem_;

 private:
  double step_;
  double t_;
  AlignedVector y_, last_good_;
  double start_, stop_;  // of the present row of steps
  long taken_ = 0, planned_ = 0;
  double last_ = 0.0;
  long steps_ = 0;
};

}  // namespace hamiltree
