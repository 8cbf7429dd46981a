// Jacobians in closed form of what real robots have: dampers and stops on joints that close loops,
// tendons over a dozen joints, ropes between two bodies, bodies without inertia in loops. Against
// the sweeps on dual numbers.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>
#include <vector>

#include "hamiltree/formulations/derivatives/analytic.hpp"
#include "hamiltree/formulations/derivatives/derivatives.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {
namespace {

constexpr double kTime = 0.3;

double error(const Columns& found, const Columns& exact) {
  if (exact.size() == 0) return 0.0;
  return (found - exact).lpNorm<Eigen::Infinity>() / (1.0 + exact.lpNorm<Eigen::Infinity>());
}

// That the mechanism has a closed form, and that it is the Jacobian.
void expect_closed_form(const Mechanism& mechanism) {
  const Model model(mechanism);
  const auto start = initial_state(model);
  const int nq = model.coordinate_count(), nv = model.velocity_count();
  Eigen::VectorXd p = start.p;
  for (int k = 0; k < nv; ++k) p(k) += 0.01 * std::sin(1.0 + k);
  const StateView state{kTime, start.q.data(), p.data()};
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  formulation->analyse(state, *workspace);
  formulation->prepare(state, *workspace);

  RateDirections unit;
  unit.t = Columns::Zero(1, nq + nv + 1);
  unit.q = Columns::Zero(nq, nq + nv + 1);
  unit.p = Columns::Zero(nv, nq + nv + 1);
  unit.q.leftCols(nq).setIdentity();
  unit.p.middleCols(nq, nv).setIdentity();
  unit.t(0, nq + nv) = 1.0;
  RateDerivatives exact;
  ASSERT_EQ(Derivatives(model, *formulation).of_rates(state, unit, nq + nv + 1, *workspace, exact),
            Status::kOk);

  const auto analytic = derivatives::make_analytic(model, *formulation);
  ASSERT_TRUE(analytic);
  Jacobians found;
  ASSERT_TRUE(analytic->find(state, *workspace, found));
  constexpr double kBound = 1e-11;  // measured: 1.6e-12 at most
  EXPECT_LT(error(found.q.v, exact.v.leftCols(nq)), kBound);
  EXPECT_LT(error(found.q.p_dot, exact.p_dot.leftCols(nq)), kBound);
  EXPECT_LT(error(found.p.v, exact.v.middleCols(nq, nv)), kBound);
  EXPECT_LT(error(found.p.p_dot, exact.p_dot.middleCols(nq, nv)), kBound);
  EXPECT_LT(error(found.by_time.p_dot, exact.p_dot.rightCols(1)), kBound);
}

TimeFunction sine(double amplitude) {
  Sine effort;
  effort.amplitude = amplitude;
  effort.frequency = 3.0;
  return effort;
}

TEST(ClosedForms, KnowEffortsAlongCuts) {
  auto mechanism = shipped("rssr").mechanism();
  for (auto& joint : mechanism.joints) {
    if (joint.name == "D") joint.cut = true;
  }
  mechanism.add(JointSpringDamper{"D", 3.0, -0.2, 0.1, {}});
  mechanism.add(JointFriction{"D", 0.2, 0.05, 0.3, {}});
  JointLimits limits;
  limits.joint = "D";
  limits.lower = 2.0;  // where it stands, deep in the stop
  limits.stiffness = 5.0;
  limits.damping = 0.3;
  limits.transition = 0.1;
  mechanism.add(limits);
  mechanism.add(Actuator{"motor", "D", sine(0.5), {}});
  expect_closed_form(mechanism);
}

TEST(ClosedForms, KnowRopesBetweenTwoBodies) {
  auto mechanism = shipped("rssr").mechanism();
  const std::vector<RopePoint> points{{"crank", {0.02, 0.03, 0.01}}, {"rocker", {0.0, 0.04, 0.1}}};
  Servo servo;
  servo.name = "winch";
  servo.points = points;
  servo.effort = sine(2.0);
  servo.stiffness = 4.0;
  servo.damping = 0.3;
  mechanism.add(servo);
  TendonLimits limits;
  limits.name = "rope";
  limits.points = points;
  limits.upper = 0.1;  // it is longer
  limits.stiffness = 10.0;
  limits.damping = 0.5;
  limits.transition = 0.01;
  mechanism.add(limits);
  expect_closed_form(mechanism);
}

// Pins one after the other, the axes askew.
Mechanism arm(int bodies) {
  Mechanism mechanism;
  mechanism.space = SpaceKind::kSpatial;
  mechanism.gravity = {0.0, 1.0, -9.81};
  for (int i = 0; i < bodies; ++i) {
    BodyDescription body;
    body.name = "b" + std::to_string(i);
    body.mass = 1.0 + 0.1 * i;
    body.com = {0.1, 0.02, 0.0};
    body.inertia = Eigen::Vector3d(0.01, 0.02, 0.025).asDiagonal();
    mechanism.add(body);
    JointDescription joint;
    joint.name = "j" + std::to_string(i);
    joint.parent = i == 0 ? kGround : "b" + std::to_string(i - 1);
    joint.child = body.name;
    joint.at_parent.position = {0.2, 0.0, 0.01 * i};
    joint.at_parent.rotation =
        Eigen::AngleAxisd(0.3 + 0.2 * i, Eigen::Vector3d(1.0, 0.3, -0.2).normalized())
            .toRotationMatrix();
    mechanism.add(joint);
  }
  return mechanism;
}

TEST(ClosedForms, KnowTendonsOverManyJoints) {
  auto mechanism = arm(12);
  Servo servo;
  TendonLimits limits;
  double q = -0.4;
  for (auto& joint : mechanism.joints) {
    joint.initial_q = Eigen::VectorXd::Constant(1, q);
    q += 0.1;
    for (auto* joints : {&servo.joints, &limits.joints}) joints->push_back(joint.name);
    for (auto* ratios : {&servo.ratios, &limits.ratios}) ratios->push_back(1.0 - q);
  }
  servo.name = "motor";
  servo.effort = sine(1.0);
  servo.stiffness = 0.7;
  servo.damping = 0.2;
  mechanism.add(servo);
  limits.name = "stop";
  limits.upper = -1.0;  // beyond it at the start
  limits.stiffness = 3.0;
  limits.damping = 0.4;
  limits.transition = 0.1;
  mechanism.add(limits);
  expect_closed_form(mechanism);
}

// Four pins, and a point of the last body on a ball. Of the first body without inertia a cross is
// left, of the last a rod that the loop alone holds.
TEST(ClosedForms, KnowBodiesWithoutInertiaInLoops) {
  for (const char* name : {"b0", "b3"}) {
    SCOPED_TRACE(name);
    auto mechanism = arm(4);
    for (auto& body : mechanism.bodies) {
      if (body.name != name) continue;
      body.mass = 0.0;
      body.inertia.setZero();
    }
    Frame X;
    for (const auto& joint : mechanism.joints) X = compose(X, joint.at_parent);
    JointDescription ball;
    ball.name = "ball";
    ball.type = JointType::kSpherical;
    ball.parent = kGround;
    ball.child = "b3";
    ball.at_child.position = {0.3, -0.1, 0.2};
    ball.at_parent.position = apply(X, ball.at_child.position);
    ball.cut = true;
    mechanism.add(ball);
    expect_closed_form(mechanism);
  }
}

}  // namespace
}  // namespace hamiltree::test
