// Spring and damper along a rope, of two points in the simplest case, described and in tables; its
// law is in hamiltree/forces/point_spring.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/forces/rope.hpp"

namespace hamiltree {

// A spring and a damper along a rope that slides freely over points, at least two, each fixed in a
// body or in the ground. Its length is the sum of ratio |line| over its lines, and
//   tension = stiffness stretch + damping d(length)/dt.
// The stretch is how much longer it is than rest_length or, with slack, how much shorter than
// rest_length - slack, and zero between the two.
struct PointSpringDamper {
  std::string name;
  std::vector<RopePoint> points;
  double stiffness = 0.0;       // N/m, >= 0
  double rest_length = 0.0;     // m, >= 0
  double damping = 0.0;         // N s/m, >= 0
  std::optional<double> slack;  // m, >= 0
  SourceLocation where;

  static constexpr const char* kType = "spring_damper";
  static constexpr const char* kClass = "PointSpringDamper";
  static constexpr const char* kHelp =
      "A spring and a damper on the line between two points (m), each fixed in a body or in the "
      "ground, or along a rope over points, given as (body, position) or (body, position, ratio): "
      "tension = stiffness (length - rest_length) + damping d(length)/dt. With slack (m) it pulls "
      "only when longer than rest_length and pushes only when shorter than rest_length - slack.";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.rope(self.points);
    visit.number("stiffness", self.stiffness, Range::kNotNegative);
    visit.number("rest_length", self.rest_length, Range::kNotNegative);
    visit.number("damping", self.damping, Range::kNotNegative);
    visit.number("slack", self.slack, Range::kNotNegative);
  }

  template <class Tables>
  void compile(const Tables& to) const {
    to.system.point_springs.push_back({to.path(points), stiffness, rest_length, damping, slack});
  }
};

template <class Space>
struct PointSpring {
  using Scalar = typename Space::Scalar;
  Path<Space> path;
  Scalar stiffness{0}, rest_length{0}, damping{0};
  std::optional<Scalar> slack;

  template <class To>
  PointSpring<To> cast() const {
    using Other = typename To::Scalar;
    return {cast_path<To, Space>(path), Other(stiffness), Other(rest_length), Other(damping),
            cast_optional<To>(slack)};
  }
  const char* parameters() const { return "point_spring"; }
  PointSpringDamper described() const {
    return {{}, {}, stiffness, rest_length, damping, slack, {}};
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.path(self.path);
    visit.number("stiffness", self.stiffness);
    visit.number("rest_length", self.rest_length);
    visit.number("damping", self.damping);
    visit.number("slack", self.slack);
  }
};

}  // namespace hamiltree
