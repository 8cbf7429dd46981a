// All formulations against equations from textbooks: simple and double pendulum, free rigid body,
// and bodies on free joints, which are the same bodies wherever their joint comes from.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"
#include "support/random_space.hpp"
#include "support/rates.hpp"

namespace hamiltree {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::difference;
using test::RandomMechanism;
using test::rates;

constexpr double kRounding = 1e-13;  // of rates of order 1; measured: 6e-14 at most

class Textbook : public testing::TestWithParam<std::string> {};

BodyDescription bar(const std::string& name, double mass, double com, double inertia) {
  return {name, mass, {com, 0.0, 0.0}, Vector3d(inertia, inertia, inertia).asDiagonal(), false, {}};
}

JointDescription joint(const std::string& name, JointType type, const std::string& parent,
                       const std::string& child, double x = 0.0) {
  JointDescription description;
  description.name = name;
  description.type = type;
  description.parent = parent;
  description.child = child;
  description.at_parent.position = {x, 0.0, 0.0};
  return description;
}

// (J + m c^2) qdot = p, pdot = -m g c cos q; q from the horizontal.
TEST_P(Textbook, SimplePendulum) {
  constexpr double m = 1.3, c = 0.4, J = 0.09, g = 9.81;
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    Mechanism mechanism;
    mechanism.space = space;
    mechanism.gravity = {0.0, -g, 0.0};
    mechanism.add(bar("bar", m, c, J));
    mechanism.add(joint("pin", JointType::kRevolute, kGround, "bar"));
    const Model model(mechanism);
    for (const double q : {-2.0, 0.3, 1.9}) {
      const double p = 0.7 - q;
      const auto r =
          rates(GetParam(), model, 0.0, VectorXd::Constant(1, q), VectorXd::Constant(1, p));
      EXPECT_NEAR(r.q_dot(0), p / (J + m * c * c), kRounding);
      EXPECT_NEAR(r.p_dot(0), -m * g * c * std::cos(q), kRounding);
    }
  }
}

// About every axis of a ball on the ground the armature is the inertia of a sphere.
TEST_P(Textbook, BallWithArmature) {
  constexpr double I = 0.7;
  const auto swing = [](double armature, double sphere) {
    Mechanism mechanism;
    mechanism.space = SpaceKind::kSpatial;
    auto body = bar("bar", 1.3, 0.4, 0.09);
    body.inertia += sphere * Eigen::Matrix3d::Identity();
    mechanism.add(body);
    mechanism.add(joint("ball", JointType::kSpherical, kGround, "bar"));
    mechanism.joints.back().armature = armature;
    return Model(mechanism);
  };
  const VectorXd q = VectorXd::LinSpaced(4, 0.2, 0.8).normalized();
  const VectorXd p = VectorXd::LinSpaced(3, -0.5, 0.9);
  const auto found = rates(GetParam(), swing(I, 0.0), 0.0, q, p);
  const auto expected = rates(GetParam(), swing(0.0, I), 0.0, q, p);
  EXPECT_LE((found.q_dot - expected.q_dot).lpNorm<Eigen::Infinity>(), kRounding);
  EXPECT_LE((found.p_dot - expected.p_dot).lpNorm<Eigen::Infinity>(), kRounding);
}

// The same with a rotor I: (J + m c^2 + I) qdot = p, and the pin's moment about its axis is what I
// takes, -I qddot.
TEST_P(Textbook, PendulumWithArmature) {
  constexpr double m = 1.3, c = 0.4, J = 0.09, g = 9.81;
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const double I : {1e-6, 0.05, 40.0}) {
      Mechanism mechanism;
      mechanism.space = space;
      mechanism.gravity = {0.0, -g, 0.0};
      mechanism.add(bar("bar", m, c, J));
      mechanism.add(joint("pin", JointType::kRevolute, kGround, "bar"));
      mechanism.joints.back().armature = I;
      const Model model(mechanism);
      const VectorXd q = VectorXd::Constant(1, 0.3);
      const VectorXd p = VectorXd::Constant(1, 0.7);
      const auto r = rates(GetParam(), model, 0.0, q, p);
      EXPECT_NEAR(r.q_dot(0), p(0) / (J + m * c * c + I), kRounding);
      EXPECT_NEAR(r.p_dot(0), -m * g * c * std::cos(q(0)), kRounding);
      const auto formulation = make_formulation(GetParam(), model);
      const auto workspace = formulation->make_workspace();
      const bool momenta = formulation->form() == StateForm::kMomenta;
      const StateView state{0.0, q.data(), momenta ? p.data() : r.v.data()};
      ASSERT_EQ(formulation->accelerations(state, *workspace), Status::kOk);
      const double acceleration = -m * g * c * std::cos(q(0)) / (J + m * c * c + I);
      EXPECT_NEAR(workspace->v_dot[0], acceleration, kRounding);
      EXPECT_NEAR(formulation->reaction(0, *workspace).moment(2), -I * acceleration,
                  10.0 * kRounding);
    }
  }
}

