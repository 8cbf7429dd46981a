#include "hamiltree/analysis/linearize.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>

#include "analysis/linkage.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::test {
namespace {

using analysis::linearize;
using analysis::ModelAtPose;
using analysis::modes;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kPi = std::numbers::pi;

ModelAtPose at_start(const Model& model, const std::vector<std::string>& independent = {}) {
  return {model, 0.0, initial_state(model).q, independent};
}

// (J + m c^2) phi_ddot = -m g c phi - d phi_dot
TEST(Linearize, CompoundPendulum) {
  constexpr double m = 1.3, c = 0.4, J = 0.09, g = 9.81, d = 0.2, I = J + m * c * c;
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    Mechanism mechanism;
    mechanism.space = space;
    mechanism.gravity = {g, 0.0, 0.0};
    mechanism.add(bar("bar", m, c, J));
    mechanism.add(pin("pin", kGround, "bar"));
    mechanism.add(JointSpringDamper{"pin", 0.0, 0.0, d, {}});
    const Model model(mechanism);
    auto pose = at_start(model);
    const auto linear = linearize(pose, VectorXd::Zero(1), {"pin"});
    const MatrixXd A{{0.0, 1.0}, {-m * g * c / I, -d / I}};
    EXPECT_LT((linear.A - A).norm(), 1e-13 * A.norm());
    EXPECT_NEAR(linear.B(1, 0), 1.0 / I, 1e-13);
    EXPECT_EQ(linear.B(0, 0), 0.0);
    const auto all = modes(linear);
    ASSERT_EQ(all.size(), 1U);
    const double omega = std::sqrt(m * g * c / I);
    EXPECT_NEAR(all[0].frequency, omega / (2.0 * kPi), 1e-13);
    EXPECT_NEAR(all[0].damping, d / (2.0 * I * omega), 1e-13);
  }
}

// A curve that is a straight line, at its points, between them and beyond. There the slope was
// lost.
TEST(Linearize, SpringWithACurveHasItsSlopeAtItsPointsToo) {
  constexpr double I = 0.3, k = 100.0;
  for (const double angle : {-1.5, -1.0, -0.5, 0.0, 1.0, 1.5}) {
    Mechanism mechanism;
    mechanism.space = SpaceKind::kPlanar;
    mechanism.add(bar("bar", 1.0, 0.0, I));
    mechanism.add(pin("pin", kGround, "bar"));
    mechanism.joints.back().initial_q = VectorXd::Constant(1, angle);
    CurveSpring spring;
    spring.name = "spring";
    spring.joint = "pin";
    spring.deflections = {-1.0, 0.0, 1.0};
    spring.efforts = {-k, 0.0, k};
    mechanism.add(spring);
    const Model model(mechanism);
    auto pose = at_start(model);
    EXPECT_NEAR(linearize(pose, VectorXd::Zero(1)).A(1, 0), -k / I, 1e-9) << angle;
  }
}

// A row of masses, the first on a wall: omega_j = 2 sqrt(k/m) sin((2 j - 1) pi / (2 (2 n + 1)))
TEST(Linearize, BeamOfBushings) {
  constexpr int n = 7;
  constexpr double m = 0.8, k = 350.0;
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    Mechanism mechanism;
    mechanism.space = space;
    mechanism.gravity.setZero();
    for (int i = 0; i < n; ++i) {
      const auto name = "B" + std::to_string(i);
      mechanism.add(bar(name, m, 0.0, 0.05));
      JointDescription joint;
      joint.name = "J" + std::to_string(i);
      joint.type = JointType::kFree;
      joint.parent = kGround;
      joint.child = name;
      mechanism.add(joint);
      // Stiff but along x, so that the slowest motions are those of the row.
      Bushing bushing;
      bushing.name = "S" + std::to_string(i);
      bushing.body_a = i == 0 ? kGround : "B" + std::to_string(i - 1);
      bushing.body_b = name;
      bushing.translational_stiffness = {k, 1e3 * k, 1e3 * k};
      bushing.rotational_stiffness = Eigen::Vector3d::Constant(1e3 * k);
      mechanism.add(bushing);
    }
    const Model model(mechanism);
    auto pose = at_start(model);
    const auto all = modes(linearize(pose, VectorXd::Zero(pose.freedom())));
    ASSERT_EQ(all.size(), static_cast<std::size_t>(pose.freedom()));
    for (int j = 1; j <= n; ++j) {
      const double omega = 2.0 * std::sqrt(k / m) * std::sin((2 * j - 1) * kPi / (2 * (2 * n + 1)));
      EXPECT_NEAR(all[static_cast<std::size_t>(j - 1)].frequency, omega / (2.0 * kPi),
                  1e-8 * omega);
    }
  }
}

