// Servo: a motor with feedback along one joint, or along several that it pulls together.
#pragma once

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

// x = sum of ratio q, effort = effort(t) - k x - d xdot between its bounds; each joint feels its
// ratio times the effort. Bounds make it a motor of which no potential is left, so all of its work
// counts as applied.
template <class Space, class Now, class Sink>
void exert(const JointServo<Space>& servo, const Now& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  Scalar effort = servo.effort(now.t).value;
  for (const auto& share : servo.shares) {
    effort -= Scalar(share.ratio) *
              (servo.stiffness * now.position(share.joint) + servo.damping * now.rate(share.joint));
  }
  if (servo.lower) effort = select(effort < *servo.lower, *servo.lower, effort);
  if (servo.upper) effort = select(*servo.upper < effort, *servo.upper, effort);
  for (const auto& share : servo.shares) {
    sink.effort(ForceKind::kApplied, share.joint, Scalar(share.ratio) * effort);
  }
}

template <class Space>
bool is_conservative(const JointServo<Space>& servo) {
  return servo.effort.is_zero() && servo.stiffness == 0.0 && servo.damping == 0.0;
}

}  // namespace hamiltree