// Lagrange's equations in absolute angles phi, with d = phi_1 - phi_2:
//   pi_1 = a phi_1' + b cos(d) phi_2'       pi_1' = -b sin(d) phi_1' phi_2' - G_1 cos(phi_1)
//   pi_2 = b cos(d) phi_1' + e phi_2'       pi_2' = +b sin(d) phi_1' phi_2' - G_2 cos(phi_2)
// The engine's coordinates are relative: q_1 = phi_1, q_2 = phi_2 - phi_1, p_1 = pi_1 + pi_2,
// p_2 = pi_2.
TEST_P(Textbook, DoublePendulum) {
  constexpr double m1 = 1.1, m2 = 0.6, c1 = 0.2, c2 = 0.35, l1 = 0.5, J1 = 0.02, J2 = 0.03;
  constexpr double g = 9.80665;
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -g, 0.0};
  mechanism.add(bar("upper", m1, c1, J1)).add(bar("lower", m2, c2, J2));
  mechanism.add(joint("shoulder", JointType::kRevolute, kGround, "upper"));
  mechanism.add(joint("elbow", JointType::kRevolute, "upper", "lower", l1));
  const Model model(mechanism);

  const double a = J1 + m1 * c1 * c1 + m2 * l1 * l1;
  const double b = m2 * l1 * c2;
  const double e = J2 + m2 * c2 * c2;
  const double G1 = (m1 * c1 + m2 * l1) * g;
  const double G2 = m2 * c2 * g;
  RandomMechanism random(1);
  for (int i = 0; i < 100; ++i) {
    const VectorXd q = random.vector(2, 3.0);
    const VectorXd p = random.vector(2);
    const double phi1 = q(0);
    const double phi2 = q(0) + q(1);
    const double d = phi1 - phi2;
    const Eigen::Vector2d pi(p(0) - p(1), p(1));
    const double det = a * e - b * b * std::cos(d) * std::cos(d);
    const double w1 = (e * pi(0) - b * std::cos(d) * pi(1)) / det;
    const double w2 = (a * pi(1) - b * std::cos(d) * pi(0)) / det;
    const double pi1_dot = -b * std::sin(d) * w1 * w2 - G1 * std::cos(phi1);
    const double pi2_dot = b * std::sin(d) * w1 * w2 - G2 * std::cos(phi2);

    const auto r = rates(GetParam(), model, 0.0, q, p);
    const double size = 1.0 + w1 * w1 + w2 * w2;
    EXPECT_NEAR(r.q_dot(0), w1, kRounding * size);
    EXPECT_NEAR(r.q_dot(1), w2 - w1, kRounding * size);
    EXPECT_NEAR(r.p_dot(0), pi1_dot + pi2_dot, kRounding * size);
    EXPECT_NEAR(r.p_dot(1), pi2_dot, kRounding * size);
  }
}

// The published start of the shipped double pendulum: angular accelerations of two equal bars of
// length l, hinged in line at 45 degrees, are -(9/7) (g/l) cos(45) and +(3/7) (g/l) cos(45).
TEST_P(Textbook, DoublePendulumFromRest) {
  constexpr double m = 0.5, l = 0.3, g = 9.80665;
  const double alpha = std::acos(-1.0) / 4.0;
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -g, 0.0};
  mechanism.add(bar("upper", m, l / 2.0, m * l * l / 12.0));
  mechanism.add(bar("lower", m, l / 2.0, m * l * l / 12.0));
  mechanism.add(joint("shoulder", JointType::kRevolute, kGround, "upper"));
  mechanism.add(joint("elbow", JointType::kRevolute, "upper", "lower", l));
  const Model model(mechanism);
  const Eigen::Vector2d q(alpha, 0.0);
  const auto r = rates(GetParam(), model, 0.0, q, Eigen::Vector2d::Zero());
  // At rest pdot = M qddot: the same linear map as qdot from p.
  const auto acceleration = rates(GetParam(), model, 0.0, q, r.p_dot).q_dot;
  EXPECT_NEAR(acceleration(0), -9.0 / 7.0 * g / l * std::cos(alpha), 1e-11);
  EXPECT_NEAR(acceleration(0) + acceleration(1), 3.0 / 7.0 * g / l * std::cos(alpha), 1e-11);
}

struct RigidBody {
  double mass = 0.8;
  Vector3d com{0.2, -0.1, 0.3};
  Matrix3d J{{0.05, 0.01, 0.0}, {0.01, 0.07, -0.02}, {0.0, -0.02, 0.06}};
};

