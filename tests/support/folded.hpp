// Linkages of bars on pins whose pose is given by angles: flat and folded ones among them.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

// Bars along their x axes and pins about z, in the plane or the same in space.
class Bars {
 public:
  explicit Bars(SpaceKind space = SpaceKind::kPlanar, Eigen::Vector3d gravity = {0.0, -9.81, 0.0}) {
    mechanism_.name = "bars";
    mechanism_.space = space;
    mechanism_.gravity = gravity;
  }

  // Its frame is at the pin, the bar from `begin` to `begin` + length.
  void bar(const std::string& name, double length, double mass = 1.0, double begin = 0.0) {
    BodyDescription body;
    body.name = name;
    body.mass = mass;
    body.com = {begin + 0.5 * length, 0.0, 0.0};
    const double J = mass * length * length / 12.0;
    body.inertia.diagonal() << 1e-2 * J, J, J;
    mechanism_.add(body);
  }

  // A pin at distances along both bars, or at a point of the ground.
  JointDescription& pin(const std::string& name, const std::string& parent,
                        const std::string& child, double at_parent, double at_child = 0.0) {
    JointDescription joint;
    joint.name = name;
    joint.parent = parent;
    joint.child = child;
    joint.at_parent.position = {at_parent, 0.0, 0.0};
    joint.at_child.position = {at_child, 0.0, 0.0};
    mechanism_.add(joint);
    return mechanism_.joints.back();
  }
  // The same with an angle to start from, and a velocity if it is a number.
  void pin_at(const std::string& name, const std::string& parent, const std::string& child,
              double at_parent, double angle, double velocity = std::nan("")) {
    auto& joint = pin(name, parent, child, at_parent);
    joint.initial_q = Eigen::VectorXd::Constant(1, angle);
    if (!std::isnan(velocity)) joint.initial_v = Eigen::VectorXd::Constant(1, velocity);
  }

  Mechanism& mechanism() { return mechanism_; }

 private:
  Mechanism mechanism_;
};

inline JointDescription& joint_of(Mechanism& m, const std::string& name) {
  return *std::ranges::find(m.joints, name, &JointDescription::name);
}

struct FourBarSizes {
  double base = 1.0, crank = 0.5, coupler = 1.0, rocker = 0.5;
  std::array<double, 3> angles{0.0, 0.0, 0.0};  // of crank, coupler on it, rocker
  std::array<double, 3> masses{1.0, 1.0, 1.0};
};

// A four-bar; `velocities`: of A, B and D, which may be nan.
inline Mechanism folded_four_bar(const FourBarSizes& sizes, SpaceKind space = SpaceKind::kPlanar,
                                 Eigen::Vector3d gravity = {0.0, -9.81, 0.0},
                                 std::array<double, 3> velocities = {std::nan(""), std::nan(""),
                                                                     std::nan("")}) {
  Bars bars(space, gravity);
  bars.bar("crank", sizes.crank, sizes.masses[0]);
  bars.bar("coupler", sizes.coupler, sizes.masses[1]);
  bars.bar("rocker", sizes.rocker, sizes.masses[2]);
  bars.pin_at("A", "ground", "crank", 0.0, sizes.angles[0], velocities[0]);
  bars.pin_at("B", "crank", "coupler", sizes.crank, sizes.angles[1], velocities[1]);
  bars.pin_at("D", "ground", "rocker", sizes.base, sizes.angles[2], velocities[2]);
  bars.pin("C", "coupler", "rocker", sizes.coupler, sizes.rocker);
  return bars.mechanism();
}

// Flat parallelograms side by side, uprights of 0.5 m and couplers of 1 m.
inline Mechanism flat_parallelograms(int count, SpaceKind space = SpaceKind::kPlanar,
                                     double upright = 0.5) {
  Bars bars(space);
  bars.bar("u0", upright);
  bars.pin_at("A0", "ground", "u0", 0.0, 0.0);
  for (int i = 0; i < count; ++i) {
    const auto n = std::to_string(i), next = std::to_string(i + 1);
    bars.bar("c" + n, 1.0);
    bars.bar("u" + next, upright);
    bars.pin_at("B" + n, "u" + n, "c" + n, upright, 0.0);
    bars.pin_at("A" + next, "ground", "u" + next, i + 1.0, 0.0);
    bars.pin("C" + n, "c" + n, "u" + next, 1.0, upright);
  }
  return bars.mechanism();
}

