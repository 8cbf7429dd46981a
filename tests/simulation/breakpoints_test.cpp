// Functions of time that set in while nothing moves, and curves of springs that joints come to: no
// step, however long, goes over them.
#include "hamiltree/simulation/breakpoints.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "hamiltree/simulation/simulation.hpp"
#include "support/methods.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::column;

BodyDescription moving_body(const std::string& name) {
  BodyDescription body;
  body.name = name;
  body.mass = 1.0;
  body.com.x() = 0.1;
  body.inertia.diagonal().setConstant(0.1);
  return body;
}

Mechanism slider_with(const std::vector<TimeFunction>& efforts) {
  Mechanism m;
  m.space = SpaceKind::kPlanar;
  m.add(moving_body("slider"));
  JointDescription guide;
  guide.name = "guide";
  guide.type = JointType::kPrismatic;
  guide.parent = kGround;
  guide.child = "slider";
  m.add(guide);
  for (const auto& effort : efforts) {
    Actuator actuator;
    actuator.name = "actuator " + std::to_string(m.forces.size());
    actuator.joint = "guide";
    actuator.effort = effort;
    m.add(actuator);
  }
  return m;
}

// 1000 N from 7 s to 7.01 s.
Mechanism pushed_slider() {
  return slider_with({SmoothStep{0.0, 1000.0, 7.0, 1e-3}, SmoothStep{0.0, -1000.0, 7.01, 1e-3}});
}

// An arm that turns by 3 rad in the eighth second, and a bar that hangs on it by a pin.
Mechanism turned_arm() {
  Mechanism m;
  m.space = SpaceKind::kPlanar;
  m.add(moving_body("arm")).add(moving_body("bar"));
  JointDescription motor;
  motor.name = "motor";
  motor.parent = kGround;
  motor.child = "arm";
  motor.drive = SmoothStep{0.0, 3.0, 7.0, 0.01};
  JointDescription pin;
  pin.name = "pin";
  pin.parent = "arm";
  pin.child = "bar";
  pin.at_parent.position.x() = 0.3;
  return m.add(motor).add(pin);
}

class Breakpoint : public testing::TestWithParam<const char*> {
 protected:
  // Its last sample; nothing is recorded on the way.
  static double end_of(const Mechanism& m, const std::string& channel, double tolerance) {
    const auto run =
        Simulation(Model(m), {.integrator = test::with_tolerance(GetParam(), tolerance)})
            .run_until(10.0, 10.0);
    return column(run, channel).back();
  }
};

// The impulse of 10 N s moves 1 kg at 10 m/s.
TEST_P(Breakpoint, IsNotSteppedOverByAPush) {
  EXPECT_NEAR(end_of(pushed_slider(), "v.guide", 1e-9), 10.0, 1e-5);
  EXPECT_NEAR(end_of(pushed_slider(), "q.guide", 1e-9), 29.945, 1e-4);
}

// 1 N s by a table that is zero before and after.
TEST_P(Breakpoint, IsNotSteppedOverByATable) {
  std::vector<double> times{0.0}, values{0.0};
  for (int k = 0; k <= 8; ++k) {
    times.push_back(7.0 + 0.125e-2 * k);
    values.push_back(k == 0 || k == 8 ? 0.0 : 100.0);
  }
  times.push_back(10.0);
  values.push_back(0.0);
  const auto m = slider_with({Table{times, values, 0.0, 0.0}});
  const auto fine = Simulation(Model(m), {.integrator = RungeKutta4{1e-4}}).run_until(10.0, 10.0);
  EXPECT_NEAR(end_of(m, "v.guide", 1e-9) / column(fine, "v.guide").back(), 1.0, 1e-4);
}

