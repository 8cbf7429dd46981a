// Rope: straight lines from point to point, over which it slides freely, so that its tension is the
// same everywhere, but for the ratios that count its lines, as pulleys make them:
//   length = sum of ratio |line|      pull along a line = ratio tension
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "hamiltree/forces/instant.hpp"
#include "hamiltree/math/scalar.hpp"
#include "hamiltree/space/shift.hpp"

namespace hamiltree {

// A line of a rope from a to b, world.
template <class Space>
struct Line {
  typename Space::Position a, b, direction;
  typename Space::Scalar length;
};

template <class Space>
Line<Space> line_of(const PathPoint<Space>& from, const PathPoint<Space>& to,
                    const Kinematics<Space>& kin) {
  using Scalar = typename Space::Scalar;
  using std::sqrt;
  Line<Space> line;
  line.a = kin.place_of(from.body, from.x);
  line.b = kin.place_of(to.body, to.x);
  const typename Space::Position d = line.b - line.a;
  line.length = sqrt(d.dot(d));
  // Coinciding points pull along no line at all.
  line.direction = d * select(Scalar(0) < line.length, Scalar(1) / line.length, Scalar(0));
  return line;
}

template <class Space>
typename Space::Scalar rope_length(const Path<Space>& path, const Kinematics<Space>& kin) {
  using Scalar = typename Space::Scalar;
  Scalar length(0);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (path[i].ratio == 0.0) continue;
    length += Scalar(path[i].ratio) * line_of(path[i], path[i + 1], kin).length;
  }
  return length;
}

// Pulls along the lines from the i-th on by the parts of the tension that law(length, rate) says,
// length and rate being those of the lines before. Tension pulls points together. Recursive, so
// that no line is computed twice or stored.
template <class Space, class Sink, class Law>
auto pull_rope(const Path<Space>& path, const Instant<Space>& now, Sink& sink, const Law& law,
               std::size_t i = 0, const typename Space::Scalar& length = typename Space::Scalar(0),
               const typename Space::Scalar& rate = typename Space::Scalar(0))
    -> decltype(law(length, rate)) {
  using Scalar = typename Space::Scalar;
  using Position = typename Space::Position;
  if (i + 1 == path.size()) return law(length, rate);
  const auto &from = path[i], &to = path[i + 1];
  if (from.ratio == 0.0) return pull_rope(path, now, sink, law, i + 1, length, rate);
  const Scalar ratio(from.ratio);
  const auto line = line_of(from, to, now.kin);
  const Position v_a = linear<Space>(now.kin.velocity_at(from.body, line.a));
  const Position v_b = linear<Space>(now.kin.velocity_at(to.body, line.b));
  const auto tensions = pull_rope(path, now, sink, law, i + 1, Scalar(length + ratio * line.length),
                                  Scalar(rate + ratio * line.direction.dot(v_b - v_a)));
  // Along the line, so at b on either body.
  sink.pair(from.body, to.body, line.b, tensions, [&](const Scalar& tension) {
    return stack<Space>(-(ratio * tension) * line.direction, Space::Angular::Zero());
  });
  return tensions;
}

}  // namespace hamiltree
