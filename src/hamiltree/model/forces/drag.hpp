// Drag of a medium on a body, described and in tables; its law is in hamiltree/forces/drag.hpp.
#pragma once

#include <Eigen/Core>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/forces/fields.hpp"
#include "hamiltree/model/frame.hpp"
#include "hamiltree/space/pose.hpp"

namespace hamiltree {

// What air or water does to a body that moves through it, along and about the axes of a frame of
// the body: a part that goes with the velocity and one that goes with its square.
struct Drag {
  std::string name;
  std::string body;
  Frame at;                                                         // in the body
  Eigen::Vector3d translational_damping = Eigen::Vector3d::Zero();  // N s/m, >= 0
  Eigen::Vector3d rotational_damping = Eigen::Vector3d::Zero();     // N m s/rad, >= 0
  Eigen::Vector3d translational_drag = Eigen::Vector3d::Zero();     // N s^2/m^2, >= 0
  Eigen::Vector3d rotational_drag = Eigen::Vector3d::Zero();        // N m s^2/rad^2, >= 0
  Eigen::Vector3d medium_velocity = Eigen::Vector3d::Zero();        // m/s, in world axes
  SourceLocation where;

  static constexpr const char* kType = "drag";
  static constexpr const char* kClass = "Drag";
  static constexpr const char* kHelp =
      "Drag of a medium along and about the axes of a frame of a body: -damping v - drag v abs(v) "
      "for each, v being the velocity against the medium; one number for all axes, or three. "
      "medium_velocity is in world axes.";
  template <class Self, class Visit>
  static void fields(Self& self, Visit&& visit) {
    visit.moved_body("body", self.body);
    visit.frame("at", self.at, self.body);
    visit.along_axes("translational_damping", self.translational_damping, Range::kNotNegative);
    visit.about_axes("rotational_damping", self.rotational_damping, Range::kNotNegative);
    visit.along_axes("translational_drag", self.translational_drag, Range::kNotNegative);
    visit.about_axes("rotational_drag", self.rotational_drag, Range::kNotNegative);
    visit.along_axes("medium_velocity", self.medium_velocity, Range::kAny);
  }

  template <class Tables>
  void compile(const Tables& to) const {
    to.system.drags.push_back({to.body(body), to.pose(body, at), to.along(translational_damping),
                               to.about(rotational_damping), to.along(translational_drag),
                               to.about(rotational_drag), !medium_velocity.isZero(0.0),
                               to.along(medium_velocity)});
  }
};

template <class Space>
struct BodyDrag {
  using Position = typename Space::Position;
  using Angular = typename Space::Angular;
  int body = 0;
  Pose<Space> X;  // the frame in the body
  Position damping = Position::Zero();
  Angular rotational_damping = Angular::Zero();
  Position drag = Position::Zero();
  Angular rotational_drag = Angular::Zero();
  bool flows = false;  // whether the medium moves
  Position medium_velocity = Position::Zero();

  template <class To>
  BodyDrag<To> cast() const {
    using Other = typename To::Scalar;
    return {body,
            X.template cast<Other>(),
            damping.template cast<Other>(),
            rotational_damping.template cast<Other>(),
            drag.template cast<Other>(),
            rotational_drag.template cast<Other>(),
            flows,
            medium_velocity.template cast<Other>()};
  }
  const char* parameters() const { return "drag"; }
  Drag described() const {
    Drag described;
    described.translational_damping.head<Space::kLinear>() = damping;
    described.rotational_damping.tail<Space::kAngular>() = rotational_damping;
    described.translational_drag.head<Space::kLinear>() = drag;
    described.rotational_drag.tail<Space::kAngular>() = rotational_drag;
    described.medium_velocity.head<Space::kLinear>() = medium_velocity;
    return described;
  }
  template <class Self, class Visit>
  static void parts(Self& self, Visit&& visit) {
    visit.body(self.body);
    visit.vector("translational_damping", self.damping);
    visit.vector("rotational_damping", self.rotational_damping);
    visit.vector("translational_drag", self.drag);
    visit.vector("rotational_drag", self.rotational_drag);
    if (self.flows) visit.vector("medium_velocity", self.medium_velocity);
  }
};

}  // namespace hamiltree