// Newton and Euler about the centre of mass, brought to the body frame's origin:
//   P = m v_c,  L_O = J w + c x P;  in body axes Pdot = m R^T g - w x P,
//   L_O' = c x m R^T g - w x L_O - v_O x P
TEST_P(Textbook, FreeRigidBody) {
  const RigidBody body;
  const Vector3d gravity(1.0, -2.0, 9.0);
  Mechanism mechanism;
  mechanism.space = SpaceKind::kSpatial;
  mechanism.gravity = gravity;
  mechanism.add(BodyDescription{"body", body.mass, body.com, body.J, false, {}});
  mechanism.add(joint("free", JointType::kFree, kGround, "body"));
  const Model model(mechanism);
  RandomMechanism random(2);
  for (int i = 0; i < 50; ++i) {
    const Vector3d r = random.vector(3);
    const Eigen::Quaterniond turn(Eigen::Vector4d(random.vector(4)).normalized());
    const Vector3d v = random.vector(3);
    const Vector3d w = random.vector(3);
    const Vector3d P = body.mass * (v + w.cross(body.com));
    const Vector3d L = body.J * w + body.com.cross(P);
    const Vector3d weight = body.mass * (turn.inverse() * gravity);
    VectorXd q(7), p(6), v_expected(6), p_dot(6), q_dot(7);
    q << r, turn.w(), turn.x(), turn.y(), turn.z();
    p << P, L;
    v_expected << v, w;
    p_dot << weight - w.cross(P), body.com.cross(weight) - w.cross(L) - v.cross(P);
    const Eigen::Quaterniond turning = turn * Eigen::Quaterniond(0.0, w(0), w(1), w(2));
    q_dot << turn * v, 0.5 * turning.w(), 0.5 * turning.vec();

    const auto result = rates(GetParam(), model, 0.0, q, p);
    EXPECT_LE(difference(result.v, v_expected), kRounding);
    EXPECT_LE(difference(result.q_dot, q_dot), kRounding);
    EXPECT_LE(difference(result.p_dot, p_dot), kRounding);
  }
}

// Euler's equations proper: about the centre of mass J w' + w x J w = 0.
TEST_P(Textbook, EulersEquations) {
  RigidBody body;
  body.com.setZero();
  Mechanism mechanism;
  mechanism.space = SpaceKind::kSpatial;
  mechanism.add(BodyDescription{"body", body.mass, body.com, body.J, false, {}});
  mechanism.add(joint("free", JointType::kFree, kGround, "body"));
  const Model model(mechanism);
  VectorXd q = VectorXd::Zero(7);
  q(3) = 1.0;
  const Vector3d w(0.4, -1.0, 0.7);
  VectorXd p = VectorXd::Zero(6);
  p.tail<3>() = body.J * w;
  const auto result = rates(GetParam(), model, 0.0, q, p);
  EXPECT_LE(difference(result.v.tail<3>(), w), kRounding);
  EXPECT_LE(difference(result.p_dot.tail<3>(), -w.cross(body.J * w)), kRounding);
  EXPECT_LE(result.p_dot.head<3>().norm(), kRounding);
}

// In the plane: Pdot = -w x P in body axes, L' = -v x P.
TEST_P(Textbook, FreePlanarBody) {
  constexpr double m = 0.8, c = 0.3, J = 0.06;
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.add(bar("body", m, c, J));
  mechanism.add(joint("free", JointType::kFree, kGround, "body"));
  const Model model(mechanism);
  const double vx = 0.3, vy = -0.8, w = 1.7, angle = 0.4;
  const double Px = m * vx;
  const double Py = m * (vy + w * c);
  const auto result =
      rates(GetParam(), model, 0.0, Vector3d(1.0, 2.0, angle), Vector3d(Px, Py, J * w + c * Py));
  EXPECT_LE(difference(result.v, Vector3d(vx, vy, w)), kRounding);
  EXPECT_LE(difference(result.p_dot, Vector3d(w * Py, -w * Px, -(vx * Py - vy * Px))), kRounding);
  EXPECT_LE(difference(result.q_dot, Vector3d(std::cos(angle) * vx - std::sin(angle) * vy,
                                              std::sin(angle) * vx + std::cos(angle) * vy, w)),
            kRounding);
}

