#include "hamiltree/io/import/time_functions.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hamiltree {
namespace {

struct Scaling {
  double factor, shift;

  TimeFunction operator()(Polynomial f) const {
    for (double& c : f.coefficients) c *= factor;
    if (f.coefficients.empty()) f.coefficients.push_back(0.0);
    f.coefficients.front() += shift;
    return f;
  }
  TimeFunction operator()(Sine f) const {
    f.constant = factor * f.constant + shift;
    f.amplitude *= factor;
    return f;
  }
  TimeFunction operator()(SmoothStep f) const {
    f.from = factor * f.from + shift;
    f.to = factor * f.to + shift;
    return f;
  }
  TimeFunction operator()(Table f) const {
    for (double& value : f.values) value = factor * value + shift;
    f.start_rate *= factor;
    f.end_rate *= factor;
    return f;
  }
};

void add_values(std::vector<double>& to, const std::vector<double>& from) {
  to.resize(std::max(to.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

// Adds g to f; false where no function of this kind is their sum.
struct Addition {
  bool operator()(Polynomial& f, const Polynomial& g) const {
    add_values(f.coefficients, g.coefficients);
    return true;
  }
  bool operator()(Sine& f, const Sine& g) const {
    f.constant += g.constant;
    f.amplitude += g.amplitude;
    return f.frequency == g.frequency && f.phase == g.phase;
  }
  bool operator()(SmoothStep& f, const SmoothStep& g) const {
    f.from += g.from;
    f.to += g.to;
    return f.start == g.start && f.duration == g.duration;
  }
  bool operator()(Table& f, const Table& g) const {
    if (f.times != g.times) return false;
    add_values(f.values, g.values);
    f.start_rate += g.start_rate;
    f.end_rate += g.end_rate;
    return true;
  }
  template <class F, class G>
  bool operator()(F&, const G&) const {
    return false;
  }
};

using Bounds = std::optional<std::pair<double, double>>;

struct BoundsOf {
  Bounds operator()(const Polynomial& f) const {
    const bool constant = std::all_of(f.coefficients.begin() + (f.coefficients.empty() ? 0 : 1),
                                      f.coefficients.end(), [](double c) { return c == 0.0; });
    if (!constant) return std::nullopt;
    const double value = f.coefficients.empty() ? 0.0 : f.coefficients.front();
    return {{value, value}};
  }
  Bounds operator()(const Sine& f) const {
    const double swing = std::abs(f.amplitude);
    return {{f.constant - swing, f.constant + swing}};
  }
  Bounds operator()(const SmoothStep& f) const {
    return {{std::min(f.from, f.to), std::max(f.from, f.to)}};
  }
  Bounds operator()(const Table& f) const {
    const auto [least, most] = std::minmax_element(f.values.begin(), f.values.end());
    if (f.start_rate != 0.0 || f.end_rate != 0.0) return std::nullopt;
    return {{*least, *most}};
  }
};

}  // namespace

TimeFunction scaled(const TimeFunction& f, double factor, double shift) {
  return std::visit(Scaling{factor, shift}, f);
}

std::optional<TimeFunction> sum(const TimeFunction& f, const TimeFunction& g) {
  TimeFunction result = f;
  if (!std::visit(Addition{}, result, g)) return std::nullopt;
  return result;
}

TimeVector turned(const Eigen::Matrix3d& R, const TimeVector& vector) {
  TimeVector result;
  for (int i = 0; i < 3; ++i) {
    auto& to = result.*kTimeVectorParts[static_cast<std::size_t>(i)].function;
    for (int k = 0; k < 3; ++k) {
      const auto& from = vector.*kTimeVectorParts[static_cast<std::size_t>(k)].function;
      if (!from || R(i, k) == 0.0) continue;
      to = to ? sum(*to, scaled(*from, R(i, k))) : scaled(*from, R(i, k));
      if (!to) throw std::logic_error("components of a wrench are functions of different kinds");
    }
  }
  return result;
}

std::optional<std::pair<double, double>> bounds_of(const TimeFunction& f) {
  return std::visit(BoundsOf{}, f);
}

std::optional<double> constant_value(const TimeFunction& f) {
  const auto bounds = bounds_of(f);
  if (!bounds || bounds->first != bounds->second) return std::nullopt;
  return bounds->first;
}

}  // namespace hamiltree
