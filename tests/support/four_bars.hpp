// Four-bars for tests, each with dimensions of its own.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/model/mechanism.hpp"
#include "support/lift.hpp"
#include "support/pins.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree::test {

// A four-bar of bars that the seed makes longer or heavier, and two of them on one crank.
inline Mechanism four_bars(int count, unsigned seed) {
  Pins random(seed);
  Mechanism m;
  m.name = "bars";
  m.space = SpaceKind::kPlanar;
  m.gravity = {0.0, -9.81, 0.0};
  const auto size = [&] { return 1.0 + 0.1 * random.vector(1)(0); };
  const auto bar = [&](const std::string& name, double length) {
    BodyDescription body;
    body.name = name;
    body.mass = 0.5 * size();
    body.com = {0.5 * length, 0.02, 0.0};
    body.inertia.diagonal().setConstant(0.01 * size());
    m.add(body);
  };
  const auto pin = [&](const std::string& name, const std::string& parent, const std::string& child,
                       Eigen::Vector3d at_parent, double at_child, double guess) {
    JointDescription joint;
    joint.name = name;
    joint.type = JointType::kRevolute;
    joint.parent = parent;
    joint.child = child;
    joint.at_parent.position = at_parent;
    joint.at_child.position = {at_child, 0.0, 0.0};
    joint.guess_q = Eigen::VectorXd::Constant(1, guess);
    m.add(joint);
  };
  const double crank = 0.3 * size();
  bar("crank", crank);
  pin("A", "ground", "crank", {0.0, 0.0, 0.0}, 0.0, 0.8);
  m.joints.back().guess_q.reset();
  m.joints.back().initial_q = Eigen::VectorXd::Constant(1, 0.8);
  m.joints.back().initial_v = Eigen::VectorXd::Constant(1, 1.0);
  for (int i = 0; i < count; ++i) {
    const auto n = std::to_string(i);
    const double side = i == 0 ? 1.0 : -1.0, length = 0.32 * size();
    bar("coupler" + n, length);
    bar("rocker" + n, 0.31);
    pin("B" + n, "crank", "coupler" + n, {crank, 0.0, 0.0}, 0.0, i == 0 ? -0.55 : 2.0);
    pin("C" + n, "coupler" + n, "rocker" + n, {length, 0.0, 0.0}, 0.0, i == 0 ? -2.15 : 1.5);
    pin("D" + n, "ground", "rocker" + n, {side > 0.0 ? 0.4 : -0.3, 0.0, 0.0}, 0.31, 0.0);
  }
  return m;
}

// The same on some plane in space, where a joint that closes a loop may be of another type.
inline Mechanism lifted(Mechanism planar) {
  for (auto& joint : planar.joints) {
    if (joint.name.front() == 'C') joint.guess_q.reset();
  }
  RandomMechanism random(3);
  std::vector<Frame> poses;
  return lift(std::move(planar), random, poses);
}

}  // namespace hamiltree::test
