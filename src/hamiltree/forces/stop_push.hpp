// How an elastic stop pushes. With x how far its end has been passed, S the spring's and B the
// damper's part of the push,
//   S = k r(x),   B = d r'(x) xdot,   push = S + B            going in
//                                     push = S^2 / (S - B)    coming out
// so the stop pushes with S + B as long as it can be pressed, and coming out it lets go without
// ever pulling back. The ramp r sets in over the transition w and has two continuous derivatives,
// so the push has one and adaptive integrators step over the contact:
//   r = 0                               x <= 0
//   r = x^3 / w^2 - x^4 / (2 w^3)       0 < x < w
//   r = x - w/2                         w <= x
// Its potential is k times the integral of r.
#pragma once

#include <type_traits>

#include "hamiltree/math/scalar.hpp"
#include "hamiltree/model/forces/stop_law.hpp"

namespace hamiltree {

// r, its derivative and its integral.
template <class Scalar>
struct Ramp {
  Scalar value, slope, integral;
};

// With u = x / w, held between 0 and 1, and what x is beyond w:
//   r = w (u^3 - u^4 / 2) + beyond
//   r' = 3 u^2 - 2 u^3
//   integral = w^2 (u^4 / 4 - u^5 / 10) + w beyond / 2 + beyond^2 / 2
template <class Scalar>
Ramp<Scalar> ramp(const Scalar& x, const Scalar& w) {
  const Scalar inside = select(Scalar(0) < x, x, Scalar(0));
  const Scalar beyond = select(w < x, Scalar(x - w), Scalar(0));
  const Scalar u = (inside - beyond) / w;
  const Scalar square = u * u;
  return {w * (square * u * (Scalar(1) - u / Scalar(2))) + beyond,
          square * (Scalar(3) - Scalar(2) * u),
          w * w * (square * square * (Scalar(0.25) - u / Scalar(10))) +
              beyond * (w + beyond) / Scalar(2)};
}

// S, and what is added to it: B going in, S B / (S - B) coming out.
template <class Scalar>
struct StopPush {
  Scalar spring, damper;
};

template <class Space, class Scalar = typename Space::Scalar>
StopPush<Scalar> push_of(const StopLaw<Space>& law, const Scalar& x, const Scalar& xdot) {
  const auto r = ramp<Scalar>(x, law.transition);
  const Scalar S = law.stiffness * r.value;
  const Scalar B = law.damping * r.slope * xdot;
  // Where S vanishes, so does the push on the way out.
  const Scalar held = select(Scalar(0) < S, Scalar(S / (S - B)), Scalar(0));
  return {S, select(Scalar(0) <= B, B, Scalar(held * B))};
}

// x, where the way is at q.
template <class Space, class Scalar = typename Space::Scalar>
Scalar passed_by(const StopLaw<Space>& law, const Scalar& q) {
  return Scalar(law.side) * (q - law.at);
}

// As most stops, most of the time. Other scalars than numbers compute what they trace or derive.
template <class Scalar>
bool is_free_of_stop(const Scalar& x) {
  if constexpr (std::is_floating_point_v<Scalar>) return x <= 0;
  return false;
}

template <class Space, class Scalar = typename Space::Scalar>
Scalar stored_at(const StopLaw<Space>& law, const Scalar& q) {
  return law.stiffness * ramp<Scalar>(passed_by(law, q), law.transition).integral;
}

}  // namespace hamiltree
