// Energy balance: kinetic plus potential energy less the work of drives, applied forces and
// dissipation is constant to the integrator's tolerance, whatever acts.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "hamiltree/io/import/native.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/methods.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

// A four-bar with everything on it that takes or gives energy; joint D, the last, closes the loop.
constexpr const char* kEverything = R"(
format = 1
space = "planar"
gravity = [0.0, -9.81]
[[body]]
name = "crank"
mass = 1.0
com = [0.5, 0.0]
inertia = 0.1
[[body]]
name = "coupler"
mass = 1.0
com = [1.0, 0.0]
inertia = 0.3
[[body]]
name = "rocker"
mass = 1.0
com = [0.75, 0.0]
inertia = 0.2
[[joint]]
name = "A"
type = "revolute"
parent = "ground"
child = "crank"
parent_motion = { x = { type = "sine", amplitude = 0.05, frequency = 1.3 } }
initial = { q = 0.8 }
armature = 0.2
friction = { coulomb = 0.4, viscous = 0.05, velocity_scale = 0.05 }
limits = { lower = 0.2, upper = 1.5, stiffness = 200.0, damping = 5.0 }
[[joint]]
name = "B"
type = "revolute"
parent = "crank"
child = "coupler"
at_parent = { position = [1.0, 0.0] }
guess = { q = -0.485 }
spring = { stiffness = 3.0, rest = 0.2 }
damper = { damping = 0.1 }
[[joint]]
name = "C"
type = "revolute"
parent = "coupler"
child = "rocker"
at_parent = { position = [2.0, 0.0] }
guess = { q = -1.8 }
[[joint]]
name = "D"
type = "revolute"
parent = "ground"
child = "rocker"
at_parent = { position = [2.0, 0.0] }
at_child = { position = [1.5, 0.0] }
damper = { damping = 0.2 }
[[force]]
name = "motor"
type = "actuator"
joint = "A"
constant = 1.0
amplitude = 2.0
frequency = 0.7
[[force]]
name = "wind"
type = "wrench"
body = "coupler"
position = [1.0, 0.2]
force = { x = { type = "sine", amplitude = 4.0, frequency = 0.5 }, y = 1.0 }
[[force]]
name = "mount"
type = "bushing"
body_a = "ground"
body_b = "rocker"
at_a = { position = [2.0, 0.5] }
at_b = { position = [0.7, 0.0] }
translational_stiffness = [20.0, 10.0]
rotational_stiffness = 2.0
translational_damping = 0.3
rotational_damping = 0.1
[[force]]
name = "hardening"
type = "curve_spring"
joint = "D"
deflections = [-1.0, -0.2, 0.2, 1.0]
efforts = [-6.0, -0.5, 0.5, 9.0]
damping = 0.1
)";

Model everything() { return Model(parse_native(kEverything, "everything.toml")); }

class EnergyBalance : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(EnergyBalance, ClosesToTheTolerance) {
  const auto& [formulation, method] = GetParam();
  double before = 1.0;
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    Simulation simulation(everything(),
                          {.formulation = formulation,
                           .integrator = test::with_tolerance(method.c_str(), tolerance)});
    const auto summary = simulation.run_until(3.0, 0.1).summary;
    const auto& energy = summary.energy;
    EXPECT_FALSE(energy.conservative);
    EXPECT_NE(energy.work.driven, 0.0);
    EXPECT_NE(energy.work.applied, 0.0);
    EXPECT_LT(energy.work.dissipated, -0.5);
    EXPECT_LT(energy.max_relative_error, 2e3 * tolerance) << tolerance;
    EXPECT_LT(energy.max_relative_error, 0.3 * before) << tolerance;
    before = energy.max_relative_error;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, EnergyBalance,
    testing::Combine(testing::Values("hdca", "recursive", "dense", "aba"),
                     testing::Values("dormand_prince", "bogacki_shampine", "adams", "bdf")),
    [](const auto& info) { return std::get<0>(info.param) + "_" + std::get<1>(info.param); });

TEST(EnergyBalance, ClosesWithTheOrderOfSpark) {
  const auto error = [](double step) {
    Simulation simulation(everything(), {.integrator = Spark{2, step}});
    return simulation.run_until(1.0, 1.0).summary.energy.max_error;
  };
  EXPECT_LT(error(5e-4), 0.1 * error(1e-3));
}

// The recorded power is the rate at which the work grows.
TEST(EnergyBalance, PowerIsTheRateOfWork) {
  Simulation simulation(everything(), {.integrator = DormandPrince{1e-12, 1e-12}});
  const double h = 1e-3;
  const auto samples = simulation.run_until(0.35, h).samples;  // before it hits its stop
  for (std::size_t i = 1; i + 1 < samples.size(); ++i) {
    const auto& [before, now, after] = std::tie(samples[i - 1], samples[i], samples[i + 1]);
    const auto rate = [&](double Power::*part) {
      return (after.work.*part - before.work.*part) / (2.0 * h);
    };
    for (const auto part : {&Power::driven, &Power::applied, &Power::dissipated}) {
      EXPECT_NEAR(now.power.*part, rate(part), 0.05) << now.t;
    }
    EXPECT_LE(now.power.dissipated, 0.0);
  }
}

}  // namespace
}  // namespace hamiltree
