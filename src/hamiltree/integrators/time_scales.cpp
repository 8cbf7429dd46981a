#include "hamiltree/integrators/time_scales.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hamiltree {
namespace {

constexpr double kPerturbation = 1e-7;  // of y, in the norm of errors

}  // namespace

TimeScales::TimeScales(OdeProblem& problem, const Tolerances& tolerances)
    : problem_(problem),
      tolerances_(tolerances),
      rate_(static_cast<std::size_t>(problem.size())),
      fastest_(rate_.size()),
      moving_(rate_.size()),
      moved_(rate_.size()),
      before_(rate_.size()),
      weights_(rate_.size()) {}

// A mean, over what rates depend on.
double TimeScales::dot(const Vector& a, const Vector& b) const {
  const auto count = a.size() - static_cast<std::size_t>(problem_.integrals());
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i] * weights_[i] * b[i] * weights_[i];
  return sum / static_cast<double>(count);
}

double TimeScales::norm(const Vector& x) const { return std::sqrt(dot(x, x)); }

// J times the direction, scaled to a small length, and by how much that is longer; and what t
// changes while y goes that way, for no longer than `longest` (s). False where the rate is not
// finite.
bool TimeScales::differentiate(double t, double longest, const double* y, Vector& direction,
                               double& growth) {
  const double size = kPerturbation / tolerances_.relative;
  const double length = norm(direction);
  growth = 0.0;
  if (!(length > 0.0)) return true;
  for (std::size_t i = 0; i < direction.size(); ++i)
    moved_[i] = y[i] + direction[i] * (size / length);
  t += std::min(size / length, longest);
  if (!problem_.rate(t, moved_.data(), direction.data())) return false;
  for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= rate_[i];
  growth = norm(direction) / size;
  return true;
}

Scales TimeScales::at(double t, const double* y, double step) {
  problem_.weights(tolerances_, y, weights_.data());
  if (!problem_.rate(t, y, rate_.data())) return {};
  moving_ = rate_;
  if (!(norm(fastest_) > 0.0)) {  // any direction that has a part of every mode
    for (std::size_t i = 0; i < fastest_.size(); ++i)
      fastest_[i] = (i % 2 == 0 ? 1.0 : -0.7) / weights_[i];
  }
  before_ = fastest_;
  Scales scales;
  if (!differentiate(t, step, y, moving_, scales.moving) ||
      !differentiate(t, 0.0, y, fastest_, scales.fastest)) {
    fastest_.assign(fastest_.size(), 0.0);
    return {};
  }
  const double lengths = norm(before_) * norm(fastest_);
  if (lengths > 0.0) scales.cosine = dot(before_, fastest_) / lengths;
  return scales;
}

}  // namespace hamiltree
