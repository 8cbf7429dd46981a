// Loads: minus the gradient of the potential energy, dissipation of dampers, law of actuators; on
// tree joints and on joints that close loops alike.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "forces/states.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"
#include "support/random_space.hpp"
#include "support/sample_mechanisms.hpp"

namespace hamiltree {
namespace {

using Eigen::VectorXd;
using test::generalized_loads;
using test::Moving;
using test::RandomMechanism;

constexpr std::uint64_t kSeed = 1687;
constexpr int kSamples = 20;
constexpr double kRounding = 1e-12;  // measured: 1e-14 at most, forces of order 10

class ForcesTest : public testing::TestWithParam<SpaceKind> {
 protected:
  template <class Check>
  void on_systems(const Check& check) {
    test::on_sample_systems(
        GetParam(), kSeed, kSamples, [](const Mechanism& mechanism) { return mechanism; }, check);
  }
};

TEST_P(ForcesTest, ForcesOnCutsAreThere) {
  const Model model(test::sample_loop(GetParam(), JointType::kRevolute));
  model.visit([](const auto& system) {
    EXPECT_TRUE(system.joint(system.joint_springs.front().joint).is_cut());
    EXPECT_TRUE(system.joint(system.actuators.front().joint).is_cut());
    EXPECT_FALSE(is_conservative(system));
  });
}

TEST_P(ForcesTest, LoadsAtRestAreMinusTheGradientOfThePotential) {
  on_systems([]<class Space>(System<Space> system, const VectorXd& q, const VectorXd&) {
    system.actuators.clear();
    const VectorXd Q = generalized_loads(system, 0.0, q, VectorXd::Zero(system.velocities));
    for (int k = 0; k < system.velocities; ++k) {
      const Moving<Space> moving(system, q, VectorXd::Unit(system.velocities, k));
      const Dual V = potential_energy(moving.system, moving.kin, moving.q.data());
      EXPECT_NEAR(Q(k), -V.derivative, kRounding * (1.0 + std::abs(V.value))) << "velocity " << k;
    }
  });
}

// Each kind of load by itself, so that none can hide behind another.
TEST_P(ForcesTest, EachPotentialHasItsOwnGradient) {
  on_systems([]<class Space>(const System<Space>& all, const VectorXd& q, const VectorXd& v) {
    std::vector<System<Space>> parts(3, all);
    for (auto& part : parts) part.actuators.clear();
    for (std::size_t kept = 0; kept < parts.size(); ++kept) {
      auto& part = parts[kept];
      if (kept != 0) part.gravity.setZero();
      if (kept != 1) part.joint_springs.clear();
      if (kept != 2) part.point_springs.clear();
      const double power = v.dot(generalized_loads(part, 0.0, q, VectorXd::Zero(part.velocities)));
      const Moving<Space> moving(part, q, v);
      const Dual V = potential_energy(moving.system, moving.kin, moving.q.data());
      EXPECT_NEAR(power, -V.derivative, kRounding * (1.0 + std::abs(V.value))) << "part " << kept;
      EXPECT_GT(std::abs(V.value), 0.0) << "part " << kept;
    }
  });
}

// Dampers take d (rate)^2, the rates being derivatives of joint coordinates and lengths.
TEST_P(ForcesTest, DampersDissipate) {
  on_systems([]<class Space>(System<Space> system, const VectorXd& q, const VectorXd& v) {
    system.gravity.setZero();
    system.actuators.clear();
    for (auto& spring : system.joint_springs) spring.stiffness = 0.0;
    for (auto& spring : system.point_springs) spring.stiffness = 0.0;
    const Moving<Space> moving(system, q, v);
    double dissipated = 0.0;
    for (const auto& spring : system.joint_springs) {
      const Dual x = joint_position(moving.system, moving.kin, moving.q.data(), spring.joint);
      dissipated += spring.damping * x.derivative * x.derivative;
    }
    for (const auto& spring : moving.system.point_springs) {
      double rate = 0.0;
      for (std::size_t i = 0; i + 1 < spring.path.size(); ++i) {
        const auto a = moving.kin.pose(spring.path[i].body) * spring.path[i].x;
        const auto b = moving.kin.pose(spring.path[i + 1].body) * spring.path[i + 1].x;
        rate += spring.path[i].ratio * sqrt((b - a).squaredNorm()).derivative;
      }
      dissipated += spring.damping.value * rate * rate;
    }
    EXPECT_GT(dissipated, 0.0);
    EXPECT_NEAR(v.dot(generalized_loads(system, 0.0, q, v)), -dissipated, kRounding);
    EXPECT_FALSE(is_conservative(system));
  });
}

// Power = (constant + amplitude sin(omega t + phase)) xdot
TEST_P(ForcesTest, ActuatorsFollowTheirLaw) {
  on_systems([]<class Space>(System<Space> system, const VectorXd& q, const VectorXd& v) {
    system.gravity.setZero();
    system.joint_springs.clear();
    system.point_springs.clear();
    ASSERT_EQ(system.actuators.size(), 1U);
    const auto& motor = system.actuators.front();
    const Moving<Space> moving(system, q, v);
    const double x_dot =
        joint_position(moving.system, moving.kin, moving.q.data(), motor.joint).derivative;
    for (const double t : {0.0, 0.3, 1.7}) {
      // SampleMechanism's function: 0.3 + 1.1 sin(2 pi 0.8 t + 0.2)
      const double effort = 0.3 + 1.1 * std::sin(2.0 * std::numbers::pi * 0.8 * t + 0.2);
      EXPECT_NEAR(v.dot(generalized_loads(system, t, q, v)), effort * x_dot, kRounding);
    }
  });
}

// The rate that dampers of joints see is the derivative of the coordinate that springs see.
TEST_P(ForcesTest, JointRatesAreDerivativesOfJointPositions) {
  on_systems([]<class Space>(const System<Space>& system, const VectorXd& q, const VectorXd& v) {
    Kinematics<Space> kin(system);
    place(system, 0.0, q.data(), kin);
    move(system, v.data(), kin);
    const Moving<Space> moving(system, q, v);
    for (const auto& spring : system.joint_springs) {
      const double x = joint_position(system, kin, q.data(), spring.joint);
      const double x_dot = joint_rate(system, kin, spring.joint);
      const Dual expected =
          joint_position(moving.system, moving.kin, moving.q.data(), spring.joint);
      EXPECT_NEAR(x, expected.value, kRounding);
      EXPECT_NEAR(x_dot, expected.derivative, kRounding);
    }
  });
}

// Inner forces come in pairs: without gravity, springs to the ground and a joint to it, a
// free-flying group of bodies feels no load in total.
TEST_P(ForcesTest, InnerForcesBalance) {
  test::SampleMechanism sample(GetParam());
  const auto base = sample.add(JointType::kFree, kGround);
  const auto arm = sample.add(JointType::kRevolute, base, true);
  const auto tip = sample.add(JointType::kPrismatic, arm);
  sample.close(JointType::kRevolute, base, tip);
  sample.add_spring("C0");
  sample.add_actuator("C0");
  sample.add_point_spring(base, tip);
  Mechanism mechanism = sample.get();
  mechanism.gravity.setZero();
  Model(mechanism).visit([]<class Space>(const System<Space>& system) {
    RandomMechanism random(kSeed);
    VectorXd q = random.vector(system.coordinates);
    normalise_coordinates(system, q.data());
    const VectorXd Q = generalized_loads(system, 0.2, q, random.vector(system.velocities));
    const auto& free = system.joint(0);
    ASSERT_EQ(free.type, JointType::kFree);
    EXPECT_LE(Q.segment<Space::kDimension>(free.v).norm(), kRounding);
    EXPECT_GT(Q.norm(), 0.1);
  });
}

// Where the points of a spring meet it has no direction: it pulls not at all, and nothing is NaN.
TEST_P(ForcesTest, PointSpringOfNoLengthIsFinite) {
  test::SampleMechanism sample(GetParam());
  sample.add(JointType::kRevolute, kGround);
  Mechanism mechanism = sample.get();
  mechanism.gravity.setZero();
  mechanism.joints.front().at_parent = {};
  mechanism.joints.front().at_child = {};
  mechanism.add(PointSpringDamper{"spring", {{kGround}, {"B0"}}, 5.0, 0.4, 0.2, {}, {}});
  Model(mechanism).visit([](const auto& system) {
    const VectorXd Q =
        generalized_loads(system, 0.0, VectorXd::Constant(1, 0.3), VectorXd::Constant(1, 1.0));
    EXPECT_EQ(Q(0), 0.0);
  });
}

TEST_P(ForcesTest, SpringsAloneAreConservative) {
  Mechanism mechanism = test::sample_tree(GetParam());
  std::erase_if(mechanism.forces,
                [](const auto& f) { return std::holds_alternative<Actuator>(f); });
  for (auto& force : mechanism.forces) {
    if (auto* s = std::get_if<JointSpringDamper>(&force)) s->damping = 0.0;
    if (auto* s = std::get_if<PointSpringDamper>(&force)) s->damping = 0.0;
  }
  Model(mechanism).visit([](const auto& system) { EXPECT_TRUE(is_conservative(system)); });
  mechanism.add(Actuator{"idle", "J0", Sine{0.0, 0.0, 1.0, 0.0}, {}});
  Model(mechanism).visit([](const auto& system) { EXPECT_TRUE(is_conservative(system)); });
  mechanism.add(Servo{"still", {"J0"}, {1.0}, Polynomial{{0.0}}, 0.0, 0.0, -1.0, 1.0, {}});
  Model(mechanism).visit([](const auto& system) { EXPECT_TRUE(is_conservative(system)); });
  for (const auto& [stiffness, damping] : {std::pair{1.0, 0.0}, std::pair{0.0, 1.0}}) {
    Mechanism held = mechanism;
    held.add(Servo{"servo", {"J0"}, {1.0}, Polynomial{{0.0}}, stiffness, damping, {}, {}, {}});
    Model(held).visit([](const auto& system) { EXPECT_FALSE(is_conservative(system)); });
  }
  for (const auto& [lower, upper] : {std::pair{std::optional(0.5), std::optional<double>()},
                                     std::pair{std::optional<double>(), std::optional(-0.5)}}) {
    Mechanism held = mechanism;
    held.add(Servo{"servo", {"J0"}, {1.0}, Sine{}, 0.0, 0.0, lower, upper, {}});
    Model(held).visit([](const auto& system) { EXPECT_FALSE(is_conservative(system)); });
  }
  mechanism.add(Actuator{"motor", "J0", Sine{0.0, 0.1, 1.0, 0.0}, {}});
  Model(mechanism).visit([](const auto& system) { EXPECT_FALSE(is_conservative(system)); });
}

INSTANTIATE_TEST_SUITE_P(Spaces, ForcesTest,
                         testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                         [](const auto& info) {
                           return info.param == SpaceKind::kPlanar ? "Planar" : "Spatial";
                         });

}  // namespace
}  // namespace hamiltree
