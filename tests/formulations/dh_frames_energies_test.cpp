// Energies, power and forces along joints, of trees in DH frames.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "hamiltree/batch/batch.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "support/pins.hpp"

namespace hamiltree::test {
namespace {

constexpr double kRounding = 1e-11;

// Springs, stops, friction, actuators, an effort and a controller of the user's.
Mechanism with_efforts(Mechanism mechanism) {
  for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
    const std::string joint = mechanism.joints[i].name;
    const double x = 0.1 * static_cast<double>(i);
    mechanism.add(JointSpringDamper{joint, 3.0 + x, 0.2, 0.4 + x, {}});
    mechanism.add(JointLimits{joint, -0.6, 0.4, 3.0, 0.4, 0.3, {}});
    mechanism.add(JointFriction{joint, 0.7, 0.2 + x, 0.3, {}});
    mechanism.add(Actuator{"motor " + joint, joint, Sine{0.3, 1.1, 0.8, 0.2}, {}});
    mechanism.add(EffortCallback{
        "effort " + joint, joint, [x](double t, double q, double v) { return x * q - v * t; }, {}});
  }
  const std::string last = mechanism.joints.back().name;
  mechanism.add(Controller{"law",
                           {last},
                           [last](Controls& now) {
                             const int j = now.index(last);
                             std::vector<double> q(1), v(1);
                             now.coordinates(j, q);
                             now.velocities(j, v);
                             now.add_effort(0, now.time() + 2.0 * now.position(j) + 3.0 * q[0] -
                                                   now.rate(j) - 0.5 * v[0]);
                           },
                           {}});
  return mechanism;
}

struct Case {
  std::string name;
  Axes axes;
  int reach, bodies;
  bool floats;
};

class ScrewEnergies : public testing::TestWithParam<Case> {
 protected:
  Mechanism mechanism(Pins& pins) const {
    const auto& c = GetParam();
    return c.floats ? pins.floating_tree(c.bodies, c.axes, c.reach)
                    : pins.tree(c.bodies, c.axes, c.reach);
  }
};

// T, and V but for a constant, against what the probe finds in world frames.
void expect_energies(const Model& model, Pins& pins) {
  const auto formulation = make_formulation("recursive", model);
  ASSERT_NE(formulation->plan().find("DH frames"), std::string::npos);
  const auto workspace = formulation->make_workspace();
  const auto probe = make_probe(model);
  double left_out = 0.0;
  for (int k = 0; k < 4; ++k) {
    Eigen::VectorXd q = 3.0 * pins.vector(model.coordinate_count());
    probe->normalise(q.data());
    const Eigen::VectorXd p = pins.vector(model.velocity_count());
    const StateView state{0.3, q.data(), p.data()};
    ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
    const auto own = formulation->energies(state, *workspace);
    ASSERT_TRUE(own);
    probe->set(state.t, q.data(), workspace->v.data());
    EXPECT_NEAR(own->kinetic, probe->kinetic_energy(), kRounding * probe->kinetic_energy());
    const double potential = probe->potential_energy();
    if (k == 0) left_out = potential - own->potential;
    EXPECT_NEAR(own->potential + left_out, potential,
                kRounding * (std::abs(potential) + std::abs(left_out)));
  }
}

TEST_P(ScrewEnergies, AreThoseOfTheProbe) {
  Pins pins(7);
  expect_energies(Model(mechanism(pins)), pins);
}

// A floating joint has neither springs nor efforts.
using ScrewEfforts = ScrewEnergies;

TEST_P(ScrewEfforts, EnergiesHoldWithSprings) {
  Pins pins(8);
  expect_energies(Model(with_efforts(mechanism(pins))), pins);
}

TEST_P(ScrewEfforts, AreThoseOfOtherFormulations) {
  Pins pins(9);
  const Model model(with_efforts(mechanism(pins)));
  const auto dh_frames = make_formulation("recursive", model),
             dense = make_formulation("hdca", model);
  ASSERT_NE(dh_frames->plan().find("DH frames"), std::string::npos);
  const auto a = dh_frames->make_workspace(), b = dense->make_workspace();
  const Eigen::VectorXd q = 3.0 * pins.vector(model.coordinate_count()),
                        p = pins.vector(model.velocity_count());
  const StateView state{0.7, q.data(), p.data()};
  dense->analyse(state, *b);
  ASSERT_EQ(dh_frames->rate(state, *a), Status::kOk);
  ASSERT_EQ(dense->rate(state, *b), Status::kOk);
  double size = 0.0, off = 0.0;
  for (std::size_t i = 0; i < a->u_dot.size(); ++i) {
    size = std::max(size, std::abs(b->u_dot[i]));
    off = std::max(off, std::abs(a->u_dot[i] - b->u_dot[i]));
  }
  EXPECT_LT(off, kRounding * size);
  const auto one = dh_frames->power(state, *a), other = dense->power(state, *b);
  const double watts = std::abs(other.applied) + std::abs(other.dissipated);
  EXPECT_GT(watts, 0.0);
  EXPECT_EQ(one.driven, 0.0);
  EXPECT_NEAR(one.applied, other.applied, kRounding * watts);
  EXPECT_NEAR(one.dissipated, other.dissipated, kRounding * watts);
}

// Eight instances that differ in their springs.
TEST_P(ScrewEfforts, ActInLanes) {
  std::vector<Model> models;
  for (int lane = 0; lane < 8; ++lane) {
    Pins pins(10);
    auto described = with_efforts(mechanism(pins));
    for (auto& force : described.forces) {
      if (auto* spring = std::get_if<JointSpringDamper>(&force)) spring->stiffness += lane;
    }
    models.emplace_back(described);
  }
  Batch batch(models);
  ASSERT_TRUE(batch.in_lanes());
  Pins pins(11);
  const auto n = static_cast<std::size_t>(models[0].velocity_count());
  const Eigen::VectorXd q = 3.0 * pins.vector(Eigen::Index(8 * n)),
                        p = pins.vector(Eigen::Index(8 * n));
  Eigen::VectorXd q_dot(8 * n), p_dot(8 * n);
  ASSERT_EQ(batch.rate(0.7, 8, q.data(), p.data(), q_dot.data(), p_dot.data()), Status::kOk);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const auto alone = make_formulation("recursive", models[lane]);
    const auto workspace = alone->make_workspace();
    ASSERT_EQ(alone->rate({0.7, q.data() + lane * n, p.data() + lane * n}, *workspace),
              Status::kOk);
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = workspace->u_dot[i];
      EXPECT_NEAR(p_dot[Eigen::Index(lane * n + i)], expected, 1e-9 * (1.0 + std::abs(expected)));
    }
  }
}

std::vector<Case> trees() {
  return {{"chain", Axes::kAny, 1, 7, false},
          {"tree", Axes::kAny, 3, 20, false},
          {"segments", Axes::kAny, 1, 120, false},
          {"banks", Axes::kAny, 3, 120, false},
          {"planar_chain", Axes::kInPlane, 1, 7, false},
          {"planar_segments", Axes::kInPlane, 1, 40, false},
          {"planar_tree", Axes::kInPlane, 3, 40, false}};
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Trees, ScrewEnergies, testing::ValuesIn(trees()), name_of);
INSTANTIATE_TEST_SUITE_P(Floating, ScrewEnergies,
                         testing::Values(Case{"tree", Axes::kAny, 3, 20, true}), name_of);
INSTANTIATE_TEST_SUITE_P(Trees, ScrewEfforts, testing::ValuesIn(trees()), name_of);

}  // namespace
}  // namespace hamiltree::test
