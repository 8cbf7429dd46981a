// Runs by auto: dormand_prince itself where nothing is stiff; and arms, hands and loops whose
// joints are damped as real ones are, against bdf at tight tolerances, across checkpoints and
// events.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "hamiltree/simulation/simulation.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::shipped;

double distance_of(const Recording& a, const Recording& b) {
  double largest = 0.0;
  for (std::size_t k = 0; k < a.samples.size(); ++k)
    largest = std::max(largest, (a.samples[k].q - b.samples[k].q).cwiseAbs().maxCoeff());
  return largest;
}

void expect_same(const Recording& a, const Recording& b) {
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t k = 0; k < a.samples.size(); ++k) {
    ASSERT_EQ(a.samples[k].t, b.samples[k].t);
    EXPECT_EQ(a.samples[k].q, b.samples[k].q);
    EXPECT_EQ(a.samples[k].v, b.samples[k].v);
    EXPECT_EQ(a.samples[k].p, b.samples[k].p);
  }
}

class NotStiff : public testing::TestWithParam<const char*> {};

TEST_P(NotStiff, IsDormandPrinceBitForBit) {
  const auto model = shipped(GetParam());
  for (const double tolerance : {1e-9, 1e-5}) {
    Simulation open(model, {.integrator = Auto{tolerance, tolerance}});
    Simulation named(model, {.integrator = DormandPrince{tolerance, tolerance}});
    const auto a = open.run_until(2.0, 0.05), b = named.run_until(2.0, 0.05);
    expect_same(a, b);
    EXPECT_TRUE(a.summary.integrator.changes.empty());
    EXPECT_EQ(a.summary.integrator.name, "auto");
    EXPECT_EQ(a.summary.steps, b.summary.steps);
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, NotStiff,
                         testing::Values("four_bar", "bennett", "chain_100", "spatial_arm",
                                         "heavy_top", "driven_slider_crank", "rssr",
                                         "iftomm_a02_four_bars_2"),
                         [](const auto& info) { return std::string(info.param); });

// Every joint of a shipped mechanism with a damper or friction.
Model damped(const std::string& name, double damping, double coulomb = 0.0) {
  auto mechanism = shipped(name).mechanism();
  mechanism.events.clear();
  for (const auto& joint : mechanism.joints) {
    if (joint.type != JointType::kRevolute) continue;
    mechanism.add(JointSpringDamper{joint.name, 0.0, 0.0, damping, {}});
    if (coulomb > 0.0) mechanism.add(JointFriction{joint.name, coulomb, 0.0, 1e-3, {}});
  }
  return Model(mechanism);
}

struct Damped {
  const char* name;
  double damping, coulomb;
};

class Stiff : public testing::TestWithParam<Damped> {};

TEST_P(Stiff, AgreesWithBdf) {
  const auto model = damped(GetParam().name, GetParam().damping, GetParam().coulomb);
  Simulation simulation(model), reference(model, {.integrator = Bdf{1e-12, 1e-12}});
  const auto found = simulation.run_until(1.0, 0.1), exact = reference.run_until(1.0, 0.1);
  const auto& summary = found.summary;
  ASSERT_FALSE(summary.integrator.changes.empty());
  EXPECT_EQ(summary.integrator.changes.front().to, "bdf");
  std::printf("%s: to bdf at %.3g s, %zu changes, %ld steps, %ld rates, differs by %.1e, %.1e m\n",
              GetParam().name, summary.integrator.changes.front().t,
              summary.integrator.changes.size(), summary.steps, summary.rate_evaluations,
              distance_of(found, exact), summary.constraint.position_max);
  EXPECT_LE(distance_of(found, exact), 1e-5);
  EXPECT_LE(summary.constraint.position_max, 1e-9);
  EXPECT_LT(summary.rate_evaluations, 100000);
}

TEST_P(Stiff, TakenUpIsTheSameRun) {
  const auto model = damped(GetParam().name, GetParam().damping, GetParam().coulomb);
  Simulation simulation(model);
  std::vector<Checkpoint> kept;
  simulation.on_checkpoint(0.11, [&](const Checkpoint& c) { kept.push_back(c); });
  const auto whole = simulation.run_until(0.5, 0.05);
  ASSERT_EQ(kept.size(), 5u);
  EXPECT_FALSE(kept.back().diagnostics.method_changes.empty());
  for (const auto& checkpoint : kept) {
    auto later = Simulation::from_checkpoint(model, checkpoint);
    later.on_checkpoint(0.11, nullptr);
    Recording rest;
    later.resume(rest);
    const auto before = whole.samples.size() - rest.samples.size();
    for (std::size_t k = 0; k < rest.samples.size(); ++k) {
      EXPECT_EQ(rest.samples[k].q, whole.samples[before + k].q);
      EXPECT_EQ(rest.samples[k].p, whole.samples[before + k].p);
    }
    EXPECT_EQ(rest.summary.steps, whole.summary.steps);
    ASSERT_EQ(rest.summary.integrator.changes.size(), whole.summary.integrator.changes.size());
    for (std::size_t k = 0; k < rest.summary.integrator.changes.size(); ++k)
      EXPECT_EQ(rest.summary.integrator.changes[k].t, whole.summary.integrator.changes[k].t);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, Stiff,
    testing::Values(Damped{"spatial_arm", 10.0, 0.0}, Damped{"double_pendulum", 20.0, 0.0},
                    Damped{"four_bar", 10.0, 0.0}, Damped{"bennett", 10.0, 0.0},
                    Damped{"spatial_arm", 0.0, 0.5}),
    [](const auto& info) {
      return std::string(info.param.name) + (info.param.coulomb > 0.0 ? "_friction" : "");
    });

// Scaling the energy of a step is for one-step methods.
TEST(AutoInRuns, StaysExplicitWithEnergyScaling) {
  Simulation simulation(damped("four_bar", 1.0), {.energy_scaling = true});
  const auto summary = simulation.run_until(0.02, 0.01).summary;
  EXPECT_TRUE(summary.integrator.changes.empty());
}

TEST(AutoInRuns, FindsEventsWithTheMethodOfTheStep) {
  auto mechanism = damped("double_pendulum", 20.0).mechanism();
  const auto& joint = mechanism.joints.front().name;
  mechanism.add(JointSensor{"angle", joint, {}});
  const auto q0 = Simulation(Model(mechanism)).state().q(0);
  const auto end = Simulation(Model(mechanism)).run_until(2.0, 1.0).samples.back().q(0);
  const double half = 0.5 * (q0 + end);
  mechanism.add(EventDescription{"half", "angle.q", half, Crossing::kAny, false, {}});
  const auto found = Simulation(Model(mechanism)).run_until(2.0, 1.0);
  ASSERT_FALSE(found.summary.integrator.changes.empty());
  ASSERT_EQ(found.summary.events.size(), 1u);
  EXPECT_GT(found.summary.events[0].t, found.summary.integrator.changes[0].t);
  const auto at_event =
      std::find_if(found.samples.begin(), found.samples.end(),
                   [&](const auto& s) { return s.t == found.summary.events[0].t; });
  ASSERT_NE(at_event, found.samples.end());
  EXPECT_NEAR(at_event->q(0), half, 1e-9);
}

}  // namespace
}  // namespace hamiltree
