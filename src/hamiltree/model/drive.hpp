// Drive: how a joint's frame F moves on its parent by prescription. A moving pivot or base moves it
// freely; a driven joint moves it along its own coordinate and is then a fixed joint to the
// kernels.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/time_function.hpp"
#include "hamiltree/space/pose.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

struct Drive {
  std::optional<std::array<PiecewiseSine, 6>> motion;  // x, y, z, rx, ry, rz of the parent_motion
  std::optional<PiecewiseSine> coordinate;             // q(t) of a driven joint ...
  JointType type = JointType::kRevolute;               // ... of this type
  double pitch = 0.0;                                  // m/rad, if it is helical
};

// The motion of a driven joint as generated code is given it from outside: by its value and two
// derivatives at the time `since`, as far as they reach.
template <class Scalar>
struct GivenMotion {
  Scalar since{0}, value{0}, rate{0}, acceleration{0};

  TimeValue<Scalar> operator()(const Scalar& t) const {
    const Scalar s = t - since;
    return {value + s * (rate + Scalar(0.5) * acceleration * s), rate + acceleration * s,
            acceleration};
  }
};

// F as it stands in the frame that the user gave, and its velocity and the rate of that (component
// by component), both in F's own axes at its origin.
template <class Space>
struct DrivenFrame {
  using Scalar = typename Space::Scalar;
  Pose<Space> X;
  typename Space::Motion V = Space::Motion::Zero();
  typename Space::Motion V_dot = Space::Motion::Zero();
  TimeValue<Scalar> coordinate;  // of a driven joint
};

// A frame that moves on a moving frame:
//   (1)  X = X_1 X_2
//   (2)  V = X_2^-1 V_1 + V_2
//   (3)  Vdot = X_2^-1 Vdot_1 - V_2 x (X_2^-1 V_1) + Vdot_2
template <class Space>
DrivenFrame<Space> compose(const DrivenFrame<Space>& first, const DrivenFrame<Space>& second) {
  DrivenFrame<Space> result;
  result.X = first.X * second.X;
  const auto V_1 = motion_to_child<Space>(second.X, first.V);
  result.V = V_1 + second.V;
  result.V_dot = motion_to_child<Space>(second.X, first.V_dot) -
                 cross_motion<Space>(second.V, V_1) + second.V_dot;
  return result;
}

// A prescribed shift along or turn about one axis, 0..5 as x, y, z, rx, ry, rz.
template <class Space>
DrivenFrame<Space> along_axis(int axis, const TimeValue<typename Space::Scalar>& s) {
  using std::cos;
  using std::sin;
  DrivenFrame<Space> frame;
  if (axis < 3) {
    frame.X.r(axis) = s.value;
  } else {
    const int i = (axis + 1) % 3;  // the plane that turns: i to j
    const int j = (axis + 2) % 3;
    frame.X.R(i, i) = frame.X.R(j, j) = cos(s.value);
    frame.X.R(j, i) = sin(s.value);
    frame.X.R(i, j) = -frame.X.R(j, i);
  }
  const int component = Space::kIsPlanar && axis == 5 ? 2 : axis;
  frame.V(component) = s.rate;
  frame.V_dot(component) = s.acceleration;
  return frame;
}

// `given` takes the place of the joint's own function; null where there is none.
template <class Space>
DrivenFrame<Space> evaluate(const Drive& drive, const typename Space::Scalar& t,
                            const GivenMotion<typename Space::Scalar>* given = nullptr) {
  DrivenFrame<Space> frame;
  if (drive.motion) {
    // Shifts first, then the turns about z, y and x.
    for (const int axis : {0, 1, 2, 5, 4, 3}) {
      if (Space::kIsPlanar && axis != 0 && axis != 1 && axis != 5) continue;
      frame = compose(frame, along_axis<Space>(axis, (*drive.motion)[at(axis)](t)));
    }
  }
  if (!drive.coordinate) return frame;
  const auto s = given != nullptr ? (*given)(t) : (*drive.coordinate)(t);
  const int sliding = Space::kIsPlanar ? 0 : 2;
  const auto driven = along_axis<Space>(drive.type == JointType::kPrismatic ? sliding : 5, s);
  frame = drive.motion ? compose(frame, driven) : driven;
  if (drive.type == JointType::kHelical) {
    const typename Space::Scalar h(drive.pitch);
    frame = compose(frame, along_axis<Space>(2, {h * s.value, h * s.rate, h * s.acceleration}));
  }
  frame.coordinate = s;
  return frame;
}

}  // namespace hamiltree
