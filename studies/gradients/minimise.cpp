#include "studies/gradients/minimise.hpp"

#include <algorithm>
#include <cmath>

namespace hamiltree::studies::run_gradients {
namespace {

constexpr double kDecrease = 1e-4;  // of the first-order gain: what a step must bring
constexpr double kCurvature = 0.9;  // of the slope: what may be left of it
constexpr double kGain = 1e-12;     // of the value: less is the end
constexpr int kTrials = 40;

struct Place {
  Eigen::VectorXd x, gradient;
  double value = 0.0;
};

}  // namespace

Minimum minimise(const Objective& objective, const Eigen::VectorXd& start, int iterations) {
  Minimum found;
  const auto evaluate = [&](const Eigen::VectorXd& x) {
    ++found.evaluations;
    Place place{x, {}, 0.0};
    place.value = objective(x, place.gradient);
    return place;
  };
  Place at = evaluate(start);
  found.history.push_back(at.value);
  const auto identity = Eigen::MatrixXd::Identity(start.size(), start.size());
  Eigen::MatrixXd inverse = identity / std::max(at.gradient.norm(), 1e-300);
  for (int i = 0; i < iterations; ++i) {
    Eigen::VectorXd along = -inverse * at.gradient;
    double slope = along.dot(at.gradient);
    if (!(slope < 0.0)) {
      along = -at.gradient;
      slope = along.dot(at.gradient);
    }
    // Bisection for Wolfe's conditions.
    double shortest = 0.0, longest = 0.0, length = 1.0;
    Place next = evaluate(at.x + length * along);
    for (int trial = 0; trial < kTrials; ++trial) {
      if (!(next.value <= at.value + kDecrease * length * slope)) {
        longest = length;
      } else if (next.gradient.dot(along) < kCurvature * slope) {
        shortest = length;
      } else {
        break;
      }
      length = longest > 0.0 ? (shortest + longest) / 2.0 : 2.0 * length;
      next = evaluate(at.x + length * along);
    }
    if (!(next.value < at.value)) break;
    const Eigen::VectorXd s = next.x - at.x, y = next.gradient - at.gradient;
    if (const double sy = s.dot(y); sy > 0.0) {
      if (i == 0) inverse = identity * (sy / y.squaredNorm());
      const Eigen::VectorXd Hy = inverse * y;
      inverse += (1.0 + y.dot(Hy) / sy) / sy * (s * s.transpose()) -
                 (Hy * s.transpose() + s * Hy.transpose()) / sy;
    }
    const double gain = at.value - next.value;
    at = next;
    found.history.push_back(at.value);
    if (gain <= kGain * std::abs(at.value)) break;
  }
  found.x = at.x;
  found.value = at.value;
  return found;
}

}  // namespace hamiltree::studies::run_gradients
