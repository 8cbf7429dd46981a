// Spring and damper on the line between two points.
#pragma once

#include <cmath>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/joint_effort.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree {

// The line from a to b (world), its length and the rate at which b moves away from a.
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
template <class Space>
void apply_point_spring(const PointSpring<Space>& spring, const Kinematics<Space>& kin,
                        Loads<Space>& loads) {
  using Scalar = typename Space::Scalar;
  const auto line = line_of(spring, kin);
  const typename Space::Position v_a = linear<Space>(kin.velocity_at(spring.body_a, line.a));
  const typename Space::Position v_b = linear<Space>(kin.velocity_at(spring.body_b, line.b));
  const Scalar tension = spring.stiffness * (line.length - spring.rest_length) +
                         spring.damping * line.direction.dot(v_b - v_a);
  const typename Space::Position pull = tension * line.direction;
  const auto apply = [&](int body, const typename Space::Position& x,
                         const typename Space::Position& f) {
    if (body == kNone) return;
    loads.body[at(body)] += stack<Space>(f, Space::moment(x - kin.pose(body).r, f));
  };
  apply(spring.body_a, line.a, pull);
  apply(spring.body_b, line.b, -pull);
}

// V = k (length - rest_length)^2 / 2
template <class Space>
typename Space::Scalar point_spring_energy(const PointSpring<Space>& spring,
                                           const Kinematics<Space>& kin) {
  const typename Space::Scalar stretch = line_of(spring, kin).length - spring.rest_length;
  return typename Space::Scalar(0.5) * spring.stiffness * stretch * stretch;
}

}  // namespace hamiltree
