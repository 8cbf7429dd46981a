// Stops and friction of spherical and free joints, each against its law for a turn that is known.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>

#include "forces/states.hpp"
#include "hamiltree/model/with_parameters.hpp"

namespace hamiltree {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStiffness = 40.0, kDamping = 3.0, kTransition = 0.02, kAt = 0.5;
const Vector3d kAxis = Vector3d(0.48, -0.6, 0.64);  // of unit length

JointLimits stop() { return {"J", {}, kAt, kStiffness, kDamping, kTransition, {}}; }

Mechanism body_on(JointType type) {
  auto m = test::one_body(SpaceKind::kSpatial, type);
  m.gravity.setZero();
  return m;
}

// Of one force at a turn; the joint's axes are those of the child.
VectorXd loads_of(const ForceDescription& force, JointType type, const Quaterniond& turn,
                  const VectorXd& v) {
  auto m = body_on(type);
  m.add(force);
  VectorXd q(type == JointType::kFree ? 7 : 4);
  q.tail<4>() << turn.w(), turn.vec();
  if (type == JointType::kFree) q.head<3>() << 0.3, -0.2, 0.1;
  return Model(m).visit(
      [&](const auto& system) { return test::generalized_loads(system, 0.0, q, v); });
}

Vector3d push_of(double angle, const Vector3d& w, double sign = 1.0) {
  Quaterniond turn(Eigen::AngleAxisd(angle, kAxis));
  turn.coeffs() *= sign;
  return loads_of(stop(), JointType::kSpherical, turn, w);
}

TEST(StopOfABall, PushesBackAboutTheAxisOfTheWholeTurn) {
  const double S = kStiffness * (0.1 - kTransition / 2);
  const Vector3d w(0.3, 0.7, -0.2);
  const double rate = w.dot(kAxis);
  ASSERT_LT(rate, 0.0);
  EXPECT_EQ(push_of(0.4, w), Vector3d::Zero());
  EXPECT_LT((push_of(0.6, Vector3d::Zero()) + S * kAxis).norm(), 1e-13);
  EXPECT_LT((push_of(0.6, -w) + (S - kDamping * rate) * kAxis).norm(), 1e-13);
  EXPECT_LT((push_of(0.6, w) + S * S / (S - kDamping * rate) * kAxis).norm(), 1e-13);
  // Both unit quaternions of a turn are one turn.
  EXPECT_LT((push_of(0.6, w, -1.0) - push_of(0.6, w)).norm(), 1e-13);
  // Close to half a turn, and where there is no turn at all.
  const double far = std::numbers::pi - 1e-3;
  EXPECT_LT(
      (push_of(far, Vector3d::Zero()) + kStiffness * (far - kAt - kTransition / 2) * kAxis).norm(),
      1e-10);
  EXPECT_EQ(push_of(0.0, w), Vector3d::Zero());
}

TEST(StopOfABall, HasAHundredthOfItsAngleAsTransition) {
  auto limits = stop();
  limits.transition.reset();
  const auto push = loads_of(limits, JointType::kSpherical,
                             Quaterniond(Eigen::AngleAxisd(kAt + 0.1, kAxis)), VectorXd::Zero(3));
  EXPECT_NEAR(push.norm(), kStiffness * (0.1 - 0.01 * kAt / 2), 1e-13);
}

TEST(FrictionOfABall, IsThatOfAPinAboutEachAxisOfTheChild) {
  const JointFriction friction{"J", 0.7, 0.2, 0.3, {}};
  const Vector3d w(0.3, -0.7, 0.02);
  const auto moment =
      loads_of(friction, JointType::kSpherical, Quaterniond(Eigen::AngleAxisd(1.2, kAxis)), w);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(moment(i), -0.7 * std::tanh(w(i) / 0.3) - 0.2 * w(i), 1e-14) << i;
}

TEST(FrictionOfAFreeJoint, IsAlsoAlongEachAxisOfTheParent) {
  const JointFriction friction{"J", 0.7, 0.2, 0.3, {}};
  const Quaterniond turn(Eigen::AngleAxisd(1.2, kAxis));
  VectorXd v(6);  // in the child's axes
  v << 0.4, -0.1, 0.25, 0.3, -0.7, 0.02;
  const auto load = loads_of(friction, JointType::kFree, turn, v);
  const auto law = [](double rate) { return -0.7 * std::tanh(rate / 0.3) - 0.2 * rate; };
  const Vector3d slip = turn * Vector3d(v.head<3>());
  const Vector3d force = turn.conjugate() * Vector3d(slip.unaryExpr(law));
  const Vector3d moment = v.tail<3>().unaryExpr(law);
  EXPECT_LT((load.head<3>() - force).norm(), 1e-14);
  EXPECT_LT((load.tail<3>() - moment).norm(), 1e-14);
}

std::string refusal(const ForceDescription& force, JointType type, bool moves = false) {
  auto m = body_on(type);
  if (moves) {
    m.joints[0].parent_motion.emplace();
    m.joints[0].parent_motion->x = Sine{0.0, 0.1, 1.0, 0.0};
  }
  m.add(force);
  try {
    Model model(m);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(ForcesInBalls, WhatTheyCannotBeIsRefused) {
  auto limits = stop();
  limits.lower = -0.1;
  EXPECT_EQ(refusal(limits, JointType::kSpherical),
            "limits of joint \"J\": a spherical joint has no lower stop, its turns have no sign");
  limits = stop();
  limits.upper.reset();
  EXPECT_EQ(refusal(limits, JointType::kSpherical),
            "limits of joint \"J\": needs upper, the largest angle of the spherical joint");
  for (const double upper : {0.0, 3.2}) {
    limits.upper = upper;
    EXPECT_EQ(refusal(limits, JointType::kSpherical),
              "limits of joint \"J\": upper of a spherical joint must be between 0 and pi, it is " +
                  std::string(upper == 0.0 ? "0" : "3.2"));
  }
  EXPECT_EQ(refusal(stop(), JointType::kSpherical, true),
            "limits of joint \"J\": is not possible in a spherical joint with a parent_motion");
  EXPECT_EQ(refusal(stop(), JointType::kFree),
            "limits of joint \"J\": needs a joint with one degree of freedom, joint \"J\" is free");
  EXPECT_EQ(refusal(JointFriction{"J", 0.7, 0.2, 0.0, {}}, JointType::kSpherical),
            "friction of joint \"J\": coulomb friction needs a velocity_scale above 0, it is 0");
  EXPECT_EQ(refusal(JointFriction{"J", 0.7, 0.2, 0.1, {}}, JointType::kUniversal),
            "friction of joint \"J\": needs a joint with one degree of freedom, joint \"J\" is "
            "universal");
  EXPECT_EQ(refusal(stop(), JointType::kSpherical), "");
}

TEST(ForcesInBalls, AreParameters) {
  auto m = body_on(JointType::kSpherical);
  m.add(stop());
  m.add(JointFriction{"J", 0.7, 0.2, 0.3, {}});
  const Model model(m);
  const auto changed = with_parameters(model, {{"upper.J.at", 0.6}, {"friction.J.coulomb", 0.9}});
  changed.visit([](const auto& system) {
    EXPECT_EQ(system.ball_stops.at(0).law.at, 0.6);
    EXPECT_EQ(system.body_frictions.at(0).coulomb, 0.9);
  });
  EXPECT_THROW(with_parameters(model, {{"upper.J.at", -0.1}}), UsageError);
  EXPECT_THROW(with_parameters(model, {{"friction.J.viscous", -0.1}}), UsageError);
}

}  // namespace
}  // namespace hamiltree
