// Random trees of revolute joints in space, of every way that one axis can lie to the next, and in
// the plane.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

enum class Axes {
  kAny,
  kParallel,
  kAntiparallel,
  kRightAngles,
  kCrossing,
  kNearlyParallel,
  kInPlane
};

class Pins {
 public:
  explicit Pins(unsigned seed) : random_(seed) {}

  Eigen::VectorXd vector(Eigen::Index size) {
    return Eigen::VectorXd::NullaryExpr(size, [&] { return uniform_(random_); });
  }

  // n pins on a body that floats, connected as by tree(); one is the floating one.
  Mechanism floating_tree(int n, Axes axes, int reach) {
    auto mechanism = tree(n, axes, reach);
    auto& first = mechanism.joints.front();
    first.type = JointType::kFree;
    return mechanism;
  }

  // n pins, each body on one of the last `reach` bodies before it.
  Mechanism tree(int n, Axes axes, int reach) {
    Mechanism mechanism;
    mechanism.name = "pins";
    mechanism.gravity = {1.0, -9.81, 2.0};
    if (axes == Axes::kInPlane) {
      mechanism.space = SpaceKind::kPlanar;
      mechanism.gravity.z() = 0.0;
    }
    for (int i = 0; i < n; ++i) {
      const int back = 1 + static_cast<int>(random_() % static_cast<unsigned>(reach));
      mechanism.add(body(i));
      mechanism.add(pin(i, i - back < 0 ? kGround : name(i - back), axes));
      if (axes == Axes::kInPlane) {
        mechanism.bodies.back().com.z() = 0.0;
        mechanism.joints.back().at_parent.position.z() = 0.0;
      }
    }
    return mechanism;
  }

 private:
  static std::string name(int i) { return "B" + std::to_string(i); }

  BodyDescription body(int i) {
    BodyDescription body;
    body.name = name(i);
    body.mass = 1.0 + 0.5 * uniform_(random_);
    body.com = 0.3 * vector(3);
    const Eigen::Matrix3d X = vector(9).reshaped(3, 3);
    const Eigen::Matrix3d spread = 0.1 * (X * X.transpose());  // of mass along the axes
    body.inertia = (spread.trace() + 0.05) * Eigen::Matrix3d::Identity() - spread;
    return body;
  }

  JointDescription pin(int i, const std::string& parent, Axes axes) {
    JointDescription joint;
    joint.name = "J" + std::to_string(i);
    joint.parent = parent;
    joint.child = name(i);
    joint.at_parent.position = vector(3);
    if (axes == Axes::kCrossing) joint.at_parent.position = {0.0, 0.0, uniform_(random_)};
    const Eigen::AngleAxisd about_z(3.0 * uniform_(random_), Eigen::Vector3d::UnitZ());
    const Eigen::AngleAxisd tilt(angle(i, axes), Eigen::Vector3d::UnitX());
    joint.at_parent.rotation = (about_z * tilt).toRotationMatrix();
    return joint;
  }

  double angle(int i, Axes axes) {
    constexpr double kRight = std::numbers::pi / 2;
    switch (axes) {
      case Axes::kParallel:
      case Axes::kInPlane:
        return 0.0;
      case Axes::kAntiparallel:
        return i % 2 == 0 ? std::numbers::pi : 0.0;
      case Axes::kRightAngles:
        return i % 3 == 0 ? -kRight : kRight;
      case Axes::kNearlyParallel:
        return std::pow(10.0, -1 - i % 8);
      default:
        return 1.5 * uniform_(random_);
    }
  }

  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

}  // namespace hamiltree::test
