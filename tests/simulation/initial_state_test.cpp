// Assembly: what is prescribed stays, the rest closes the loops.
#include "hamiltree/simulation/initial_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree {
namespace {

Model four_bar(const std::vector<std::string>& overrides = {}) {
  return load(std::string(HAMILTREE_MECHANISMS) + "/four_bar/model.toml", overrides);
}

double gap(const Model& model, const InitialState& state) {
  const auto probe = make_probe(model);
  probe->set(0.0, state.q.data(), state.v.data());
  return std::max(probe->residuals().position, probe->residuals().velocity);
}

TEST(InitialState, ClosesTheLoopAroundThePrescribedCrank) {
  for (const double angle : {0.6, 0.9, 1.2}) {
    const auto model = four_bar({"joint.A.initial.q=" + to_text(angle)});
    const auto state = initial_state(model);
    EXPECT_EQ(state.q(0), angle);
    EXPECT_LE(gap(model, state), 1e-13);
    EXPECT_EQ(state.v.norm(), 0.0);
    EXPECT_EQ(state.p.norm(), 0.0);
  }
}

TEST(InitialState, GuessesChooseTheBranch) {
  const auto model = four_bar();
  const auto open = initial_state(model);
  // The other branch of the same crank angle: coupler and rocker mirrored at the diagonal.
  const auto crossed = initial_state(four_bar({"joint.B.guess.q=-2.5", "joint.C.guess.q=1.6"}));
  EXPECT_LE(gap(model, crossed), 1e-13);
  EXPECT_GT((open.q - crossed.q).norm(), 0.1);
}

TEST(InitialState, OneVelocityDrivesTheLoop) {
  const auto model = four_bar({"joint.A.initial.v=2.0"});
  const auto state = initial_state(model);
  EXPECT_DOUBLE_EQ(state.v(0), 2.0);
  EXPECT_GT(std::abs(state.v(1)), 1e-3);
  EXPECT_LE(gap(model, state), 1e-13);
  // Momenta without any impulse in the loop: 2 T = v . p
  const auto probe = make_probe(model);
  probe->set(0.0, state.q.data(), state.v.data());
  EXPECT_NEAR(probe->kinetic_energy(), 0.5 * state.v.dot(state.p), 1e-15);
}

TEST(InitialState, RefusesALoopThatCannotClose) {
  const auto model = four_bar({"joint.D.at_parent.position=[2.0, 0.0]"});
  try {
    initial_state(model);
    FAIL() << "three bars of 0.3 m reached 2 m";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("joint \"D\""), std::string::npos) << text;
    EXPECT_NE(text.find("model.toml:"), std::string::npos) << text;
    // From the crank's tip to the far pin 1.8003 m, coupler and rocker reach 0.6 m.
    EXPECT_NE(text.find("gap of 1.20"), std::string::npos) << text;
  }
}

TEST(InitialState, RefusesVelocitiesThatTearTheLoop) {
  const auto model = four_bar({"joint.A.initial.v=2.0", "joint.B.initial.v=2.0"});
  EXPECT_THROW(initial_state(model), ModelError);
}

}  // namespace
}  // namespace hamiltree
