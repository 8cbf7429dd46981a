#include "hamiltree/integrators/runge_kutta.hpp"

#include <algorithm>
#include <cstddef>

namespace hamiltree {

const Tableau& explicit_euler() {
  static const Tableau tableau{1, {0.0}, {{}}, {1.0}};
  return tableau;
}

const Tableau& runge_kutta_4() {
  static const Tableau tableau{4,
                               {0.0, 0.5, 0.5, 1.0},
                               {{}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
                               {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};
  return tableau;
}

RungeKutta::RungeKutta(const Tableau& tableau, double step, OdeProblem& problem, double t,
                       const double* y)
    : FixedStep(step, problem, t, y),
      tableau_(tableau),
      stage_(static_cast<std::size_t>(problem.size())),
      k_(tableau.b.size(), stage_) {}

//   k_i = f(t + c_i h, y + h sum_j a_ij k_j)        y <- y + h sum_i b_i k_i
void RungeKutta::take(double t, double h, std::vector<double>& y) {
  // sum of weights[j] k_j, in whole vectors at a time
  const auto slope = [&](const auto& weights, std::size_t stages) {
    std::ranges::fill(stage_, 0.0);
    for (std::size_t j = 0; j < stages; ++j) {
      if (weights[j] == 0.0) continue;
      for (std::size_t n = 0; n < stage_.size(); ++n) stage_[n] += weights[j] * k_[j][n];
    }
  };
  for (std::size_t i = 0; i < tableau_.b.size(); ++i) {
    slope(tableau_.a[i], i);
    for (std::size_t n = 0; n < y.size(); ++n) stage_[n] = y[n] + h * stage_[n];
    rate(t + tableau_.c[i] * h, stage_.data(), k_[i].data());
  }
  slope(tableau_.b, tableau_.b.size());
  for (std::size_t n = 0; n < y.size(); ++n) y[n] += h * stage_[n];
}

}  // namespace hamiltree
