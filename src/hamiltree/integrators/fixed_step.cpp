#include "hamiltree/integrators/fixed_step.hpp"

#include <cmath>
#include <cstddef>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree {
namespace {

constexpr double kMostSteps = 1e15;  // in one advance: time can no longer tell them apart

}  // namespace

const Tableau& explicit_euler() {
  static const Tableau tableau{{0.0}, {{}}, {1.0}};
  return tableau;
}

const Tableau& runge_kutta_4() {
  static const Tableau tableau{{0.0, 0.5, 0.5, 1.0},
                               {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
                               {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};
  return tableau;
}

FixedStep::FixedStep(const Tableau& tableau, double step, OdeProblem& problem, double t,
                     const double* y)
    : tableau_(tableau),
      step_(step),
      problem_(problem),
      t_(t),
      y_(y, y + problem.size()),
      stage_(y_.size()),
      k_(tableau.b.size(), std::vector<double>(y_.size())) {}

void FixedStep::advance(double stop) {
  const double start = t_;
  // A remainder of rounding size is not a step of its own.
  const double count = (stop - start) / step_;
  if (!(count < kMostSteps)) {
    throw SimulationError(t_, "steps of " + to_text(step_) + " s are too small to ever arrive at " +
                                  to_text(stop) + " s");
  }
  const auto steps = static_cast<long>(std::ceil(count - 1e-6));
  for (long i = 1; i <= steps; ++i) {
    const double t_end = i == steps ? stop : start + static_cast<double>(i) * step_;
    take(t_end - t_, t_end);
  }
}

//   k_i = f(t + c_i h, y + h sum_j a_ij k_j)        y <- y + h sum_i b_i k_i
void FixedStep::take(double h, double t_end) {
  for (std::size_t i = 0; i < tableau_.b.size(); ++i) {
    for (std::size_t n = 0; n < y_.size(); ++n) {
      double slope = 0.0;
      for (std::size_t j = 0; j < i; ++j) slope += tableau_.a[i][j] * k_[j][n];
      stage_[n] = y_[n] + h * slope;
    }
    if (!problem_.rate(t_ + tableau_.c[i] * h, stage_.data(), k_[i].data())) {
      throw SimulationError(t_, "the rates are not finite");
    }
  }
  for (std::size_t n = 0; n < y_.size(); ++n) {
    double slope = 0.0;
    for (std::size_t i = 0; i < tableau_.b.size(); ++i) slope += tableau_.b[i] * k_[i][n];
    y_[n] += h * slope;
  }
  if (!problem_.accept(t_end, y_.data())) {
    throw SimulationError(t_, "the state after the next step is not finite");
  }
  t_ = t_end;
  ++counts_.steps;
}

}  // namespace hamiltree
