// Random linkages of revolute joints in the plane.
#pragma once

#include <Eigen/Geometry>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

class PlanarLinkages {
 public:
  explicit PlanarLinkages(unsigned seed) : random_(seed) {}

  Eigen::VectorXd vector(Eigen::Index size) {
    return Eigen::VectorXd::NullaryExpr(size, [&] { return uniform_(random_); });
  }

  // A tree of bodies, some on the ground, and pins that close as many loops, some to the ground, of
  // bodies that no pin joins yet. Joints are written either way round. `crowded`: each body hangs
  // on the first one or the ground.
  Mechanism graph(int bodies, int loops, bool crowded = false) {
    start("graph");
    std::set<std::set<int>> joined;
    const auto join = [&](int parent, int child) {
      if (parent == child || !joined.insert({parent, child}).second) return false;
      pin(parent, child, any(3) == 0);
      return true;
    };
    for (int i = 0; i < bodies; ++i) add_body(i);
    for (int i = 0; i < bodies; ++i) {
      if (any(i + 1) == i || (crowded && any(2) == 0)) {
        join(kNobody, i);
      } else {
        join(crowded ? 0 : any(i), i);
      }
    }
    for (int closed = 0, tries = 0; closed < loops && tries < 20; ++tries) {
      if (join(any(4) == 0 ? kNobody : any(bodies), any(bodies))) ++closed;
    }
    return take();
  }

  // Windows in a row, each a crank on the ground and a coupler, all of them different.
  Mechanism ladder(int windows) {
    start("ladder");
    for (int i = 0; i <= windows; ++i) {
      add_body(2 * i);
      pin(kNobody, 2 * i);
    }
    for (int i = 0; i < windows; ++i) {
      add_body(2 * i + 1);
      pin(2 * i, 2 * i + 1, true);
      pin(2 * i + 2, 2 * i + 1);
    }
    return take();
  }

  // Columns of uprights, one on the other, and beams from each to the next column's.
  Mechanism grid(int columns, int rows) {
    start("grid");
    const auto upright = [&](int column, int row) { return column * rows + row; };
    const auto beam = [&](int column, int row) { return (columns + column) * rows + row; };
    for (int i = 0; i < (2 * columns - 1) * rows; ++i) add_body(i);
    for (int column = 0; column < columns; ++column) {
      for (int row = 0; row < rows; ++row)
        pin(row == 0 ? kNobody : upright(column, row - 1), upright(column, row), row % 3 == 1);
    }
    for (int column = 0; column + 1 < columns; ++column) {
      for (int row = 0; row < rows; ++row) {
        pin(upright(column, row), beam(column, row));
        pin(upright(column + 1, row), beam(column, row), true);
      }
    }
    return take();
  }

  // Legs of four bodies and two loops, all on one crank, which a coupler and a rocker may hold,
  // too.
  Mechanism legs(int count, bool held) {
    start("legs");
    add_body(0);
    pin(kNobody, 0);
    for (int k = 0; k < count; ++k) {
      const int first = 1 + 4 * k;
      for (int i = first; i < first + 4; ++i) add_body(i);
      pin(0, first);
      pin(kNobody, first + 1, true);
      pin(first + 1, first + 2);
      pin(first, first + 3, true);
      pin(first, first + 1, true);
      pin(first + 2, first + 3);
    }
    if (held) {
      const int rocker = 1 + 4 * count;
      add_body(rocker);
      add_body(rocker + 1);
      pin(kNobody, rocker);
      pin(rocker, rocker + 1);
      pin(0, rocker + 1);
    }
    return take();
  }

 private:
  static constexpr int kNobody = -1;

  void start(const char* name) {
    mechanism_ = {};
    mechanism_.name = name;
    mechanism_.space = SpaceKind::kPlanar;
    mechanism_.gravity = {0.7, -9.81, 0.0};
  }
  Mechanism take() { return std::move(mechanism_); }

  static std::string name(int i) { return i == kNobody ? kGround : "B" + std::to_string(i); }
  int any(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  void add_body(int i) {
    BodyDescription body;
    body.name = name(i);
    body.mass = 1.0 + 0.5 * uniform_(random_);
    body.com.head<2>() = 0.3 * vector(2);
    body.inertia = (0.2 + 0.1 * uniform_(random_)) * Eigen::Matrix3d::Identity();
    mechanism_.add(body);
  }

  // `turned`: written the other way round.
  void pin(int parent, int child, bool turned = false) {
    JointDescription joint;
    joint.name = "J" + std::to_string(mechanism_.joints.size());
    joint.parent = name(parent);
    joint.child = name(child);
    for (auto* frame : {&joint.at_parent, &joint.at_child}) {
      frame->position.head<2>() = vector(2);
      frame->rotation =
          Eigen::AngleAxisd(uniform_(random_), Eigen::Vector3d::UnitZ()).toRotationMatrix();
    }
    if (turned) {
      std::swap(joint.parent, joint.child);
      std::swap(joint.at_parent, joint.at_child);
    }
    mechanism_.add(joint);
  }

  Mechanism mechanism_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

}  // namespace hamiltree::test
