#include "hamiltree/integrators/runge_kutta.hpp"

#include <cstddef>

#include "hamiltree/integrators/linear_combination.hpp"

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
      k_(tableau.b.size(), stage_) {
  c_.reserve(k_.size() + 1);
  x_.reserve(k_.size() + 1);
}

//   k_i = f(t + c_i h, y + h sum_j a_ij k_j)        y <- y + h sum_i b_i k_i
void RungeKutta::take(double t, double h, std::vector<double>& y) {
  const auto move = [&](const auto& weights, std::size_t stages, std::vector<double>& to) {
    c_ = {1.0};
    x_ = {y.data()};
    for (std::size_t j = 0; j < stages; ++j) {
      if (weights[j] == 0.0) continue;
      c_.push_back(h * weights[j]);
      x_.push_back(k_[j].data());
    }
    linear_combination(
        y.size(), static_cast<int>(c_.size()), c_.data(),
        [&](int k) { return x_[static_cast<std::size_t>(k)]; }, to.data());
  };
  for (std::size_t i = 0; i < tableau_.b.size(); ++i) {
    move(tableau_.a[i], i, stage_);
    rate(t + tableau_.c[i] * h, stage_.data(), k_[i].data());
  }
  move(tableau_.b, tableau_.b.size(), y);
}

}  // namespace hamiltree
