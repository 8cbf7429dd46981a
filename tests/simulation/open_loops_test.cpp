// No run goes on with an open loop: where a pose is singular and projection does not close the
// loops, the run ends with an error that says so.
#include <gtest/gtest.h>

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/import/native.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

// Bars of 0.5, 1 and 0.5 m on the x axis: the pose belongs to the parallelogram and to the
// antiparallelogram alike.
constexpr const char* kFlatFourBar = R"(
format = 1
space = "planar"
gravity = [0.0, -9.81]
[[body]]
name = "bar_{i}"
repeat = 2
mass = 1.0
com = [0.25, 0.0]
inertia = 0.02
[[body]]
name = "beam"
mass = 1.0
com = [0.5, 0.0]
inertia = 0.08
[[joint]]
name = "A"
type = "revolute"
parent = "ground"
child = "bar_1"
initial = { q = 0.0 }
[[joint]]
name = "B"
type = "revolute"
parent = "bar_1"
child = "beam"
at_parent = { position = [0.5, 0.0] }
initial = { q = 0.0 }
[[joint]]
name = "D"
type = "revolute"
parent = "ground"
child = "bar_2"
at_parent = { position = [1.0, 0.0] }
initial = { q = 0.0 }
[[joint]]
name = "C"
type = "revolute"
parent = "beam"
child = "bar_2"
at_parent = { position = [1.0, 0.0] }
at_child = { position = [0.5, 0.0] }
)";

class OpenLoops : public testing::TestWithParam<const char*> {};

// Closed to the end, or an error; nothing in between.
TEST_P(OpenLoops, AreNeverTheEndOfARun) {
  const Model model(parse_native(kFlatFourBar, "flat.toml"));
  for (const Method& method : {Method(DormandPrince{}), Method(RungeKutta4{1e-3})}) {
    Simulation simulation(model, {.formulation = GetParam(), .integrator = method});
    Recording recording;
    try {
      simulation.run_until(1.0, 0.0, recording);
      EXPECT_LE(recording.summary.constraint.position_max, 1e-9);
    } catch (const SimulationError& error) {
      EXPECT_NE(std::string(error.what()).find("projection cannot close it"), std::string::npos)
          << error.what();
      EXPECT_LE(recording.summary.constraint.position_max, 1.0) << "it is noticed at once";
    }
  }
}

// A spring that the step is far too long for throws the bars apart.
TEST_P(OpenLoops, EndTheRunWhereStepsAreTooLong) {
  const Model model(test::shipped("four_bar", {"joint.A.spring.stiffness=1e12"}));
  Simulation simulation(model, {.formulation = GetParam(), .integrator = RungeKutta4{0.1}});
  Recording recording;
  EXPECT_THROW(simulation.run_until(10.0, 0.0, recording), SimulationError);
  EXPECT_NE(recording.summary.error.find("\" closes is open by"), std::string::npos)
      << recording.summary.error;
}

INSTANTIATE_TEST_SUITE_P(Formulations, OpenLoops,
                         testing::Values("hdca", "recursive", "dense", "dca", "aba"));

// A drive that sets in later turns a bar that another pin holds.
constexpr const char* kTorn = R"(
format = 1
name = "torn"
space = "planar"
gravity = [0.0, -9.81]
[[body]]
name = "bar"
mass = 1.0
inertia = 0.1
[[body]]
name = "pendulum"
mass = 1.0
com = [0.5, 0.0]
inertia = 0.1
[[joint]]
name = "A"
type = "revolute"
parent = "ground"
child = "bar"
drive = { type = "smooth_step", to = 1.0, start = 0.1, duration = 1.0 }
[[joint]]
name = "B"
type = "revolute"
parent = "ground"
child = "bar"
at_parent = { position = [1.0, 0.0] }
at_child = { position = [1.0, 0.0] }
[[joint]]
name = "C"
type = "revolute"
parent = "bar"
child = "pendulum"
)";

// hdca and dca notice it by the energy, before the loop is open by much.
TEST(TornLoop, EndsTheRunWithAnErrorThatSaysWhatADriveDoes) {
  const Model model(parse_native(kTorn, "torn.toml"));
  for (const char* formulation : {"recursive", "dense", "aba", "hdca", "dca"}) {
    for (const Method& method : {Method(Auto{}), Method(Adams{}), Method(RungeKutta4{1e-3})}) {
      const auto which = std::string(formulation) + ' ' + to_name(method);
      Simulation simulation(model, {.formulation = formulation, .integrator = method});
      Recording recording;
      EXPECT_THROW(simulation.run_until(1.0, 0.0, recording), SimulationError) << which;
      const auto& error = recording.summary.error;
      const auto has = [&](const char* words) { return error.find(words) != std::string::npos; };
      EXPECT_TRUE(has("the loop that joint \"B\" closes is open by ") ||
                  has("the loop that joint \"B\" closes stays open, "))
          << which << ": " << error;
      EXPECT_TRUE(
          has("its redundant rows contradict others, as where it cannot follow a drive, or "
              "numbers are rounded (let the drive move what the loop leaves free"))
          << which << ": " << error;
      for (const auto& note : recording.summary.notes) {
        EXPECT_EQ(note.find("stays open"), note.find("stays open by up to")) << note;
        if (note.find("contradict") == std::string::npos) continue;
        EXPECT_NE(note.find("as where it cannot follow a drive"), std::string::npos) << note;
      }
    }
  }
}

}  // namespace
}  // namespace hamiltree
