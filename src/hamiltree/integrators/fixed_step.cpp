#include "hamiltree/integrators/fixed_step.hpp"

#include <cmath>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/require_positive.hpp"

namespace hamiltree {
namespace {

constexpr double kMostSteps = 1e15;  // in one row: time can no longer tell them apart

}  // namespace

FixedStep::FixedStep(double step, OdeProblem& problem, double t, const double* y)
    : problem_(problem), step_(step), t_(t), y_(y, y + problem.size()), start_(t), stop_(t) {
  require_positive(step, "step");
}

void FixedStep::step(double stop) {
  if (stop != stop_ || taken_ == planned_) {
    // A remainder of rounding size is not a step of its own.
    const double count = (stop - t_) / step_;
    if (!(count < kMostSteps)) {
      throw SimulationError(t_, "steps of " + to_text(step_) +
                                    " s are too small to ever arrive at " + to_text(stop) + " s");
    }
    start_ = t_;
    stop_ = stop;
    taken_ = 0;
    planned_ = static_cast<long>(std::ceil(count - 1e-6));
  }
  ++taken_;
  const double t_end = taken_ >= planned_ ? stop : start_ + static_cast<double>(taken_) * step_;
  last_ = t_end - t_;
  last_good_ = y_;
  take(t_, last_, y_.data());
  if (!problem_.accept(t_end, y_.data())) give_up("the state is not finite");
  t_ = t_end;
  ++steps_;
}

void FixedStep::rate(double t, const double* y, double* y_dot) {
  if (!problem_.rate(t, y, y_dot)) give_up("the rates are not finite");
}

void FixedStep::give_up(const char* why) {
  y_ = last_good_;
  throw SimulationError(t_, why + (" in a step of " + to_short(last_) + " s"));
}

}  // namespace hamiltree
