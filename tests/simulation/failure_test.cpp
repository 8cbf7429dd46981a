// A run that cannot go on ends, by every method, and says where: the time and the state that were
// still good, the body at which rates were not finite.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <regex>

#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree {
namespace {

constexpr double kBreaks = 0.5;  // s

Mechanism pendulum() {
  Mechanism m;
  m.name = "pendulum";
  m.space = SpaceKind::kPlanar;
  m.gravity = {0.0, -9.81, 0.0};
  BodyDescription rod;
  rod.name = "rod";
  rod.mass = 2.0;
  rod.com = {0.5, 0.0, 0.0};
  rod.inertia(2, 2) = 0.1;
  JointDescription pin;
  pin.name = "pin";
  pin.parent = kGround;
  pin.child = "rod";
  return m.add(rod).add(pin);
}

class Failure : public testing::TestWithParam<std::string> {};

TEST_P(Failure, LeavesTheLastGoodState) {
  auto broken = pendulum();
  const auto effort = [](double t, double, double) {
    return t > kBreaks ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  };
  broken.add(ForceDescription(EffortCallback{"breaks", "pin", effort, {}}));
  const Model model(broken);
  Simulation simulation(model, {.integrator = *method_from_name(GetParam())});
  Recording recording;
  try {
    simulation.run_until(1.0, 0.01, recording);
    FAIL() << "ran on";
  } catch (const SimulationError& error) {
    EXPECT_EQ(error.body(), "rod");
    EXPECT_LE(error.time(), kBreaks + 1e-4);  // euler has no stage beyond its step
    EXPECT_GT(error.time(), kBreaks - 0.02);
    EXPECT_EQ(recording.summary.status, "failed");
    const auto last = simulation.state();
    EXPECT_EQ(last.t, error.time());
    EXPECT_EQ(recording.samples.back().t, last.t);
    EXPECT_EQ(recording.samples.back().q, last.q);
    EXPECT_EQ(recording.samples.back().p, last.p);
    const Model whole(pendulum());
    Simulation good(whole, {.integrator = *method_from_name(GetParam())});
    const auto expected = good.run_until(last.t, 0.01).samples.back();
    EXPECT_NEAR(last.q(0), expected.q(0), 1e-6);
    EXPECT_NEAR(last.p(0), expected.p(0), 1e-6);
  }
}

// With loops, euler evaluates no force at the end of a step; reactions do.
TEST(FailureOfASensor, EndsTheRunAsOthersDo) {
  auto broken = load(HAMILTREE_MECHANISMS "/four_bar/model.toml").mechanism();
  const auto effort = [](double t, double, double) {
    return t > 0.0095 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  };
  broken.add(ForceDescription(EffortCallback{"breaks", "A", effort, {}}));
  broken.sensors = {ReactionSensor{"reaction", "A", {}}};
  Simulation simulation(Model(broken), {.integrator = Euler{0.01}});
  Recording recording;
  EXPECT_THROW(simulation.run_until(1.0, 0.01, recording), SimulationError);
  EXPECT_EQ(simulation.state().t, 0.01);
  EXPECT_EQ(recording.summary.status, "failed");
  EXPECT_EQ(recording.samples.size(), 1U);
}

// The message of a run that cannot go on because of this effort.
std::string said_of(const std::function<double(double t, double q, double rate)>& effort,
                    const Method& method) {
  auto broken = pendulum();
  broken.add(ForceDescription(EffortCallback{"breaks", "pin", effort, {}}));
  Simulation simulation(Model(broken), {.integrator = method});
  try {
    simulation.run_until(1.0, 0.01);
  } catch (const SimulationError& error) {
    return error.what();
  }
  return "ran on";
}

testing::AssertionResult matches(const std::string& text, const std::string& pattern) {
  if (std::regex_match(text, std::regex(pattern))) return testing::AssertionSuccess();
  return testing::AssertionFailure() << text;
}

// An effort that is never the same twice.
struct Fickle {
  double operator()(double t, double, double) {
    sign = -sign;
    return t < kBreaks ? 0.0 : sign * 1e12;
  }
  double sign = 1.0;
};

TEST(FailureMessages, NameTimeStepAndPlace) {
  EXPECT_TRUE(
      matches(said_of(Fickle{}, Adams{1e-9, 1e-9}),
              "t = 0\\.[0-9]* s: (steps down to [0-9.e-]+ s do not meet the tolerances, "
              "least of all in p\\.pin|the equations of steps down to .* cannot be solved)"));
  const auto overflows = [](double t, double, double) {
    return t < 0.095 ? 0.0 : 1e200 * 1e200 * t;
  };
  EXPECT_TRUE(matches(said_of(overflows, RungeKutta4{0.01}),
                      "t = 0\\.[0-9]* s: the rates are not finite in a step of 0\\.01 s "
                      "\\(first at joint \"pin\"\\)"));
  EXPECT_TRUE(matches(said_of(overflows, DormandPrince{1e-9, 1e-9}),
                      "t = 0\\.[0-9]* s: the rates are not finite in steps down to [0-9.e-]+ s "
                      "\\(first at joint \"pin\"\\)"));
  const auto none = [](double, double, double) { return 0.0; };
  EXPECT_TRUE(
      matches(said_of(none, Adams{1e-300, 1e-300}),
              "t = [0-9.e-]+ s: the tolerances ask for more digits than the rates have here: .*"));
}

// A rate that is not finite makes a step shorter; it has nothing to do with what ends the run
// later.
TEST(FailureMessages, NameNoJointThatRecovered) {
  for (const Method& method :
       {Method(DormandPrince{1e-9, 1e-9}), Method(BogackiShampine{1e-6, 1e-6}),
        Method(Adams{1e-9, 1e-9}), Method(Bdf{1e-9, 1e-9})}) {
    bool once = true;
    const auto effort = [&once, fickle = Fickle{}](double t, double q, double rate) mutable {
      if (t > 0.1 && once) {
        once = false;
        return std::numeric_limits<double>::quiet_NaN();
      }
      return fickle(t, q, rate);
    };
    const auto said = said_of(effort, method);
    EXPECT_FALSE(once);
    EXPECT_TRUE(matches(said, "t = 0\\.[4-9][0-9]* s: [^(]*"));
  }
}

INSTANTIATE_TEST_SUITE_P(AllMethods, Failure, testing::ValuesIn(method_names()),
                         [](const auto& info) { return info.param; });

TEST(StartFromAState, GoesOnFromThere) {
  const auto model = load(HAMILTREE_MECHANISMS "/four_bar/model.toml");
  const SimulationOptions exact{.integrator = DormandPrince{1e-12, 1e-12}};
  Simulation whole(model, exact);
  const auto expected = whole.run_until(0.4, 0.2);
  Simulation first(model, exact);
  first.run_until(0.2);
  Simulation second(model, exact, first.state());
  EXPECT_EQ(second.state().t, 0.2);
  const auto run = second.run_until(0.4);
  EXPECT_LE((run.samples.back().q - expected.samples.back().q).norm(), 1e-9);
  EXPECT_EQ(run.summary.energy.initial,
            run.samples.front().kinetic_energy + run.samples.front().potential_energy);
}

TEST(StartFromAState, RefusesOpenLoopsAndOtherSizes) {
  const auto model = load(HAMILTREE_MECHANISMS "/four_bar/model.toml");
  auto state = Simulation(model).state();
  state.q(0) += 0.05;
  EXPECT_THROW(Simulation(model, {}, state), UsageError);
  state.q.conservativeResize(1);
  EXPECT_THROW(Simulation(model, {}, state), UsageError);
}

// Their momenta would be no numbers.
TEST(StartFromAState, RefusesQuaternionsWithoutLength) {
  const auto model = load(HAMILTREE_MECHANISMS "/heavy_top/model.toml");
  const auto why = "the quaternion of joint \"" + model.joint_name(0) + "\" has no length";
  const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(4), rest = Eigen::VectorXd::Zero(3);
  const auto refusal = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([&] { momenta_of(model, 0.0, nothing, rest); }), why);
  EXPECT_EQ(refusal([&] { velocities_of(model, {0.0, nothing, rest}); }), why);
  EXPECT_EQ(refusal([&] { Simulation(model, {}, {0.0, nothing, rest}); }), why);
}

}  // namespace
}  // namespace hamiltree
