// What is recorded of motions along branches through singular poses: samples and events between
// steps, which cut none, and reactions, which have no digits by the rows of the loops.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "hamiltree/formulations/registry.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/folded.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::column;
using test::folded_four_bar;
using test::FourBarSizes;
using test::has_note;
using test::joint_of;
using test::run;

constexpr double kGravity = 9.81, kA = 0.5;  // m, the uprights; the coupler is twice as long
constexpr std::array kMasses{3.0, 1.0, 0.2};

// Through the flat pose, if it starts before it.
Mechanism parallelogram(SpaceKind space, double angle, double speed) {
  FourBarSizes sizes;
  sizes.masses = kMasses;
  sizes.angles = {angle, -angle, angle};
  auto m = folded_four_bar(sizes, space, {0.0, -kGravity, 0.0}, {speed, -speed, speed});
  m.sensors = {ReactionSensor{"at_A", "A", {}}, ReactionSensor{"at_D", "D", {}},
               JointSensor{"A", "A", {}}};
  return m;
}

// Newton and Euler, body by body; the coupler does not turn, so its ends carry the same upwards.
struct Reactions {
  Eigen::Vector2d at_A, at_D;
};
Reactions closed_form(double angle, double speed, double torque = 0.0, bool is_driven = false) {
  const auto [m_a, m_b, m_c] = kMasses;
  const Eigen::Vector2d g(0.0, -kGravity), along(std::cos(angle), std::sin(angle));
  const Eigen::Vector2d across(-along.y(), along.x());
  const double moment = kA * (0.5 * (m_a + m_c) + m_b);
  const double inertia = kA * kA * ((m_a + m_c) / 3.0 + m_b);
  const double turn = is_driven ? 0.0 : moment * g.dot(across) / inertia;
  const auto acceleration = [&](double r) {
    return Eigen::Vector2d(r * (turn * across - speed * speed * along));
  };
  // What bars with these turns leave to the coupler, across them.
  const auto left = [&](double m, double effort) {
    return 0.5 * m * g.dot(across) - m * kA * turn / 3.0 + effort / kA;
  };
  const Eigen::Vector2d both = m_b * (acceleration(kA) - g);
  Eigen::Vector2d at_B, at_C;
  at_B.y() = at_C.y() = 0.5 * both.y();
  at_B.x() = (at_B.y() * along.x() - left(m_a, torque)) / along.y();
  at_C.x() = (at_C.y() * along.x() - left(m_c, 0.0)) / along.y();
  return {m_a * (acceleration(0.5 * kA) - g) + at_B, m_c * (acceleration(0.5 * kA) - g) + at_C};
}

constexpr double kBend = 1e-8;
constexpr std::array kSpaces{SpaceKind::kPlanar, SpaceKind::kSpatial};

// They grow as 1 / angle, and so do their errors. The bend of a motion comes from a chart, which
// has it to 3e-9 where it ends.
TEST(BranchSamples, HaveTheReactionsOfTheMotion) {
  for (const auto space : kSpaces) {
    for (const auto& [angle, until] : {std::pair{-0.02, 0.04}, std::pair{-1e-6, 2e-6}}) {
      const auto found =
          run(Model(parallelogram(space, angle, 1.0)), "recursive", 1e-11, until, until / 1000.0);
      ASSERT_EQ(found.samples.size(), 1001U);
      const auto q = column(found, "q.A"), v = column(found, "v.A");
      double nearest = 1.0;
      for (std::size_t i = 0; i < q.size(); ++i) {
        nearest = std::min(nearest, std::abs(q[i]));
        if (std::abs(q[i]) < 1e-7) continue;  // half their digits are lost
        const auto exact = closed_form(q[i], v[i]);
        const double tolerance = kBend + 1e-13 / std::abs(q[i]);
        for (const auto& [name, force] :
             {std::pair{"at_A", exact.at_A}, std::pair{"at_D", exact.at_D}}) {
          const double x = column(found, std::string(name) + ".force.x")[i];
          const double y = column(found, std::string(name) + ".force.y")[i];
          ASSERT_NEAR(x / force.x(), 1.0, tolerance) << name << " at " << q[i];
          ASSERT_NEAR(y, force.y(), tolerance * std::abs(force.x() * q[i]) * 1e3) << q[i];
        }
      }
      EXPECT_LT(nearest, 1e-4);
    }
  }
}

// At the pose itself nothing bounds them.
TEST(BranchSamples, AreNotANumberWhereReactionsHaveNone) {
  for (const auto space : kSpaces) {
    const auto found = run(Model(parallelogram(space, 0.0, 1.0)), "recursive", 1e-10, 0.1, 0.01);
    for (const std::string joint : {"at_A", "at_D"}) {
      const auto x = column(found, joint + ".force.x");
      EXPECT_TRUE(std::isnan(x.front()));
      EXPECT_TRUE(std::all_of(x.begin() + 1, x.end(), [](double f) { return std::isfinite(f); }));
    }
    EXPECT_TRUE(has_note(found, "are recorded as nan"));
    const auto beside = run(Model(parallelogram(space, 0.01, 1.0)), "recursive", 1e-10, 0.1, 0.01);
    EXPECT_FALSE(has_note(beside, "are recorded as nan"));
  }
}

// The reactions of a parallelogram in the plane are unique, at the flat pose too but for those.
TEST(BranchSamples, AreNotSaidToBeUndeterminedAllAlong) {
  const auto found =
      run(Model(parallelogram(SpaceKind::kPlanar, 0.0, 1.0)), "recursive", 1e-10, 0.1, 0.01);
  EXPECT_FALSE(has_note(found, "redundant constraints leave"));
}

