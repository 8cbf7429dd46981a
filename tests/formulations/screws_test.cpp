// Trees of pins in screw frames against the divide-and-conquer algorithm, at every way that one
// axis can lie to the next.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <string>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::test {
namespace {

enum class Axes { kAny, kParallel, kAntiparallel, kRightAngles, kCrossing, kNearlyParallel };

class Pins {
 public:
  explicit Pins(unsigned seed) : random_(seed) {}

  Eigen::VectorXd vector(Eigen::Index size) {
    return Eigen::VectorXd::NullaryExpr(size, [&] { return uniform_(random_); });
  }

  // n pins, each body on one of the last `reach` bodies before it.
  Mechanism tree(int n, Axes axes, int reach) {
    Mechanism mechanism;
    mechanism.name = "pins";
    mechanism.gravity = {1.0, -9.81, 2.0};
    for (int i = 0; i < n; ++i) {
      const int back = 1 + static_cast<int>(random_() % static_cast<unsigned>(reach));
      mechanism.add(body(i));
      mechanism.add(pin(i, i - back < 0 ? kGround : name(i - back), axes));
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

struct Case {
  std::string name;
  Axes axes;
  int reach;  // 1: a chain
};

class Screws : public testing::TestWithParam<Case> {};

// The largest difference of what two formulations find, relative to the largest entry.
double difference(const Formulation& one, const Formulation& other, const StateView& state) {
  const auto a = one.make_workspace(), b = other.make_workspace();
  other.analyse(state, *b);
  EXPECT_EQ(one.rate(state, *a), Status::kOk);
  EXPECT_EQ(other.rate(state, *b), Status::kOk);
  double worst = 0.0;
  for (const auto& [x, y] : {std::pair{a->v, b->v}, {a->u_dot, b->u_dot}, {a->q_dot, b->q_dot}}) {
    double size = 0.0, off = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      size = std::max(size, std::abs(y[i]));
      off = std::max(off, std::abs(x[i] - y[i]));
    }
    worst = std::max(worst, off / size);
  }
  return worst;
}

TEST_P(Screws, GiveTheRatesOfOtherFormulations) {
  const auto& c = GetParam();
  for (const int n : {1, 2, 3, 7, 20}) {
    Pins pins(static_cast<unsigned>(n));
    const Model model(pins.tree(n, c.axes, c.reach));
    const auto recursive = make_formulation("recursive", model);
    EXPECT_NE(recursive->plan().find("screw frames"), std::string::npos);
    const Eigen::VectorXd q = 3.0 * pins.vector(n), p = pins.vector(n);
    const StateView state{0.0, q.data(), p.data()};
    for (const auto* name : {"dense", "hdca"})
      EXPECT_LT(difference(*recursive, *make_formulation(name, model), state), 1e-11)
          << name << ", " << n << " bodies";
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& [name, axes] : {std::pair{"any", Axes::kAny},
                                   {"parallel", Axes::kParallel},
                                   {"antiparallel", Axes::kAntiparallel},
                                   {"right_angles", Axes::kRightAngles},
                                   {"crossing", Axes::kCrossing},
                                   {"nearly_parallel", Axes::kNearlyParallel}}) {
    for (const int reach : {1, 2, 4})
      all.push_back({std::string(name) + (reach == 1 ? "_chain" : "_tree_" + std::to_string(reach)),
                     axes, reach});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Ways, Screws, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hamiltree::test
