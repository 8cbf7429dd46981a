// The ends of elastic stops, of joints and of tendons; how they push is said in
// hamiltree/forces/stop_push.hpp.
#pragma once

#include "hamiltree/base/text.hpp"

namespace hamiltree {

// What must be right about the ends of all stops.
template <class Limits, class Refuse>
void check_stops(const Limits& limits, const Refuse& refuse) {
  const auto &lower = limits.lower, &upper = limits.upper;
  if (!lower && !upper) refuse("needs lower, upper or both");
  if (lower && upper && !(*lower < *upper)) {
    refuse("lower must be below upper, but " + to_text(*lower) + " is not below " + to_text(*upper),
           "lower");
  }
  if (!limits.transition && (!lower || !upper))
    refuse("needs transition where it has one end only");
}

// f(end, side, transition) for each stop there is.
template <class Limits, class F>
void for_each_stop(const Limits& limits, const F& f) {
  const auto &lower = limits.lower, &upper = limits.upper;
  const double way_in = limits.transition ? *limits.transition : 0.01 * (*upper - *lower);
  if (lower) f(*lower, -1.0, way_in);
  if (upper) f(*upper, 1.0, way_in);
}

// One end of a way: side +1 stops what goes beyond `at`, side -1 what falls below.
template <class Space>
struct StopLaw {
  double side = 1.0;
  typename Space::Scalar at{0}, stiffness{0}, damping{0}, transition{1};

  template <class To>
  StopLaw<To> cast() const {
    using Other = typename To::Scalar;
    return {side, Other(at), Other(stiffness), Other(damping), Other(transition)};
  }
  // `limits` with this end.
  template <class Limits>
  Limits described(Limits limits) const {
    (side > 0.0 ? limits.upper : limits.lower) = at;
    limits.stiffness = stiffness;
    limits.damping = damping;
    limits.transition = transition;
    return limits;
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.number("at", self.at);
    visit.number("stiffness", self.stiffness);
    visit.number("damping", self.damping);
    visit.number("transition", self.transition);
  }
};

}  // namespace hamiltree
