// Angles that are known up to whole turns, counted on from where they were seen before.
#pragma once

#include <cmath>
#include <numbers>

namespace hamiltree {

// The turn, rad, of an angle that turns at these rates, rad/s, at the ends of a time, s: exact
// where the rate changes evenly.
inline double turn_between(double time, double rate_before, double rate_after) {
  return 0.5 * time * (rate_before + rate_after);
}

// The angle with the whole turns that are next to what is expected, rad. Only they depend on that.
inline double counted(double angle, double expected) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  return angle + kTurn * std::round((expected - angle) / kTurn);
}

}  // namespace hamiltree
