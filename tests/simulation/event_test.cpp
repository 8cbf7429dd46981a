// Events: found where a channel crosses its value, with the accuracy of the method, recorded there,
// and able to end the run.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/gravity.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::kGravity;

constexpr double kHeight = 2.0;

// A ball that falls from rest along y of a vertical guide, and its sensors.
Mechanism falling_ball() {
  Mechanism mechanism;
  mechanism.name = "ball";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  BodyDescription ball;
  ball.name = "ball";
  ball.mass = 0.3;
  ball.inertia(2, 2) = 1e-3;
  mechanism.add(ball);
  JointDescription guide;
  guide.name = "guide";
  guide.type = JointType::kFree;
  guide.parent = kGround;
  guide.child = "ball";
  guide.initial_q = Eigen::Vector3d(0.0, kHeight, 0.0);
  mechanism.add(guide);
  mechanism.add(BodySensor{"ball", "ball", {}});
  return mechanism;
}

EventDescription event(const std::string& name, const std::string& channel, double value,
                       Crossing crossing, bool stops) {
  EventDescription event;
  event.name = name;
  event.channel = channel;
  event.value = value;
  event.crossing = crossing;
  event.stops = stops;
  return event;
}

Recording run_events(const Mechanism& mechanism, const Method& method, double until = 2.0) {
  Simulation simulation(Model(mechanism), {.formulation = "recursive", .integrator = method});
  return simulation.run_until(until, 0.05);
}

class EventMethods : public testing::TestWithParam<std::string> {
 protected:
  static Method method() { return *method_from_name(GetParam()); }
};

