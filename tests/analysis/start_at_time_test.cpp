#include "hamiltree/analysis/start_at_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/linkage.hpp"
#include "hamiltree/base/error.hpp"

namespace hamiltree::test {
namespace {

using analysis::pose_at_time;
using analysis::state_at_time;

constexpr double kCrank = 0.1, kStart = 0.5, kRate = 10.0;

// A slider-crank whose crank is driven at a constant rate.
Model slider_crank(double rod) {
  Mechanism mechanism;
  mechanism.space = SpaceKind::kPlanar;
  mechanism.add(bar("crank", 1.0, 0.05, 1e-3)).add(bar("rod", 1.0, 0.1, 1e-3));
  mechanism.add(bar("slider", 1.0, 0.0, 1e-3));
  auto motor = pin("motor", kGround, "crank");
  motor.guess_q = {};
  motor.drive = TimeFunction(Polynomial{{kStart, kRate}});
  auto way = pin("way", kGround, "slider");
  way.type = JointType::kPrismatic;
  auto wrist = pin("wrist", "rod", "slider", rod);
  wrist.cut = true;
  wrist.guess_q = {};
  mechanism.add(motor).add(pin("elbow", "crank", "rod", kCrank, -0.6)).add(way).add(wrist);
  return Model(mechanism);
}

// Through all turns the pose is that of the assembly at the start, with the turns of the elbow.
TEST(StartAtTime, FollowsDrives) {
  constexpr double kRod = 0.3;
  const auto model = slider_crank(kRod);
  for (const double t : {0.0, 0.02, 0.5, 0.9, 1.4, 7.3, -2.1}) {
    SCOPED_TRACE(t);
    const double angle = kStart + kRate * t, height = kCrank * std::sin(angle);
    const double elbow = -std::asin(height / kRod) - angle;
    const double along = std::sqrt(kRod * kRod - height * height);
    const double slider = kCrank * std::cos(angle) + along;
    const auto pose = pose_at_time(model, t);
    EXPECT_EQ(pose.t(), t);
    EXPECT_NEAR(pose.q()(0), elbow, 1e-12);
    EXPECT_NEAR(pose.q()(1), slider, 1e-12);
    const auto state = state_at_time(model, t);
    EXPECT_NEAR((state.q - pose.q()).norm(), 0.0, 1e-12);
    const double height_rate = kCrank * kRate * std::cos(angle);
    EXPECT_NEAR(state.v(0), -height_rate / along - kRate, 1e-10);
    EXPECT_NEAR(state.v(1), -kRate * height - height * height_rate / along, 1e-10);
  }
}

TEST(StartAtTime, SaysWhereLoopsCannotFollow) {
  const auto model = slider_crank(0.08);
  // sin(angle) = 0.8
  const double end = (std::asin(0.8) - kStart) / kRate;
  EXPECT_NO_THROW(pose_at_time(model, 0.99 * end));
  try {
    pose_at_time(model, 2.0 * end);
    FAIL();
  } catch (const SimulationError& error) {
    EXPECT_NEAR(error.time(), end, 1e-4 * end) << error.what();
  }
  EXPECT_THROW(pose_at_time(model, NAN), UsageError);
}

}  // namespace
}  // namespace hamiltree::test