// A hump of 1 N s, 0.02 s wide, in a table with a point every millisecond.
TEST_P(Breakpoint, IsNotSteppedOverByAFineTable) {
  constexpr double kWidth = 0.02;  // s
  std::vector<double> times, values;
  for (int k = 0; k <= 10000; ++k) {
    times.push_back(1e-3 * k);
    const double x = (times.back() - 7.0) / kWidth;
    values.push_back(std::exp(-0.5 * x * x) / (kWidth * std::sqrt(2.0 * std::numbers::pi)));
  }
  EXPECT_NEAR(end_of(slider_with({Table{times, values, 0.0, 0.0}}), "v.guide", 1e-9), 1.0, 1e-6);
}

TEST_P(Breakpoint, IsNotSteppedOverByADrive) {
  const auto fine =
      Simulation(Model(turned_arm()), {.integrator = RungeKutta4{1e-4}}).run_until(10.0, 10.0);
  EXPECT_GT(column(fine, "q.pin").back(), 0.3);
  EXPECT_NEAR(end_of(turned_arm(), "q.pin", 1e-9), column(fine, "q.pin").back(), 1e-4);
}

// A detent of 1 J, 6 cm wide, throws back what comes with half of that, and lets pass what comes
// with two.
TEST_P(Breakpoint, IsNotSteppedOverByADetent) {
  for (const double speed : {1.0, 2.0}) {
    auto m = slider_with({});
    m.joints.front().initial_v = Eigen::VectorXd::Constant(1, speed);
    CurveSpring detent;
    detent.name = "detent";
    detent.joint = "guide";
    detent.rest = 5.0;
    detent.deflections = {-0.03, -0.02, -0.01, 0.0, 0.01, 0.02, 0.03};
    detent.efforts = {0.0, 0.0, 100.0, 0.0, -100.0, 0.0, 0.0};
    m.add(detent);
    const double end = speed > 1.0 ? speed : -speed;
    EXPECT_NEAR(end_of(m, "v.guide", 1e-9), end, 1e-5) << speed;
  }
}

INSTANTIATE_TEST_SUITE_P(Adaptive, Breakpoint,
                         testing::Values("auto", "dormand_prince", "bogacki_shampine", "adams",
                                         "bdf"));

// The ends of a smooth step, and where steps end that reach none of them.
TEST(Breakpoints, EndSteps) {
  const Breakpoints breakpoints(slider_with({SmoothStep{0.0, 1.0, 1.0, 4.0}, Sine{}}));
  EXPECT_EQ(breakpoints.end_of_step(0.0, 0.5), 0.5);
  EXPECT_EQ(breakpoints.end_of_step(0.0, 9.0), 1.0);
  EXPECT_EQ(breakpoints.end_of_step(1.0, 9.0), 2.0);
  EXPECT_EQ(breakpoints.end_of_step(4.5, 9.0), 5.0);
  EXPECT_EQ(breakpoints.end_of_step(5.0, 9.0), 9.0);
  // No step is as short as rounding.
  EXPECT_EQ(breakpoints.end_of_step(0.9999999999999999, 9.0), 2.0);
  EXPECT_EQ(breakpoints.end_of_step(4.0, 5.000000000000001), 5.000000000000001);
  EXPECT_EQ(Breakpoints().end_of_step(0.0, 9.0), 9.0);
}

// A period of a sine in a thousand points: a polyline within a thousandth of its range needs some
// fifty of them.
TEST(Breakpoints, AreFewInSmoothTables) {
  Table table;
  for (int k = 0; k <= 1000; ++k) {
    table.times.push_back(1e-3 * k);
    table.values.push_back(std::sin(2.0 * std::numbers::pi * table.times.back()));
  }
  const Breakpoints breakpoints(slider_with({table}));
  int steps = 0;
  for (double t = 0.0; t < 1.0; t = breakpoints.end_of_step(t, 1.0)) ++steps;
  EXPECT_GT(steps, 30);
  EXPECT_LT(steps, 100);
}

// Fixed steps are as long as was asked for.
TEST(Breakpoints, CutNoFixedSteps) {
  const auto run = Simulation(Model(turned_arm()), {.integrator = RungeKutta4{3.0 / 1024}})
                       .run_until(9.0, kEveryStep);
  EXPECT_EQ(run.summary.steps, 3072);
}

}  // namespace
}  // namespace hamiltree