// m_1 x_1_ddot = -k_1 x_1 + k_2 (x_2 - x_1) and so on, with x_2 relative to the first mass.
TEST(Linearize, TwoMassOscillator) {
  constexpr double m_1 = 2.0, m_2 = 0.7, k_1 = 90.0, k_2 = 40.0;
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.add(bar("first", m_1, 0.0, 0.1));
  mechanism.add(bar("second", m_2, 0.0, 0.1));
  mechanism.gravity.setZero();
  for (const auto& [name, parent, child] :
       {std::array{"S1", "ground", "first"}, std::array{"S2", "first", "second"}}) {
    auto joint = pin(name, parent, child);
    joint.type = JointType::kPrismatic;
    mechanism.add(joint);
  }
  mechanism.add(JointSpringDamper{"S1", k_1, 0.0, 0.0, {}});
  mechanism.add(JointSpringDamper{"S2", k_2, 0.0, 0.0, {}});
  const Model model(mechanism);
  auto pose = at_start(model);
  const auto all = modes(linearize(pose, VectorXd::Zero(2)));
  const Eigen::Matrix2d K{{k_1 + k_2, -k_2}, {-k_2, k_2}};
  const Eigen::Vector2d scale(1.0 / std::sqrt(m_1), 1.0 / std::sqrt(m_2));
  const auto exact = symmetric_eigen(scale.asDiagonal() * K * scale.asDiagonal());
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(all[static_cast<std::size_t>(i)].frequency,
                std::sqrt(exact.values(i)) / (2.0 * kPi), 1e-12);
    // In relative displacements.
    const Eigen::Vector2d moved = exact.vectors.col(i).cwiseProduct(scale);
    Eigen::Vector2d shape(moved(0), moved(1) - moved(0));
    shape /= std::abs(shape(0)) > std::abs(shape(1)) ? shape(0) : shape(1);
    EXPECT_LT((all[static_cast<std::size_t>(i)].shape - shape).norm(), 1e-11);
  }
}

// phi_ddot = f(phi, phi_dot) by M(phi) and V(phi), at rest and moving; in space with redundant
// rows.
TEST(Linearize, FourBar) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const double phi : {0.4, 1.3, 2.9, -1.1}) {
      for (const double rate : {0.0, 2.3}) {
        const Model model(FourBar::mechanism(space, phi));
        auto pose = at_start(model, {"A"});
        ASSERT_EQ(pose.freedom(), 1);
        const auto linear = linearize(pose, VectorXd::Constant(1, rate), {"A"});
        const auto f = [&](long double x, long double v) { return FourBar::acceleration(x, v); };
        EXPECT_NEAR(linear.v_dot(linear.independent[0]), static_cast<double>(f(phi, rate)), 1e-9);
        const double f_phi = static_cast<double>(
            FourBar::derivative([&](long double x) { return f(x, rate); }, phi));
        const double f_rate = static_cast<double>(
            FourBar::derivative([&](long double v) { return f(phi, v); }, rate));
        const MatrixXd A{{0.0, 1.0}, {f_phi, f_rate}};
        EXPECT_LT((linear.A - A).norm(), 1e-8 * A.norm()) << linear.A << "\n" << A;
        EXPECT_NEAR(linear.B(1, 0), 1.0 / static_cast<double>(FourBar::mass(phi)), 1e-9);
        // How the coupler follows.
        const auto theta = [](long double x) {
          const auto all = FourBar::angles(x);
          return all[1] - all[0];
        };
        const int b = *model.find_joint("B");
        const int v = model.visit([&](const auto& system) { return system.joint(b).v; });
        EXPECT_NEAR(linear.C_v(v, 1), static_cast<double>(FourBar::derivative(theta, phi)), 1e-9);
      }
    }
  }
}

