// States with given coordinates and velocities of some joints are on the closed loops, at the pose
// beside the one that they start from.
#include "hamiltree/simulation/closed_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using test::shipped;

Eigen::VectorXd number(double x) { return Eigen::VectorXd::Constant(1, x); }

std::string why_not(const Model& model, const Eigen::VectorXd& near, const GivenJoints& given) {
  try {
    closed_state(model, 0.0, near, given);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

void expect_closed(const Model& model, double t, const InitialState& state) {
  const auto probe = make_probe(model);
  probe->set(t, state.q.data(), state.v.data());
  EXPECT_LE(probe->position_residual(), 1e-12);
  EXPECT_LE(probe->velocity_residual(), 1e-12);
}

// Whether the joint is in the tree or closes a loop.
TEST(ClosedState, HoldsJointsThatAreGiven) {
  const auto model = shipped("four_bar");
  const auto start = initial_state(model);
  for (int j = 0; j < model.joint_count(); ++j) {
    const auto name = model.joint_name(j);
    SCOPED_TRACE(name);
    const auto position_of = [&](const InitialState& state) {
      const auto probe = make_probe(model);
      probe->set(0.0, state.q.data(), state.v.data());
      return j < model.body_count() ? state.q(j) : probe->position(j);
    };
    const double wanted = position_of(start) + 0.05;
    const auto found =
        closed_state(model, 0.0, start.q, {{{name, number(wanted)}}, {{name, number(0.7)}}});
    EXPECT_NEAR(std::remainder(position_of(found) - wanted, 2.0 * M_PI), 0.0, 1e-9);
    EXPECT_LT((found.q - start.q).norm(), 0.5);
    if (j < model.body_count()) {
      EXPECT_NEAR(found.v(j), 0.7, 1e-12);
    }
    EXPECT_GT(found.v.norm(), 0.1);
    expect_closed(model, 0.0, found);
  }
}

// There and back, pose from pose.
TEST(ClosedState, GoesOnFromPoseToPose) {
  const auto model = shipped("four_bar");
  auto pose = initial_state(model);
  const auto start = pose.q;
  for (int i = 1; i <= 20; ++i) {
    const double angle = start(0) + 0.04 * (i <= 10 ? i : 20 - i);
    const auto next = closed_state(model, 0.0, pose.q, {{{"A", number(angle)}}, {}});
    EXPECT_EQ(next.q(0), angle);
    EXPECT_LT((next.q - pose.q).lpNorm<Eigen::Infinity>(), 0.2) << i;
    EXPECT_EQ(next.v.norm(), 0.0);
    pose = next;
  }
  EXPECT_LT((pose.q - start).norm(), 1e-12);
}

TEST(ClosedState, FollowsDrivesToATime) {
  const auto model = shipped("driven_slider_crank");
  const auto start = initial_state(model);
  const auto later = closed_state(model, 0.01, start.q, {});
  EXPECT_GT((later.q - start.q).norm(), 1e-3);
  expect_closed(model, 0.01, later);
}

TEST(ClosedState, TakesJointsOfSeveralCoordinates) {
  const auto model = shipped("biped");
  const auto start = initial_state(model);
  for (int b = 0; b < model.body_count(); ++b) {
    const auto [coordinates, at_q] = model.visit([&](const auto& system) {
      return std::pair(system.joint(b).coordinates, system.joint(b).q);
    });
    if (coordinates != 7) continue;
    Eigen::VectorXd lifted = start.q.segment(at_q, 7);
    lifted(2) += 0.25;
    const auto found = closed_state(model, 0.0, start.q, {{{model.joint_name(b), lifted}}, {}});
    EXPECT_EQ(found.q.segment(at_q, 7), lifted);
    Eigen::VectorXd longer = start.q;
    longer.segment(at_q + 3, 4) *= 2.0;  // the quaternion
    EXPECT_LT((closed_state(model, 0.0, longer, {}).q - start.q).norm(), 1e-12);
    expect_closed(model, 0.0, found);
    return;
  }
  FAIL() << "biped does not float";
}

TEST(ClosedState, IsThatOfOtherParametersToo) {
  const auto model = shipped("four_bar");
  const auto other = with_parameters(model, {{"body.crank.mass", 3.0}});
  const auto start = initial_state(model);
  const auto found = closed_state(other, 0.0, start.q, {{{"A", number(start.q(0) + 0.1)}}, {}});
  EXPECT_EQ(found.q, closed_state(model, 0.0, start.q, {{{"A", number(start.q(0) + 0.1)}}, {}}).q);
  expect_closed(other, 0.0, found);
}

TEST(ClosedState, SaysWhatItCannotTake) {
  const auto model = shipped("four_bar");
  const auto q = initial_state(model).q;
  EXPECT_EQ(why_not(model, q, {{{"X", number(0.1)}}, {}}), "four_bar has no joint \"X\"");
  EXPECT_EQ(why_not(model, q, {{{"A", Eigen::Vector2d(0.1, 0.2)}}, {}}),
            "joint \"A\" has 1 coordinate, not 2");
  EXPECT_EQ(why_not(model, q, {{}, {{"A", Eigen::Vector2d(0.1, 0.2)}}}),
            "joint \"A\" has 1 velocity, not 2");
  EXPECT_EQ(why_not(model, q, {{}, {{"A", number(std::nan(""))}}}),
            "joint \"A\" is given a v that is not finite");
  EXPECT_EQ(why_not(model, q.head(1), {}), "q has 1 entries, four_bar has 3 coordinates");
  const auto driven = shipped("driven_slider_crank");
  EXPECT_EQ(why_not(driven, initial_state(driven).q, {{{"A", number(0.1)}}, {}}),
            "joint \"A\" is fixed or driven, its coordinates cannot be given");
  const auto contradiction = why_not(
      model, q, {{{"A", number(q(0) + 0.3)}, {"B", number(q(1))}, {"D", number(q(2))}}, {}});
  EXPECT_NE(contradiction.find("joint \""), std::string::npos) << contradiction;
}

// As everywhere else the length of a quaternion turns nothing, but there must be one.
TEST(ClosedState, TakesQuaternionsOfAnyLengthButZero) {
  const auto model = shipped("heavy_top");
  const auto start = initial_state(model);
  const Eigen::Vector4d turned(0.8, 0.6, 0.0, 0.0);
  const auto found = closed_state(model, 0.0, start.q, {{{model.joint_name(0), 3.0 * turned}}, {}});
  EXPECT_LE((found.q - turned).norm(), 1e-15);
  const std::string joint = model.joint_name(0);
  const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(4);
  EXPECT_EQ(why_not(model, start.q, {{{joint, nothing}}, {}}),
            "joint \"" + joint + "\" is given a quaternion without length");
  EXPECT_EQ(why_not(model, nothing, {}), "the quaternion of joint \"" + joint + "\" has no length");
  EXPECT_EQ(why_not(model, start.q * NAN, {}), "q must be finite");
}

}  // namespace
}  // namespace hamiltree
