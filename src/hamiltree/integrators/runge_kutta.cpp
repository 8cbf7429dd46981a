#include "hamiltree/integrators/runge_kutta.hpp"

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
      kernels_(sums::kernels()),
      stage_(static_cast<std::size_t>(problem.size())),
      k_(tableau.b.size(), stage_) {
  for (std::size_t i = 1; i <= k_.size(); ++i) {
    const auto& weights = i < k_.size() ? tableau.a[i] : tableau.b;
    auto& sum = sums_.emplace_back();
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0.0) continue;
      sum.weights.push_back(weights[j]);
      sum.x.push_back(k_[j].data());
    }
    sum.c.resize(sum.x.size());
  }
}

void RungeKutta::add(Sum& sum, double h, const double* y, double* to) {
  for (std::size_t j = 0; j < sum.weights.size(); ++j) sum.c[j + 1] = h * sum.weights[j];
  sum.x.front() = y;
  kernels_.combine(stage_.size(), static_cast<int>(sum.x.size()), sum.c.data(), sum.x.data(), to);
}

//   k_i = f(t + c_i h, y + h sum_j a_ij k_j)        y <- y + h sum_i b_i k_i
void RungeKutta::take(double t, double h, double* y) {
  rate(t, y, k_.front().data());
  for (std::size_t i = 1; i < k_.size(); ++i) {
    add(sums_[i - 1], h, y, stage_.data());
    rate(t + tableau_.c[i] * h, stage_.data(), k_[i].data());
  }
  add(sums_.back(), h, y, y);
}

}  // namespace hamiltree