TEST_P(EventMethods, FindTheFallToTheGround) {
  auto mechanism = falling_ball();
  mechanism.add(event("half_way", "ball.position.y", 0.5 * kHeight, Crossing::kFalling, false));
  mechanism.add(event("touchdown", "ball.position.y", 0.0, Crossing::kFalling, true));
  const auto recording = run_events(mechanism, method());
  const auto& summary = recording.summary;
  const double fall = std::sqrt(2.0 * kHeight / kGravity);
  ASSERT_EQ(summary.events.size(), 2U);
  EXPECT_EQ(summary.events[0].name, "half_way");
  EXPECT_EQ(summary.stopped_by, "touchdown");
  EXPECT_EQ(summary.status, "completed");
  // Eulers are of order 1 at steps of 1e-4 s; all others exact but for their tolerance.
  const bool crude = GetParam().ends_with("euler");
  EXPECT_NEAR(summary.events[0].t, fall / std::numbers::sqrt2, crude ? 1e-4 : 2e-8);
  EXPECT_NEAR(summary.events[1].t, fall, crude ? 1e-4 : 2e-8);
  EXPECT_EQ(summary.reached, summary.events[1].t);
  const auto& last = recording.samples.back();
  EXPECT_EQ(last.t, summary.reached);
  EXPECT_NEAR(last.q(1), 0.0, 1e-12);
  EXPECT_NEAR(last.v(1), -kGravity * last.t, crude ? 1e-3 : 1e-7);
  for (std::size_t i = 1; i < recording.samples.size(); ++i) {
    EXPECT_LT(recording.samples[i - 1].t, recording.samples[i].t);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EventMethods, testing::ValuesIn([] {
                           auto names = method_names();
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

TEST(Event, DoesNotChangeTheRunUnlessItStops) {
  const auto plain = run_events(falling_ball(), DormandPrince{});
  auto mechanism = falling_ball();
  mechanism.add(event("half_way", "ball.position.y", 0.5 * kHeight, Crossing::kAny, false));
  const auto watched = run_events(mechanism, DormandPrince{});
  EXPECT_EQ(watched.samples.size(), plain.samples.size() + 1);
  EXPECT_EQ(watched.summary.steps, plain.summary.steps);
  EXPECT_EQ(watched.samples.back().q, plain.samples.back().q);
}

TEST(Event, AStopHidesNoOtherEventOfItsTime) {
  for (const bool stops_first : {true, false}) {
    auto mechanism = falling_ball();
    const auto add = [&](const std::string& name, bool stops) {
      mechanism.add(event(name, "ball.position.y", 0.5 * kHeight, Crossing::kAny, stops));
    };
    add("first", stops_first);
    add("second", !stops_first);
    const auto& [name, stop] =
        stops_first ? std::pair("second", "first") : std::pair("first", "second");
    const auto summary = run_events(mechanism, DormandPrince{}).summary;
    EXPECT_EQ(summary.stopped_by, stop);
    ASSERT_EQ(summary.events.size(), 2U) << stop << " stops";
    EXPECT_EQ(summary.events[0].name, name);
    EXPECT_EQ(summary.events[1].name, stop);
    EXPECT_EQ(summary.events[0].t, summary.events[1].t);
  }
}

TEST(Event, OnlyTheWantedDirectionCounts) {
  auto mechanism = test::shipped("double_pendulum").mechanism();
  mechanism.sensors.clear();
  mechanism.events.clear();
  mechanism.add(JointSensor{"first", mechanism.joints[0].name, {}});
  const std::string channel = "first.v";
  mechanism.add(event("any", channel, 0.0, Crossing::kAny, false));
  mechanism.add(event("rising", channel, 0.0, Crossing::kRising, false));
  mechanism.add(event("falling", channel, 0.0, Crossing::kFalling, false));
  Simulation simulation{Model(mechanism)};
  const auto recording = simulation.run_until(5.0, 0.1);
  int any = 0, rising = 0, falling = 0;
  for (const auto& found : recording.summary.events) {
    any += found.name == "any" ? 1 : 0;
    rising += found.name == "rising" ? 1 : 0;
    falling += found.name == "falling" ? 1 : 0;
  }
  EXPECT_GT(rising, 1);
  EXPECT_GT(falling, 1);
  EXPECT_EQ(any, rising + falling);
  // At each, the recorded rate is zero: as exact as time can be told.
  const auto rates = test::column(recording, channel);
  for (const auto& found : recording.summary.events) {
    double nearest = 1.0;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      if (recording.samples[i].t == found.t) nearest = std::min(nearest, std::abs(rates[i]));
    }
    EXPECT_LT(nearest, 1e-12) << found.name << " at " << found.t;
  }
}

// The angle of a body in the plane jumps from pi to -pi.
TEST(Event, AnAngleThatJumpsByATurnDoesNotCross) {
  auto mechanism = falling_ball();
  constexpr double kRate = 3.0;
  mechanism.joints[0].initial_v = Eigen::Vector3d(0.0, 0.0, kRate);
  mechanism.add(event("at_one", "ball.angle", 1.0, Crossing::kAny, false));
  mechanism.add(event("at_pi", "ball.angle", std::numbers::pi, Crossing::kRising, false));
  const auto events = run_events(mechanism, DormandPrince{}, 3.0).summary.events;
  ASSERT_EQ(events.size(), 3U);
  EXPECT_NEAR(events[0].t, 1.0 / kRate, 1e-9);
  EXPECT_NEAR(events[1].t, std::numbers::pi / kRate, 1e-9);
  EXPECT_NEAR(events[2].t, (1.0 + 2.0 * std::numbers::pi) / kRate, 1e-9);
}

// A body that spins about z. Its sensor gives the quaternion (cos a/2, 0, 0, sin a/2) up to 240
// degrees, and from there the same rotation with all signs changed. Neither part is at its value
// there.
TEST(Event, AQuaternionThatJumpsToItsOtherSignDoesNotCross) {
  Mechanism mechanism;
  BodyDescription top;
  top.name = "top";
  top.mass = 1.0;
  top.inertia = Eigen::Matrix3d::Identity();
  JointDescription axle;
  axle.name = "axle";
  axle.type = JointType::kRevolute;
  axle.parent = kGround;
  axle.child = "top";
  constexpr double kRate = 3.0, kW = 0.2;
  axle.initial_v = Eigen::VectorXd::Constant(1, kRate);
  mechanism.add(top).add(axle).add(BodySensor{"top", "top", {}});
  mechanism.add(event("z", "top.quat_z", 0.0, Crossing::kAny, false));
  mechanism.add(event("w", "top.quat_w", kW, Crossing::kAny, false));
  const auto events = run_events(mechanism, DormandPrince{}, 4.0).summary.events;
  const double turn = 2.0 * std::numbers::pi / kRate, at_w = 2.0 * std::acos(kW) / kRate;
  ASSERT_EQ(events.size(), 3U);
  EXPECT_NEAR(events[0].t, at_w, 1e-9);
  EXPECT_NEAR(events[1].t, turn, 1e-9);
  EXPECT_NEAR(events[2].t, turn + at_w, 1e-9);
}

TEST(Event, RefusesAChannelThatNoSensorRecords) {
  auto mechanism = falling_ball();
  mechanism.add(event("touchdown", "ball.height", 0.0, Crossing::kAny, true));
  try {
    Simulation simulation{Model(mechanism)};
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_STREQ(error.what(), "event \"touchdown\": no sensor records a channel \"ball.height\"");
  }
}

TEST(Event, TheRunCanGoOnAfterAStop) {
  auto mechanism = falling_ball();
  mechanism.add(event("touchdown", "ball.position.y", 0.0, Crossing::kFalling, true));
  Simulation simulation{Model(mechanism)};
  const auto first = simulation.run_until(2.0, 0.1);
  EXPECT_EQ(simulation.state().t, first.summary.reached);
  const auto second = simulation.run_until(1.0, 0.1);
  EXPECT_EQ(second.summary.stopped_by, "");
  EXPECT_NEAR(second.samples.back().q(1), kHeight - 0.5 * kGravity, 1e-8);
}

}  // namespace
}  // namespace hamiltree
