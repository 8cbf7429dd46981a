// Four-bars side by side, as problem A02 of the IFToMM library has them, in many orders: which
// joint comes first, who is whose parent, and how the pins are called.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

// Written from left to right, so that each joint but the last of each loop hangs on the one before:
// taken in this order they are one chain. Bars of 1 m and 1 kg, at rest upright but for a push.
// `from`: m, where the first stands.
inline Mechanism n_four_bars(int n, double from = 0.0) {
  Mechanism m;
  m.name = "n_four_bars";
  m.space = SpaceKind::kPlanar;
  m.gravity = {0.0, -9.81, 0.0};
  const auto bar = [&](const std::string& name, const Eigen::Vector3d& com) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.com = com;
    body.inertia.diagonal().setConstant(1.0 / 12.0);
    m.add(body);
  };
  const auto pin = [&](const std::string& name, const std::string& parent, const std::string& child,
                       const Eigen::Vector3d& at_parent, const Eigen::Vector3d& at_child) {
    JointDescription joint;
    joint.name = name;
    joint.parent = parent;
    joint.child = child;
    joint.at_parent.position = at_parent;
    joint.at_child.position = at_child;
    m.add(joint);
  };
  const Eigen::Vector3d origin = Eigen::Vector3d::Zero(), x(1.0, 0.0, 0.0), y(0.0, 1.0, 0.0);
  bar("upright_0", 0.5 * y);
  pin("ground_0", "ground", "upright_0", from * x, origin);
  m.joints.back().initial_q = Eigen::VectorXd::Zero(1);
  m.joints.back().initial_v = Eigen::VectorXd::Constant(1, -1.0);
  for (int i = 1; i <= n; ++i) {
    const auto before = std::to_string(i - 1), now = std::to_string(i);
    bar("beam_" + now, 0.5 * x);
    bar("upright_" + now, 0.5 * y);
    pin("left_" + now, "upright_" + before, "beam_" + now, y, origin);
    pin("right_" + now, "beam_" + now, "upright_" + now, x, y);
    pin("ground_" + now, "ground", "upright_" + now, (from + i) * x, origin);
  }
  return m;
}

inline void swap_ends(JointDescription& joint) {
  std::swap(joint.parent, joint.child);
  std::swap(joint.at_parent, joint.at_child);
  if (joint.initial_q) *joint.initial_q *= -1.0;
  if (joint.initial_v) *joint.initial_v *= -1.0;
  if (joint.guess_q) *joint.guess_q *= -1.0;
}

// Bodies and joints in any order, and half of the pins from their child to their parent.
inline Mechanism shuffled(Mechanism m, unsigned seed) {
  std::mt19937 random(seed);
  std::shuffle(m.bodies.begin(), m.bodies.end(), random);
  std::shuffle(m.joints.begin(), m.joints.end(), random);
  for (auto& joint : m.joints) {
    if (random() % 2 == 0) swap_ends(joint);
  }
  return m;
}

// Every joint is called by another letter, so that other names are the first.
inline Mechanism renamed(Mechanism m) {
  for (auto& joint : m.joints) {
    joint.name.front() = static_cast<char>('a' + 'z' - joint.name.front());
  }
  return m;
}

struct Ordered {
  std::string name;
  Mechanism mechanism;
};

inline std::vector<Ordered> orders_of(const Mechanism& m, int shuffles) {
  std::vector<Ordered> orders{{"as written", m}};
  orders.push_back({"backwards", m});
  std::reverse(orders.back().mechanism.joints.begin(), orders.back().mechanism.joints.end());
  orders.push_back({"joints to the ground first", m});
  std::stable_partition(orders.back().mechanism.joints.begin(),
                        orders.back().mechanism.joints.end(),
                        [](const auto& joint) { return joint.parent == kGround; });
  orders.push_back({"joints to the ground last", m});
  std::stable_partition(orders.back().mechanism.joints.begin(),
                        orders.back().mechanism.joints.end(),
                        [](const auto& joint) { return joint.parent != kGround; });
  orders.push_back({"other names", renamed(m)});
  for (int i = 0; i < shuffles; ++i) {
    const auto seed = static_cast<unsigned>(20261123 + i);
    orders.push_back({"seed " + std::to_string(seed), shuffled(m, seed)});
  }
  return orders;
}

}  // namespace hamiltree::test
