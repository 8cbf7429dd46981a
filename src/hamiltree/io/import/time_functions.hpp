// Functions of time computed with: scaled, shifted, added and bounded, for importers.
#pragma once

#include <optional>
#include <utility>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// factor f(t) + shift
TimeFunction scaled(const TimeFunction& f, double factor, double shift = 0.0);

// f(t) + g(t), for two of one kind that change at the same times, as those scaled from one are;
// nothing for others.
std::optional<TimeFunction> sum(const TimeFunction& f, const TimeFunction& g);

// The vector R v(t), for one whose components can be added.
TimeVector turned(const Eigen::Matrix3d& R, const TimeVector& vector);

// The value, where it is the same at all times.
std::optional<double> constant_value(const TimeFunction& f);

// The least and the largest value, of a table those that it gives; nothing for a polynomial, which
// has no bounds.
std::optional<std::pair<double, double>> bounds_of(const TimeFunction& f);

}  // namespace hamiltree