TEST(BranchSamples, HaveNoImpulsesOfSteps) {
  Simulation beside(Model(parallelogram(SpaceKind::kPlanar, 0.0, 1.0)),
                    test::options("recursive", 1e-10));
  beside.run_until(0.01, 0.01);
  EXPECT_TRUE(beside.step_impulses().array().isNaN().all());
  beside.run_until(0.2, 0.2);
  EXPECT_TRUE(beside.step_impulses().allFinite());
}

// A crank that turns evenly: its drive carries the weight, as at any other pose.
TEST(BranchSamples, HaveTheEffortAndThePowerOfDrives) {
  constexpr double kRate = 1.5;
  for (const auto space : kSpaces) {
    auto m = parallelogram(space, -0.02, kRate);
    auto& crank = joint_of(m, "A");
    crank.initial_q.reset();
    crank.initial_v.reset();
    crank.drive = Polynomial{{-0.02, kRate}};
    m.sensors.pop_back();
    const auto found = run(Model(m), "recursive", 1e-10, 0.04, 1e-4);
    const auto& [m_a, m_b, m_c] = kMasses;
    const double moment = kA * (0.5 * (m_a + m_c) + m_b);
    const auto efforts = column(found, "at_A.drive"), x = column(found, "at_D.force.x");
    for (std::size_t i = 0; i < found.samples.size(); ++i) {
      const auto& sample = found.samples[i];
      const double angle = -0.02 + kRate * sample.t;
      const double torque = kGravity * moment * std::cos(angle);
      EXPECT_NEAR(sample.power.driven, torque * kRate, 1e-7) << angle;
      if (std::abs(angle) < 1e-6) continue;
      EXPECT_NEAR(efforts[i], torque, kBend * torque) << angle;
      const auto exact = closed_form(angle, kRate, torque, true);
      EXPECT_NEAR(x[i] / exact.at_D.x(), 1.0, kBend + 1e-12 / std::abs(angle)) << angle;
    }
  }
}

// By the rows of the loops alone, which admit the accelerations of both motions there.
TEST(BranchSamples, AreWhatNoFormulationTellsAtTheFlatPose) {
  for (const auto space : kSpaces) {
    for (const auto* name : {"hdca", "recursive", "dense"}) {
      const Model model(parallelogram(space, 0.0, 1.0));
      const auto formulation = make_formulation(name, model, {});
      for (const auto& [angle, status] :
           {std::pair{0.0, Status::kSingular}, std::pair{0.1, Status::kOk}}) {
        const auto state = initial_state(Model(parallelogram(space, angle, 1.0)));
        const auto beside = initial_state(Model(parallelogram(space, 0.2, 1.0)));
        const auto workspace = formulation->make_workspace();
        formulation->analyse({0.0, beside.q.data(), beside.p.data()}, *workspace);
        const StateView here{0.0, state.q.data(), state.p.data()};
        formulation->prepare(here, *workspace);
        EXPECT_EQ(formulation->accelerations(here, *workspace), status) << name << " at " << angle;
      }
    }
  }
}

TEST(BranchSamples, CutNoSteps) {
  const Model model(parallelogram(SpaceKind::kSpatial, 0.0, 0.1));
  const auto few = run(model, "recursive", 1e-9, 0.2, 0.2);
  const auto many = run(model, "recursive", 1e-9, 0.2, 2e-4);
  EXPECT_EQ(many.summary.steps, few.summary.steps);
  EXPECT_EQ(many.samples.back().q, few.samples.back().q);
  EXPECT_EQ(many.samples.back().p, few.samples.back().p);
  // Each lies on the loops, and has the energy.
  for (const auto& sample : many.samples) {
    EXPECT_LT(sample.position_residual, 1e-14);
    EXPECT_LT(sample.velocity_residual, 1e-12);
  }
  EXPECT_LT(std::ranges::max(relative_energy_errors(many.samples, 1.0)), 1e-8);
}

// On both motions, before, at and behind the flat pose, and at states that have the energy.
TEST(BranchSamples, EventsAreWhereTheirChannelsHaveTheValue) {
  for (const bool is_parallel : {true, false}) {
    for (const double value : {-1e-2, -1e-4, 0.0, 1e-5, 1e-2}) {
      auto m = parallelogram(SpaceKind::kPlanar, -0.1, 3.0);
      if (!is_parallel) {
        joint_of(m, "B").initial_q.reset();
        joint_of(m, "B").initial_v.reset();
        joint_of(m, "D").initial_q.reset();
        joint_of(m, "D").initial_v.reset();
        joint_of(m, "B").guess_q = Eigen::VectorXd::Constant(1, -0.1);
        joint_of(m, "D").guess_q = Eigen::VectorXd::Constant(1, 0.3);
      }
      m.events = {{"there", "A.q", value, Crossing::kAny, true, {}}};
      const auto found = run(Model(m), "recursive", 1e-9, 1.0, 0.5);
      ASSERT_EQ(found.summary.stopped_by, "there");
      const auto& last = found.samples.back();
      EXPECT_NEAR(column(found, "q.A").back(), value, 1e-13);
      EXPECT_NEAR(last.kinetic_energy + last.potential_energy,
                  found.samples.front().kinetic_energy + found.samples.front().potential_energy,
                  1e-10)
          << value;
    }
  }
}

}  // namespace
}  // namespace hamiltree
