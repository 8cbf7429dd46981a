// Mechanisms of like bars for tests: slender, one meter and one kilogram each.
#pragma once

#include <Eigen/Core>
#include <string>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

inline Mechanism bars(SpaceKind space) {
  Mechanism mechanism;
  mechanism.space = space;
  mechanism.gravity = {0, -9.81, 0};
  return mechanism;
}

inline std::string add_bar(Mechanism& mechanism, const std::string& name) {
  BodyDescription bar;
  bar.name = name;
  bar.mass = 1.0;
  bar.com = {0.5, 0, 0};
  const double across = mechanism.space == SpaceKind::kPlanar ? 0.0 : 1.0 / 12;
  bar.inertia = Eigen::Vector3d(0.01 * across, across, 1.0 / 12).asDiagonal();
  mechanism.add(bar);
  return name;
}

inline void add_pin(Mechanism& mechanism, const std::string& parent, const std::string& child,
                    double at_x, double child_x, double q) {
  JointDescription pin;
  pin.name = parent + " to " + child;
  pin.parent = parent;
  pin.child = child;
  pin.at_parent.position.x() = at_x;
  pin.at_child.position.x() = child_x;
  pin.initial_q = Eigen::VectorXd::Constant(1, q);
  pin.initial_v = Eigen::VectorXd::Constant(1, 0.5 * q);
  mechanism.add(pin);
}

// Parallelograms in a row; in space three of the five rows of every loop are redundant.
inline Mechanism ladder(int windows, SpaceKind space, double angle) {
  auto mechanism = bars(space);
  const auto crank = [](int i) { return "crank " + std::to_string(i); };
  for (int i = 0; i <= windows; ++i) {
    add_bar(mechanism, crank(i));
    add_pin(mechanism, kGround, crank(i), i, 0.0, angle);
  }
  for (int i = 0; i < windows; ++i) {
    const auto coupler = add_bar(mechanism, "coupler " + std::to_string(i));
    add_pin(mechanism, crank(i), coupler, 1.0, 0.0, -angle);
    add_pin(mechanism, crank(i + 1), coupler, 1.0, 1.0, -angle);
  }
  return mechanism;
}

// Bars between the n x n nodes of a grid above the ground; those of a row are parallel, and each
// row turns as it likes: n degrees of freedom, n (n - 1) loops.
inline Mechanism grid(int n) {
  auto mechanism = bars(SpaceKind::kPlanar);
  const auto upright = [](int i, int row) {
    return "upright " + std::to_string(i) + " of row " + std::to_string(row);
  };
  double below = 0.0;
  for (int row = 0; row < n; ++row) {
    const double angle = 1.0 + 0.1 * row;
    for (int i = 0; i < n; ++i) {
      add_bar(mechanism, upright(i, row));
      add_pin(mechanism, row == 0 ? kGround : upright(i, row - 1), upright(i, row),
              row == 0 ? i : 1.0, 0.0, angle - below);
    }
    for (int i = 0; i + 1 < n; ++i) {
      const auto beam =
          add_bar(mechanism, "beam " + std::to_string(i) + " of row " + std::to_string(row));
      add_pin(mechanism, upright(i, row), beam, 1.0, 0.0, -angle);
      add_pin(mechanism, upright(i + 1, row), beam, 1.0, 1.0, -angle);
    }
    below = angle;
  }
  return mechanism;
}

}  // namespace hamiltree::test