// Pairs of crossed bars of 2 m on pins in their middles, folded; the left end of one is on the
// ground.
inline Mechanism folded_scissor(int pairs) {
  Bars bars;
  for (int i = 0; i < pairs; ++i) {
    const auto n = std::to_string(i), last = std::to_string(i - 1);
    bars.bar("a" + n, 2.0);
    bars.bar("b" + n, 2.0, 1.0, -1.0);  // its frame is in the middle
    if (i == 0) {
      bars.pin_at("G", "ground", "a0", 0.0, 0.0);
    } else {
      bars.pin_at("E" + n, "b" + last, "a" + n, 1.0, 0.0);
    }
    bars.pin_at("M" + n, "a" + n, "b" + n, 1.0, 0.0);
    if (i > 0) bars.pin("F" + n, "a" + last, "b" + n, 2.0, -1.0);
  }
  return bars.mechanism();
}

// Three uprights under one beam, one more than it takes: a row is redundant in every pose.
inline Mechanism truss(double angle) {
  Bars bars;
  for (int i = 0; i < 3; ++i) bars.bar("u" + std::to_string(i), 0.5);
  bars.bar("beam", 2.0);
  bars.pin_at("A", "ground", "u0", 0.0, angle);
  bars.pin_at("B", "u0", "beam", 0.5, -angle);
  bars.pin_at("C", "ground", "u1", 1.0, angle);
  bars.pin_at("D", "ground", "u2", 2.0, angle);
  bars.pin("E", "beam", "u1", 1.0, 0.5);
  bars.pin("F", "beam", "u2", 2.0, 0.5);
  return bars.mechanism();
}

// A platform on two legs of three pins each, in planes across each other; at angle 0 folded flat.
inline Mechanism sarrus(double angle) {
  Mechanism m;
  m.name = "sarrus";
  m.space = SpaceKind::kSpatial;
  m.gravity = {0.0, 0.0, -9.81};
  const auto body = [&](const std::string& name, const Eigen::Vector3d& com) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.com = com;
    body.inertia.diagonal().setConstant(0.1);
    m.add(body);
  };
  const auto axis = [](const Eigen::Vector3d& direction) -> Eigen::Matrix3d {
    return Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), direction)
        .toRotationMatrix();
  };
  const auto pin = [&](const std::string& name, const std::string& parent, const std::string& child,
                       const Eigen::Vector3d& at_parent, const Eigen::Vector3d& at_child,
                       const Eigen::Vector3d& direction, double q) {
    JointDescription joint;
    joint.name = name;
    joint.parent = parent;
    joint.child = child;
    joint.at_parent = {at_parent, axis(direction)};
    joint.at_child = {at_child, axis(direction)};
    if (!std::isnan(q)) joint.initial_q = Eigen::VectorXd::Constant(1, q);
    m.add(joint);
  };
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY();
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  body("lower_x", 0.5 * x), body("upper_x", -0.5 * x), body("platform", zero);
  body("lower_y", 0.5 * y), body("upper_y", -0.5 * y);
  pin("A", "ground", "lower_x", x, zero, y, -angle);
  pin("B", "lower_x", "upper_x", x, zero, y, 2.0 * angle);
  pin("C", "upper_x", "platform", -x, zero, y, -angle);
  pin("D", "ground", "lower_y", y, zero, x, angle);
  pin("E", "lower_y", "upper_y", y, zero, x, -2.0 * angle);
  pin("F", "upper_y", "platform", -y, y - x, x, std::nan(""));
  return m;
}

// A plate on upright rods of 0.5 m, around a circle of 0.2 m.
inline Mechanism plate_on_rods(int count) {
  Mechanism m;
  m.name = "plate";
  m.space = SpaceKind::kSpatial;
  m.gravity = {0.0, 0.0, -9.81};
  const auto body = [&](const std::string& name, const Eigen::Vector3d& com) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.com = com;
    body.inertia.diagonal().setConstant(0.02);
    m.add(body);
  };
  const auto joint = [&](const std::string& name, JointType type, const std::string& parent,
                         const std::string& child, const Eigen::Vector3d& at_parent,
                         const Eigen::Vector3d& at_child) {
    JointDescription joint;
    joint.name = name;
    joint.type = type;
    joint.parent = parent;
    joint.child = child;
    joint.at_parent.position = at_parent;
    joint.at_child.position = at_child;
    m.add(joint);
  };
  const Eigen::Vector3d up{0.0, 0.0, 0.5}, zero = Eigen::Vector3d::Zero();
  body("plate", zero);
  for (int i = 0; i < count; ++i) {
    const auto rod = "rod" + std::to_string(i);
    const double angle = 0.1 + 2.0 * std::numbers::pi * i / count;
    const Eigen::Vector3d foot{0.2 * std::cos(angle), 0.2 * std::sin(angle), 0.0};
    body(rod, 0.5 * up);
    joint("foot" + std::to_string(i), JointType::kUniversal, "ground", rod, foot, zero);
    joint("head" + std::to_string(i), JointType::kSpherical, rod, "plate", up, foot);
  }
  return m;
}

}  // namespace hamiltree::test