// A free joint constrains nothing, so it does not matter what it is measured from. Here a body with
// another one on a pin: its free joint comes from the ground, or from a pendulum that swings by.
// The momenta of the two are the same numbers in both, and so are their rates.
TEST_P(Textbook, FreeJointsMayComeFromAnyBody) {
  const RigidBody body;
  RandomMechanism random(3);
  const auto frame = [&](JointDescription j) {
    j.at_parent.position = random.vector(3);
    j.at_parent.rotation =
        Eigen::Quaterniond(Eigen::Vector4d(random.vector(4)).normalized()).toRotationMatrix();
    return j;
  };
  const auto pendulum = frame(joint("pendulum", JointType::kRevolute, kGround, "swing"));
  const auto pin = frame(joint("pin", JointType::kRevolute, "flyer", "rider"));
  const auto make = [&](const std::string& from) {
    Mechanism mechanism;
    mechanism.space = SpaceKind::kSpatial;
    mechanism.gravity = {1.0, -2.0, -9.0};
    for (const auto* name : {"swing", "flyer", "rider"}) {
      mechanism.add(BodyDescription{name, body.mass, body.com, body.J, false, {}});
    }
    mechanism.add(pendulum);
    mechanism.add(joint("free", JointType::kFree, from, "flyer"));
    mechanism.add(pin);
    mechanism.add(PointSpringDamper{
        "spring", {{kGround, {1.0, 0.0, 2.0}}, {"rider", {0.1, 0.2, 0.3}}}, 4.0, 0.3, 0.2, {}, {}});
    return Model(mechanism);
  };
  const Model from_ground = make(kGround);
  const Model from_swing = make("swing");
  const auto index = [](const Model& model, const std::string& name) {
    return model.visit([&](const auto& s) {
      const auto& j = s.joint(*model.find_joint(name));
      return std::pair{j.q, j.v};
    });
  };
  for (int i = 0; i < 20; ++i) {
    const double swing = random.uniform(-3.0, 3.0);
    const double swing_v = random.uniform(-1.0, 1.0);
    const double pin_q = random.uniform(-3.0, 3.0);
    const VectorXd relative_r = random.vector(3);
    const Eigen::Quaterniond relative_turn(Eigen::Vector4d(random.vector(4)).normalized());
    const VectorXd p_rest = random.vector(7);  // of free and pin, common to both

    // Where the flyer is: X_W,swing then the relative pose.
    const Matrix3d R_swing = pendulum.at_parent.rotation *
                             Eigen::AngleAxisd(swing, Vector3d::UnitZ()).toRotationMatrix();
    const Eigen::Quaterniond turn(Matrix3d(R_swing * relative_turn.toRotationMatrix()));
    const Vector3d r = pendulum.at_parent.position + R_swing * relative_r;
    const auto state = [&](const Model& model, const Vector3d& position,
                           const Eigen::Quaterniond& rotation, double p_swing) {
      VectorXd q(9), p(8);
      q(index(model, "pendulum").first) = swing;
      q(index(model, "pin").first) = pin_q;
      q.segment<7>(index(model, "free").first) << position, rotation.w(), rotation.x(),
          rotation.y(), rotation.z();
      p(index(model, "pendulum").second) = p_swing;
      p.segment<6>(index(model, "free").second) = p_rest.head<6>();
      p(index(model, "pin").second) = p_rest(6);
      return std::pair{q, p};
    };
    // Seen from the swing, p of the pendulum is that of everything outboard: add the flyer's
    // momentum about the pendulum's axis, for the swing alone to move the same.
    const Vector3d axis = R_swing.col(2);
    const Vector3d P = turn * Vector3d(p_rest.head<3>());
    const Vector3d L = turn * Vector3d(p_rest.segment<3>(3));
    const double carried = axis.dot(L + (r - pendulum.at_parent.position).cross(P));
    const auto [q_g, p_g] = state(from_ground, r, turn, swing_v);
    const auto [q_s, p_s] = state(from_swing, relative_r, relative_turn, swing_v + carried);
    const auto ground = rates(GetParam(), from_ground, 0.0, q_g, p_g);
    const auto moving = rates(GetParam(), from_swing, 0.0, q_s, p_s);

    const double size = 1.0 + ground.p_dot.norm() + moving.p_dot.norm();
    const auto value = [&](const Model& model, const VectorXd& x, const char* name) {
      return x(index(model, name).second);
    };
    for (const auto* name : {"pendulum", "pin"}) {
      EXPECT_NEAR(value(from_ground, ground.v, name), value(from_swing, moving.v, name),
                  kRounding * size);
    }
    EXPECT_NEAR(value(from_ground, ground.p_dot, "pin"), value(from_swing, moving.p_dot, "pin"),
                kRounding * size);
    EXPECT_LE(difference(ground.p_dot.segment<6>(index(from_ground, "free").second),
                         moving.p_dot.segment<6>(index(from_swing, "free").second)),
              kRounding * size);
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, Textbook, testing::ValuesIn(formulation_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace hamiltree
