// Spring and damper on the line between two points.
#pragma once

#include <cmath>

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/math/scalar.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

// The line from a to b, world, and its length.
template <class Space>
struct Line {
  typename Space::Position a, b, direction;
  typename Space::Scalar length;
};

template <class Space>
Line<Space> line_of(const PointSpring<Space>& spring, const Kinematics<Space>& kin) {
  using Scalar = typename Space::Scalar;
  using std::sqrt;
  Line<Space> line;
  line.a = kin.pose(spring.body_a) * spring.a;
  line.b = kin.pose(spring.body_b) * spring.b;
  const typename Space::Position d = line.b - line.a;
  line.length = sqrt(d.dot(d));
  // Coinciding points pull along no line at all.
  line.direction = d * select(Scalar(0) < line.length, Scalar(1) / line.length, Scalar(0));
  return line;
}

// tension = k (length - rest_length) + d d(length)/dt pulls a and b together.
template <class Space, class Sink>
void exert(const PointSpring<Space>& spring, const Instant<Space>& now, Sink& sink) {
  using Scalar = typename Space::Scalar;
  const auto& kin = now.kin;
  const auto line = line_of(spring, kin);
  const typename Space::Position v_a = linear<Space>(kin.velocity_at(spring.body_a, line.a));
  const typename Space::Position v_b = linear<Space>(kin.velocity_at(spring.body_b, line.b));
  // Along the line, so at b on either body.
  const auto pull = [&](ForceKind kind, const Scalar& tension) {
    const typename Space::Position f = -tension * line.direction;
    const auto F = stack<Space>(f, Space::Angular::Zero());
    sink.pair(kind, spring.body_a, spring.body_b, line.b, F);
  };
  pull(ForceKind::kConservative, spring.stiffness * (line.length - spring.rest_length));
  pull(ForceKind::kDissipative, spring.damping * line.direction.dot(v_b - v_a));
}

// V = k (length - rest_length)^2 / 2
template <class Space>
typename Space::Scalar stored_energy(const PointSpring<Space>& spring, const Instant<Space>& now) {
  const typename Space::Scalar stretch = line_of(spring, now.kin).length - spring.rest_length;
  return typename Space::Scalar(0.5) * spring.stiffness * stretch * stretch;
}

template <class Space>
bool is_conservative(const PointSpring<Space>& spring) {
  return spring.damping == 0.0;
}

}  // namespace hamiltree