// A floating body that spins: d(dtheta)/dt = domega - omega x dtheta, in its own axes, and
// J domega_dot = (J omega) x domega - omega x J domega.
TEST(Linearize, SpinningBody) {
  Mechanism mechanism;
  mechanism.gravity.setZero();
  BodyDescription body = bar("body", 1.7, 0.0, 0.0);
  const Eigen::Vector3d J(0.2, 0.35, 0.5);
  body.inertia = J.asDiagonal();
  mechanism.add(body);
  JointDescription joint;
  joint.name = "free";
  joint.type = JointType::kSpherical;
  joint.parent = kGround;
  joint.child = "body";
  mechanism.add(joint);
  const Model model(mechanism);
  Eigen::Vector4d q(0.4, -0.3, 0.7, 0.2);
  ModelAtPose pose(model, 0.0, q.normalized());
  const Eigen::Vector3d omega(0.8, -1.1, 0.5);
  const auto linear = linearize(pose, omega);
  const auto skew = [](const Eigen::Vector3d& a) {
    return Eigen::Matrix3d{{0.0, -a(2), a(1)}, {a(2), 0.0, -a(0)}, {-a(1), a(0), 0.0}};
  };
  MatrixXd A = MatrixXd::Zero(6, 6);
  A.topLeftCorner(3, 3) = -skew(omega);
  A.topRightCorner(3, 3).setIdentity();
  const Eigen::Vector3d L = J.cwiseProduct(omega);
  A.bottomRightCorner(3, 3) =
      J.cwiseInverse().asDiagonal() * (skew(L) - skew(omega) * Eigen::Matrix3d(J.asDiagonal()));
  EXPECT_LT((linear.A - A).norm(), 1e-13 * A.norm()) << linear.A << "\n" << A;
}

TEST(Linearize, WhatCannotMoveHasNoModes) {
  Mechanism driven;
  driven.add(bar("bar", 1.0, 0.5, 0.1));
  driven.add(pin("pin", kGround, "bar"));
  driven.joints.back().guess_q.reset();
  driven.joints.back().drive = Polynomial{{0.0, 2.0}};
  Mechanism triangle;
  triangle.add(bar("left", 1.0, 0.5, 0.1));
  triangle.add(bar("right", 1.0, 0.5, 0.1));
  triangle.add(pin("A", kGround, "left", 0.0, 1.0));
  triangle.add(pin("B", "left", "right", 1.0, -2.0));
  triangle.add(pin("C", kGround, "right", 1.0));
  triangle.joints.back().at_child.position = {1.0, 0.0, 0.0};
  for (const auto& mechanism : {driven, triangle}) {
    const Model model(mechanism);
    auto pose = at_start(model);
    const auto linear = linearize(pose, VectorXd::Zero(0), {});
    EXPECT_EQ(linear.A.size(), 0);
    EXPECT_TRUE(modes(linear).empty());
  }
}

