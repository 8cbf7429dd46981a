// Random linkages that start at poses made singular on purpose: bars on one line, folded Bricard
// and Sarrus linkages, scissors and rows, with drives, springs, unequal masses or none, and gravity
// in any direction.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "support/folded.hpp"

namespace hamiltree::test {

class SingularLoops {
 public:
  explicit SingularLoops(std::uint64_t seed) : engine_(seed) {}

  Mechanism next() {
    Mechanism m;
    switch (below(10)) {
      case 0:
        m = flat_parallelograms(1 + below(3), space());
        break;
      case 1:
        m = folded_scissor(2 + below(3));
        break;
      case 2:
        m = truss(0.0);
        break;
      case 3:
        m = sarrus(0.0);
        break;
      case 4:
        m = folded_bricard();
        break;
      default:
        m = bars_on_a_line();
        break;
    }
    m.gravity = 9.81 * direction(m.space);
    for (auto& body : m.bodies) {
      const double factor = std::exp(uniform(-2.0, 2.0));
      body.mass *= factor;
      body.inertia *= factor;
    }
    if (m.space == SpaceKind::kSpatial && chance(0.3)) loosen(m);
    if (chance(0.3)) add_springs(m);
    if (chance(0.15)) drive(m);
    if (chance(0.1)) take_mass(m);
    if (chance(0.3)) push(m);
    return m;
  }

  bool chance(double share) { return uniform(0.0, 1.0) < share; }
  int below(int count) { return static_cast<int>(engine_() % static_cast<unsigned>(count)); }

