// Springs and dampers in every direction between two frames, described and in tables; their law is
// in hamiltree/forces/bushing.hpp.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/frame.hpp"
#include "hamiltree/space/pose.hpp"

namespace hamiltree {

// Springs and dampers in every direction between two frames, each fixed in a body or in the ground;
// x, y and z are those of frame a.
struct Bushing {
  std::string name;
  std::string body_a, body_b;                                         // bodies or "ground"
  Frame at_a, at_b;                                                   // in body_a and in body_b
  Eigen::Vector3d translational_stiffness = Eigen::Vector3d::Zero();  // N/m, >= 0
  Eigen::Vector3d rotational_stiffness = Eigen::Vector3d::Zero();     // N m/rad, >= 0
  Eigen::Vector3d translational_damping = Eigen::Vector3d::Zero();    // N s/m, >= 0
  Eigen::Vector3d rotational_damping = Eigen::Vector3d::Zero();       // N m s/rad, >= 0
  double angle_stiffness = 0.0;  // N m/rad, >= 0, of the angle of the whole turn
  // About x, y and z, of the axis of the whole turn times its angle: a spring without a potential.
  Eigen::Vector3d turn_stiffness = Eigen::Vector3d::Zero();  // N m/rad, >= 0
  Eigen::Vector3d rest_turn = Eigen::Vector3d::Zero();       // rad
  SourceLocation where;

  static constexpr const char* kType = "bushing";
  static constexpr const char* kClass = "Bushing";
  static constexpr const char* kHelp =
      "Springs and dampers in every direction between two frames; one number for all directions, "
      "or three. The moment of angle_stiffness goes with the angle of the whole turn, that of "
      "turn_stiffness about each axis of frame a with the part of the turn vector beyond "
      "rest_turn.";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.body("body_a", self.body_a);
    visit.body("body_b", self.body_b);
    visit.frame("at_a", self.at_a, self.body_a);
    visit.frame("at_b", self.at_b, self.body_b);
    visit.along_axes("translational_stiffness", self.translational_stiffness, Range::kNotNegative);
    visit.about_axes("rotational_stiffness", self.rotational_stiffness, Range::kNotNegative);
    visit.along_axes("translational_damping", self.translational_damping, Range::kNotNegative);
    visit.about_axes("rotational_damping", self.rotational_damping, Range::kNotNegative);
    visit.number("angle_stiffness", self.angle_stiffness, Range::kNotNegative);
    visit.about_axes("turn_stiffness", self.turn_stiffness, Range::kNotNegative);
    visit.about_axes("rest_turn", self.rest_turn, Range::kAny);
  }
  template <class Refuse>
  void check(const Refuse& refuse) const {
    if (body_a == body_b) refuse("body_a and body_b are both \"" + body_a + "\"", "body_a");
  }

  template <class Tables>
  void compile(const Tables& to) const {
    to.system.bushings.push_back(
        {to.body(body_a), to.body(body_b), to.pose(body_a, at_a), to.pose(body_b, at_b),
         to.along(translational_stiffness), to.along(translational_damping),
         to.about(rotational_stiffness), to.about(rotational_damping),
         angle_stiffness > 0.0 ? std::optional(angle_stiffness) : std::nullopt,
         !turn_stiffness.isZero(0.0), to.about(turn_stiffness), to.about(rest_turn)});
  }
};

template <class Space>
struct BodyBushing {
  using Position = typename Space::Position;
  using Angular = typename Space::Angular;
  int body_a = kNone, body_b = kNone;
  Pose<Space> X_a, X_b;  // frames a and b in their bodies
  Position stiffness = Position::Zero(), damping = Position::Zero();
  Angular rotational_stiffness = Angular::Zero(), rotational_damping = Angular::Zero();
  std::optional<typename Space::Scalar> angle_stiffness;
  bool has_turn_spring = false;
  Angular turn_stiffness = Angular::Zero(), rest_turn = Angular::Zero();

  template <class To>
  BodyBushing<To> cast() const {
    using Other = typename To::Scalar;
    return {body_a,
            body_b,
            X_a.template cast<Other>(),
            X_b.template cast<Other>(),
            stiffness.template cast<Other>(),
            damping.template cast<Other>(),
            rotational_stiffness.template cast<Other>(),
            rotational_damping.template cast<Other>(),
            cast_optional<To>(angle_stiffness),
            has_turn_spring,
            turn_stiffness.template cast<Other>(),
            rest_turn.template cast<Other>()};
  }
  const char* parameters() const { return "bushing"; }
  // Between some body and the ground.
  Bushing described() const {
    Bushing bushing;
    bushing.body_b = kGround;
    bushing.translational_stiffness.head<Space::kLinear>() = stiffness;
    bushing.translational_damping.head<Space::kLinear>() = damping;
    bushing.rotational_stiffness.tail<Space::kAngular>() = rotational_stiffness;
    bushing.rotational_damping.tail<Space::kAngular>() = rotational_damping;
    bushing.angle_stiffness = angle_stiffness.value_or(0.0);
    bushing.turn_stiffness.tail<Space::kAngular>() = turn_stiffness;
    bushing.rest_turn.tail<Space::kAngular>() = rest_turn;
    return bushing;
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.body(self.body_a);
    visit.body(self.body_b);
    visit.vector("stiffness", self.stiffness);
    visit.vector("damping", self.damping);
    visit.vector("rotational_stiffness", self.rotational_stiffness);
    visit.vector("rotational_damping", self.rotational_damping);
    visit.number("angle_stiffness", self.angle_stiffness);
    if (!self.has_turn_spring) return;
    visit.vector("turn_stiffness", self.turn_stiffness);
    visit.vector("rest_turn", self.rest_turn);
  }
};

}  // namespace hamiltree