// A crank of 0.2 m and a rod of 0.6 m near the dead centre: the slider may be independent, at
//   dx/dphi = -l sin(phi) (1 + l cos(phi) / sqrt(r^2 - l^2 sin^2(phi)))
TEST(Linearize, AJointNearItsDeadCentreMayBeIndependent) {
  constexpr double l = 0.2, r = 0.6;
  for (const double phi : {1e-2, 3e-3, 1e-3}) {
    Mechanism mechanism;
    mechanism.space = SpaceKind::kPlanar;
    mechanism.add(bar("crank", 1.0, 0.1, 0.1)).add(bar("rod", 1.0, 0.3, 0.1));
    mechanism.add(bar("slider", 1.0, 0.0, 0.1));
    auto crank = pin("A", kGround, "crank");
    crank.initial_q = VectorXd::Constant(1, phi);
    auto slide = pin("D", kGround, "slider", 0.0, 0.8);
    slide.cut = false;
    slide.type = JointType::kPrismatic;
    mechanism.add(crank).add(pin("B", "crank", "rod", l)).add(pin("C", "rod", "slider", r));
    mechanism.add(slide);
    const Model model(mechanism);
    auto pose = at_start(model, {"D"});
    const double rate =
        -l * std::sin(phi) *
        (1.0 + l * std::cos(phi) / std::sqrt(r * r - std::pow(l * std::sin(phi), 2)));
    const double found = pose.rates_of({*model.find_joint("A")})(0, 0);
    EXPECT_NEAR(found * rate, 1.0, 1e-9) << phi;
  }
}

TEST(Linearize, SaysWhatDoesNotFit) {
  const Model model(FourBar::mechanism(SpaceKind::kPlanar, 1.3));
  const auto message = [&](const auto& act) -> std::string {
    try {
      act();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "nothing";
  };
  auto pose = at_start(model);
  EXPECT_EQ(message([&] { linearize(pose, VectorXd::Zero(2)); }),
            "u has 2 entries, four-bar has 1 independent velocities");
  EXPECT_EQ(message([&] { linearize(pose, VectorXd::Zero(1), {"E"}); }),
            "joint \"E\" is not a joint of four-bar");
  const auto both = [&] { at_start(model, {"A", "B"}); };
  EXPECT_NE(message(both).find("\" is not independent: the loops give its velocity"),
            std::string::npos);
  EXPECT_EQ(
      message([&] { at_start(model, {"C"}); }),
      "joint \"C\" closes a loop: its velocity is none of the state's, which it would be with "
      "cut = false");
  EXPECT_EQ(message([&] { ModelAtPose(model, 0.0, VectorXd::Zero(2)); }),
            "q has 2 entries, four-bar has 3 coordinates");
}

// A rack on the slide of a slider-crank turns a wheel: the same modes whether the loop is cut at
// the slide, at a pin of it, or anywhere.
TEST(Linearize, ACouplingAtACutIsOneInTheTree) {
  const auto modes_with_cut = [](const std::string& cut) {
    Mechanism mechanism;
    mechanism.space = SpaceKind::kPlanar;
    mechanism.gravity = {0.0, -9.81, 0.0};
    for (const char* name : {"crank", "rod", "slider", "wheel"})
      mechanism.add(bar(name, 1.0, 0.1, 0.1));
    const auto joint = [&](const char* name, const char* parent, const char* child, double x) {
      auto one = pin(name, parent, child);
      one.at_parent.position = {x, 0.0, 0.0};
      if (cut == name) one.cut = true;
      return one;
    };
    auto crank = joint("A", "ground", "crank", 0.0);
    crank.guess_q.reset();
    crank.initial_q = VectorXd::Constant(1, 0.9);
    auto rod = joint("B", "crank", "rod", 0.3);
    rod.guess_q = VectorXd::Constant(1, -1.2);
    auto slide = joint("S", "ground", "slider", 0.0);
    slide.type = JointType::kPrismatic;
    for (const auto& one :
         {crank, rod, joint("C", "rod", "slider", 0.9), slide, joint("W", "ground", "wheel", -1.0)})
      mechanism.add(one);
    mechanism.add(Coupling{"rack", "W", "S", 2.0, 0.1, {}});
    const Model model(mechanism);
    auto pose = at_start(model);
    const auto linear = linearize(pose, VectorXd::Zero(pose.freedom()), {});
    return general_eigen(linear.A).values;
  };
  const auto expected = modes_with_cut("C");
  const auto found = modes_with_cut("S");
  ASSERT_EQ(found.size(), 2);
  EXPECT_LT(std::abs(found.sum() - expected.sum()), 1e-11);
  EXPECT_LT(std::abs(found.prod() - expected.prod()), 1e-11 * std::abs(expected.prod()));
}

}  // namespace
}  // namespace hamiltree::test