 private:
  double uniform(double from, double to) {
    return from + (to - from) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  SpaceKind space() { return chance(0.6) ? SpaceKind::kPlanar : SpaceKind::kSpatial; }
  Eigen::Vector3d direction(SpaceKind space) {
    const double z = space == SpaceKind::kPlanar ? 0.0 : uniform(-1.0, 1.0);
    const double angle = uniform(-std::numbers::pi, std::numbers::pi);
    const double r = std::sqrt(1.0 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }

  // A polygon of four to seven bars, the ground one of them, each to the right or to the left; then
  // up to two pairs of bars between points of bars that are there.
  Mechanism bars_on_a_line() {
    Bars bars(space());
    struct Bar {
      std::string name;
      double begin, length, side;  // on the line; side: 1 to the right
    };
    std::vector<Bar> all;
    const int count = 3 + (chance(0.6) ? 0 : below(4));
    const double unit = std::pow(10.0, uniform(-1.0, 1.0));
    double end = 0.0;
    for (int i = 0; i < count; ++i) {
      const Bar bar{"bar" + std::to_string(i), end, unit * uniform(0.3, 1.5),
                    chance(0.7) ? 1.0 : -1.0};
      const double before = all.empty() ? 1.0 : all.back().side;
      bars.bar(bar.name, bar.length);
      bars.pin_at("P" + std::to_string(i), i == 0 ? "ground" : all.back().name, bar.name,
                  i == 0 ? 0.0 : all.back().length, bar.side == before ? 0.0 : std::numbers::pi);
      end += bar.side * bar.length;
      all.push_back(bar);
    }
    // Grashof's limits and parallelograms, not only lengths that are as they come.
    if (count == 3 && chance(0.3)) return parallelogram(unit);
    bars.pin("Z", "ground", all.back().name, end, all.back().length);
    const int pairs = chance(0.3) ? 1 + below(2) : 0;
    for (int i = 0; i < pairs; ++i) {
      const Bar a = all[static_cast<std::size_t>(below(count))];
      const Bar b = all[static_cast<std::size_t>(below(count))];
      const double at_a = a.length * uniform(0.2, 0.8), at_b = b.length * uniform(0.2, 0.8);
      const double from = a.begin + a.side * at_a, to = b.begin + b.side * at_b;
      const double first = unit * uniform(0.4, 1.2), side = chance(0.5) ? 1.0 : -1.0;
      const double rest = to - from - side * first;
      if (a.name == b.name || std::abs(rest) < 0.1 * unit) continue;
      const auto n = std::to_string(i);
      const double second_side = rest > 0.0 ? 1.0 : -1.0;
      bars.bar("u" + n, first);
      bars.bar("w" + n, std::abs(rest));
      bars.pin_at("U" + n, a.name, "u" + n, at_a, side == a.side ? 0.0 : std::numbers::pi);
      bars.pin_at("V" + n, "u" + n, "w" + n, first, side == second_side ? 0.0 : std::numbers::pi);
      bars.pin("W" + n, "w" + n, b.name, std::abs(rest), at_b);
    }
    return bars.mechanism();
  }

  Mechanism parallelogram(double unit) {
    FourBarSizes sizes{unit * uniform(0.5, 1.5), unit * uniform(0.3, 0.8)};
    sizes.coupler = sizes.base;
    sizes.rocker = sizes.crank;
    if (chance(0.3)) {
      sizes.coupler = sizes.rocker = unit * uniform(0.2, 0.4);
      sizes.base = sizes.crank;
      sizes.angles = {0.0, std::numbers::pi, std::numbers::pi};  // a kite
    }
    return folded_four_bar(sizes, space());
  }

  // Six equal links, each pin a right angle from the one before, folded on one line.
  Mechanism folded_bricard() {
    Mechanism m;
    m.name = "bricard";
    m.space = SpaceKind::kSpatial;
    const double length = uniform(0.2, 1.0);
    for (int i = 1; i <= 5; ++i) {
      BodyDescription body;
      body.name = "link" + std::to_string(i);
      body.mass = 1.0;
      body.com = {0.5 * length, 0.0, 0.0};
      body.inertia.diagonal() << 1e-3, 0.1, 0.1;
      m.add(body);
    }
    const auto twist = [](double angle) {
      return Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX()).toRotationMatrix();
    };
    const double quarter = 0.5 * std::numbers::pi;
    for (int i = 0; i < 6; ++i) {
      JointDescription joint;
      joint.name = std::string(1, static_cast<char>('A' + i));
      joint.parent = i == 0 || i == 5 ? kGround : "link" + std::to_string(i);
      joint.child = "link" + std::to_string(i == 5 ? 5 : i + 1);
      if (i == 5) {  // the sixth link is the ground
        joint.at_parent = {{-length, 0.0, 0.0}, twist(-quarter)};
        joint.at_child = {{length, 0.0, 0.0}, twist(quarter)};
      } else {
        if (i > 0) joint.at_parent = {{length, 0.0, 0.0}, twist(quarter)};
        joint.initial_q = Eigen::VectorXd::Constant(1, std::numbers::pi);
      }
      m.add(joint);
    }
    return m;
  }

  void add_springs(Mechanism& m) {
    for (const auto& joint : m.joints) {
      if (joint.type == JointType::kRevolute && chance(0.5)) {
        m.add(JointSpringDamper{.joint = joint.name,
                                .stiffness = uniform(0.0, 20.0),
                                .rest = uniform(-0.5, 0.5),
                                .damping = chance(0.5) ? uniform(0.0, 0.2) : 0.0,
                                .where = {}});
      }
    }
  }

  // A joint turns, or begins to turn, as it is told.
  void drive(Mechanism& m) {
    auto& joint = m.joints[static_cast<std::size_t>(below(static_cast<int>(m.joints.size())))];
    if (!joint.initial_q) return;
    const double angle = (*joint.initial_q)(0);
    joint.initial_q.reset();
    if (chance(0.2)) {
      joint.drive = SmoothStep{angle, angle + 0.3, 0.0, 0.5};
    } else {
      joint.drive = Polynomial{{angle, uniform(-2.0, 2.0)}};
    }
  }

  void take_mass(Mechanism& m) {
    auto& body = m.bodies[static_cast<std::size_t>(below(static_cast<int>(m.bodies.size())))];
    body.mass = 0.0;
    body.inertia.setZero();
  }

  void push(Mechanism& m) {
    for (auto& joint : m.joints) {
      if (!joint.drive && joint.initial_q && chance(0.3))
        joint.initial_v = Eigen::VectorXd::Constant(1, uniform(-1.0, 1.0));
    }
  }

  // Some pins become balls or crosses.
  void loosen(Mechanism& m) {
    for (auto& joint : m.joints) {
      if (joint.initial_q || joint.drive || !chance(0.7)) continue;
      joint.type = chance(0.5) ? JointType::kSpherical : JointType::kCylindrical;
    }
  }

  std::mt19937_64 engine_;
};

}  // namespace hamiltree::test
