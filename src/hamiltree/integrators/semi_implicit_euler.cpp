#include "hamiltree/integrators/semi_implicit_euler.hpp"

#include <cstddef>

namespace hamiltree {

SemiImplicitEulerSteps::SemiImplicitEulerSteps(double step, OdeProblem& problem, double t,
                                               const double* y)
    : FixedStep(step, problem, t, y), y_dot_(static_cast<std::size_t>(problem.size())) {}

//   p <- p + h f(t, q, p)        q <- q + h u(t, q, p)
void SemiImplicitEulerSteps::take(double t, double h, double* y) {
  const auto coordinates = static_cast<std::size_t>(problem_.coordinates());
  rate(t, y, y_dot_.data());
  for (std::size_t n = coordinates; n < y_dot_.size(); ++n) y[n] += h * y_dot_[n];
  rate(t, y, y_dot_.data());
  for (std::size_t n = 0; n < coordinates; ++n) y[n] += h * y_dot_[n];
}

}  // namespace hamiltree
