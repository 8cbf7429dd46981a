#include "hardware/tb/mechanisms.hpp"

#include <string>

namespace hamiltree::hardware {

namespace {

constexpr double kLength = 0.3;  // m

Mechanism empty(const std::string& name) {
  Mechanism mechanism;
  mechanism.name = name;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = Eigen::Vector3d(0.0, -9.80665, 0.0);
  return mechanism;
}

std::string add_bar(Mechanism& mechanism, const std::string& parent, double at, double angle,
                    double rate, JointType type = JointType::kRevolute) {
  BodyDescription body;
  body.name = "bar_" + std::to_string(mechanism.bodies.size() + 1);
  body.mass = 0.5;
  body.com = Eigen::Vector3d(0.5 * kLength, 0.0, 0.0);
  body.inertia.setZero();
  body.inertia(2, 2) = body.mass * kLength * kLength / 12.0;
  body.inertia(0, 0) = body.inertia(1, 1) = 0.5 * body.inertia(2, 2);
  mechanism.add(body);
  JointDescription joint;
  joint.name = "joint_" + std::to_string(mechanism.bodies.size());
  joint.type = type;
  joint.parent = parent;
  joint.child = body.name;
  joint.at_parent.position = Eigen::Vector3d(at, 0.0, 0.0);
  joint.initial_q = Eigen::VectorXd::Constant(1, angle);
  joint.initial_v = Eigen::VectorXd::Constant(1, rate);
  mechanism.add(joint);
  return body.name;
}

}  // namespace

Mechanism chain(int n) {
  Mechanism mechanism = empty("chain_" + std::to_string(n));
  std::string last = kGround;
  for (int i = 0; i < n; ++i) {
    last = add_bar(mechanism, last, i == 0 ? 0.0 : kLength, i == 0 ? -1.2 : 0.5 / n,
                   i == 0 ? 0.4 : 1.0 / n);
  }
  return mechanism;
}

Mechanism tree() {
  Mechanism mechanism = empty("tree");
  const auto first = add_bar(mechanism, kGround, 0.0, -1.0, 0.5);
  const auto second = add_bar(mechanism, first, kLength, 0.3, 0.2);
  const auto third = add_bar(mechanism, second, kLength, -0.4, 0.1);
  const auto left = add_bar(mechanism, first, kLength, -0.9, -0.3);
  add_bar(mechanism, left, kLength, 0.2, 0.4);
  const auto right = add_bar(mechanism, third, 0.5 * kLength, 0.8, 0.6);
  const auto next = add_bar(mechanism, right, kLength, 0.1, -0.2);
  add_bar(mechanism, next, kLength, 0.5, 0.3);
  return mechanism;
}

Mechanism cart() {
  Mechanism mechanism = empty("cart");
  const auto slider = add_bar(mechanism, kGround, 0.0, 0.1, 0.3, JointType::kPrismatic);
  const auto first = add_bar(mechanism, slider, 0.0, -1.0, 0.5);
  add_bar(mechanism, first, kLength, 0.7, -0.2);
  return mechanism;
}

}  // namespace hamiltree::hardware
