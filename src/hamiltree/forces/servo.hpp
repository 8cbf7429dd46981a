// Servo: a motor with feedback along one joint, along several that it pulls together, or along a
// rope.
#pragma once

#include "hamiltree/forces/rope.hpp"

namespace hamiltree {

// effort(t) - k x - d xdot, of which the caller has taken off the last two, between its bounds.
// Bounds make it a motor of which no potential is left, so all of its work counts as applied.
template <class Space>
typename Space::Scalar bounded(const ServoLaw<Space>& law, typename Space::Scalar effort) {
  if (law.lower) effort = select(effort < *law.lower, *law.lower, effort);
  if (law.upper) effort = select(*law.upper < effort, *law.upper, effort);
  return effort;
}

// x = sum of ratio q; each joint feels its ratio times the effort.
template <class Space, class Now, class Sink>
void exert(const JointServo<Space>& servo, const Now& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  const auto& law = servo.law;
  Scalar effort = law.effort(now.t).value;
  for (const auto& share : servo.shares) {
    effort -= Scalar(share.ratio) *
              (law.stiffness * now.position(share.joint) + law.damping * now.rate(share.joint));
  }
  effort = bounded(law, effort);
  for (const auto& share : servo.shares) {
    sink.effort(ForceKind::kApplied, share.joint, Scalar(share.ratio) * effort);
  }
}

// x is the length of the rope, which the effort makes longer.
template <class Space, class Sink>
void exert(const RopeServo<Space>& servo, const Instant<Space>& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  const auto& law = servo.law;
  pull_rope(servo.path, now, sink, [&](const Scalar& length, const Scalar& rate) {
    const Scalar effort = law.effort(now.t).value - law.stiffness * length - law.damping * rate;
    return std::array{ForcePart<Scalar>{ForceKind::kApplied, -bounded(law, effort)}};
  });
}

// Bounds on one side of zero ask for an effort by themselves.
template <class Space>
bool is_conservative(const ServoLaw<Space>& law) {
  return law.effort.is_zero() && law.stiffness == 0.0 && law.damping == 0.0 &&
         !(law.lower && *law.lower > 0.0) && !(law.upper && *law.upper < 0.0);
}

template <class Space>
bool is_conservative(const JointServo<Space>& servo) {
  return is_conservative(servo.law);
}

template <class Space>
bool is_conservative(const RopeServo<Space>& servo) {
  return is_conservative(servo.law);
}

}  // namespace hamiltree
