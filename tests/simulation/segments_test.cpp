// Models computed in floating segments move as they do without, show what they show without, and
// keep the digits that long chains lose.
#include "hamiltree/simulation/segments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/state.hpp"
#include "support/random_mechanism.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::RandomMechanism;

Recording run_in(const Model& model, int segments, const std::string& formulation, double until) {
  auto options = test::options(formulation, 1e-12);
  options.segments = segments;
  return Simulation(model, options).run_until(until, 0.1 * until);
}

// A sensor of each kind, on everything.
void watch_all(Mechanism& mechanism) {
  for (const auto& body : mechanism.bodies) mechanism.add(BodySensor{body.name, body.name, {}});
  for (const auto& joint : mechanism.joints) {
    mechanism.add(JointSensor{"at " + joint.name, joint.name, {}});
    mechanism.add(ReactionSensor{"in " + joint.name, joint.name, {}});
  }
}

// By the size of the largest entry of all samples.
double relative_difference(const Recording& a, const Recording& b, Eigen::VectorXd Sample::*part) {
  double largest = 0.0, size = 1.0;
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    const auto& x = a.samples[i].*part;
    if (x.size() == 0) continue;
    size = std::max(size, x.lpNorm<Eigen::Infinity>());
    largest = std::max(largest, (x - b.samples[i].*part).lpNorm<Eigen::Infinity>());
  }
  return largest / size;
}

class SegmentsMove : public testing::TestWithParam<const char*> {};

TEST_P(SegmentsMove, AsTheWholeDoes) {
  int cut = 0;
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const auto topology : {test::Topology::kChain, test::Topology::kTree,
                                test::Topology::kForest, test::Topology::kCoupledLoops}) {
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        SCOPED_TRACE(test::case_name(space, topology) + ", seed " + std::to_string(seed));
        RandomMechanism random(seed);
        auto mechanism = random.make(space, topology, test::Extent::kBasic);
        const bool unique = topology != test::Topology::kCoupledLoops;  // reactions
        if (unique) watch_all(mechanism);
        const Model model(mechanism);
        const int length = 1 + static_cast<int>(seed % 3);
        if (in_segments(model, length).bases.empty()) continue;
        ++cut;
        const auto whole = run_in(model, 0, GetParam(), 0.2);
        const auto parts = run_in(model, length, GetParam(), 0.2);
        EXPECT_EQ(parts.summary.integrator.segments, length);
        EXPECT_LT(relative_difference(whole, parts, &Sample::q), 1e-8);
        EXPECT_LT(relative_difference(whole, parts, &Sample::v), 1e-7);
        EXPECT_LT(relative_difference(whole, parts, &Sample::sensors), 1e-6);
        EXPECT_LT(test::difference(whole.samples.back(), parts.samples.back()), 1e-7);
        EXPECT_EQ(parts.summary.model.degrees_of_freedom, whole.summary.model.degrees_of_freedom);
        EXPECT_EQ(parts.summary.model.loops, whole.summary.model.loops);
        EXPECT_NEAR(parts.samples.back().kinetic_energy, whole.samples.back().kinetic_energy,
                    1e-7 * (1.0 + whole.samples.back().kinetic_energy));
      }
    }
  }
  std::printf("%d mechanisms were cut\n", cut);
  EXPECT_GE(cut, 16);
}

INSTANTIATE_TEST_SUITE_P(Formulations, SegmentsMove, testing::Values("hdca", "recursive"),
                         [](const auto& info) { return std::string(info.param); });

// In (q, p) as recorded, too, where momenta are clean: those of a tree.
TEST(Segments, RecordTheMomentaOfTheWhole) {
  const auto model =
      test::shipped("chain_100", {"body.link_{i}.repeat=20", "joint.pin_{i+1}.repeat=19",
                                  "sensor.middle.body=link_10", "sensor.tip.body=link_20"});
  const auto whole = run_in(model, 0, "recursive", 0.5);
  const auto parts = run_in(model, 8, "recursive", 0.5);
  EXPECT_LT(relative_difference(whole, parts, &Sample::p), 1e-9);
  EXPECT_LT(relative_difference(whole, parts, &Sample::sensors), 1e-8);
}

Mechanism rods(SpaceKind space, int count) {
  Mechanism mechanism;
  mechanism.space = space;
  mechanism.gravity = {0.0, -9.81, 0.0};
  for (int k = 0; k < count; ++k) {
    BodyDescription rod;
    rod.name = "rod " + std::to_string(k);
    rod.mass = 1.0;
    rod.com = {0.5, 0.0, 0.0};
    rod.inertia = Eigen::Vector3d(0.01, 0.085, 0.085).asDiagonal();
    mechanism.add(rod);
    JointDescription pin;
    pin.name = "pin " + std::to_string(k);
    pin.type = JointType::kRevolute;
    pin.parent = k == 0 ? kGround : "rod " + std::to_string(k - 1);
    pin.child = rod.name;
    pin.at_parent.position = {k == 0 ? 0.0 : 1.0, 0.0, 0.0};
    if (space == SpaceKind::kSpatial) {
      const double quarter = (k % 2 == 0 ? 0.5 : -0.5) * std::numbers::pi;
      pin.at_parent.rotation =
          Eigen::AngleAxisd(quarter, Eigen::Vector3d::UnitX()).toRotationMatrix();
    }
    mechanism.add(pin);
  }
  return mechanism;
}

// Pins that are cut go round and round, and what is recorded counts it.
TEST(Segments, CountTurnsOfThePinsBetweenThem) {
  auto mechanism = rods(SpaceKind::kPlanar, 2);
  mechanism.bodies[1].com.setZero();
  mechanism.joints[1].initial_v = Eigen::VectorXd::Constant(1, 20.0);
  const Model model(mechanism);
  const auto whole = run_in(model, 0, "recursive", 1.0);
  const auto parts = run_in(model, 1, "recursive", 1.0);
  EXPECT_GT(std::abs(whole.samples.back().q(1)), 10.0);
  EXPECT_LT(relative_difference(whole, parts, &Sample::q), 1e-8);
}

// The velocities that the momenta of a motion give back, after rounding.
Eigen::VectorXd velocities_again(const Model& model, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& v) {
  const Eigen::VectorXd p = momenta_of(model, 0.0, q, v);
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  const StateView state{0.0, q.data(), p.data()};
  formulation->analyse(state, *workspace);
  formulation->prepare(state, *workspace);
  EXPECT_EQ(formulation->rate(state, *workspace), Status::kOk);
  return Eigen::Map<const Eigen::VectorXd>(workspace->v.data(), v.size());
}

class LongChain : public testing::TestWithParam<SpaceKind> {};

// 4,096 rods, nearly straight, with rates of the order 1: without segments five digits are left and
// less.
TEST_P(LongChain, KeepsNineDigitsInSegments) {
  constexpr int kBodies = 4096;
  const Model model(rods(GetParam(), kBodies));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::VectorXd q(kBodies), v(kBodies);
  for (int k = 0; k < kBodies; ++k) q(k) = 0.05 * uniform(random), v(k) = uniform(random);
  const auto segments = make_segments(model, 8);
  ASSERT_TRUE(segments);
  Eigen::VectorXd q_cut(segments->cut().coordinate_count());
  Eigen::VectorXd v_cut(segments->cut().velocity_count());
  segments->part(0.0, q.data(), v.data(), q_cut.data(), v_cut.data());
  const Eigen::VectorXd found = velocities_again(segments->cut(), q_cut, v_cut);
  Eigen::VectorXd q_again(kBodies), v_again(kBodies);
  segments->join(0.0, q_cut.data(), found.data(), q_again.data(), v_again.data());
  const double whole = (velocities_again(model, q, v) - v).norm() / v.norm();
  const double parts = (v_again - v).norm() / v.norm();
  std::printf("relative error of the rates: %.1g whole, %.1g in segments of 8\n", whole, parts);
  EXPECT_LT(parts, 1e-9);
  EXPECT_GT(whole, 1e-6);
  EXPECT_LT((q_again - q).lpNorm<Eigen::Infinity>(), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Spaces, LongChain,
                         testing::Values(SpaceKind::kPlanar, SpaceKind::kSpatial),
                         [](const auto& info) {
                           return info.param == SpaceKind::kPlanar ? "Planar" : "Spatial";
                         });

TEST(Segments, TakenUpAtACheckpointAreTheSameRun) {
  const Model model(rods(SpaceKind::kSpatial, 6));
  SimulationOptions options{.integrator = RungeKutta4{0.005}};
  options.segments = 2;
  Simulation simulation(model, options);
  std::vector<Checkpoint> kept;
  simulation.on_checkpoint(0.11, [&](const Checkpoint& checkpoint) { kept.push_back(checkpoint); });
  const auto whole = simulation.run_until(0.5, 0.03);
  ASSERT_EQ(kept.size(), 5U);  // the first at the start
  auto later = Simulation::from_checkpoint(model, kept[1]);
  later.on_checkpoint(0.11, nullptr);
  Recording rest;
  later.resume(rest);
  const auto& a = rest.samples.back();
  const auto& b = whole.samples.back();
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.p, b.p);
}

TEST(Segments, StepImpulsesAreThoseOfTheLoopsThatTheModelHas) {
  const auto model = test::shipped("four_bar", {"joint.A.initial.v=3.0"});
  const auto impulses = [&](int segments) {
    SimulationOptions options{.integrator = RungeKutta4{1e-3}};
    options.segments = segments;
    Simulation simulation(model, options);
    simulation.run_until(1e-3, 1e-3);
    return simulation.step_impulses();
  };
  const Eigen::VectorXd whole = impulses(0), parts = impulses(1);
  ASSERT_EQ(parts.size(), 2);
  EXPECT_LT((whole - parts).norm(), 1e-6 * whole.norm());
}

std::string refusal(SimulationOptions options) {
  options.segments = options.segments == 0 ? 2 : options.segments;
  try {
    Simulation(Model(rods(SpaceKind::kPlanar, 4)), options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

TEST(Segments, AreRefusedWhereTheyWouldBeOfNoUse) {
  EXPECT_EQ(refusal({}), "no UsageError");
  EXPECT_EQ(refusal({.segments = -1}), "segments have a number of bodies, or 0 for none");
  EXPECT_NE(refusal({.integrator = *method_from_name("spark_2")}).find("do not go with spark_2"),
            std::string::npos);
  EXPECT_NE(refusal({.formulation = "aba"}).find("do not go with formulation aba"),
            std::string::npos);
  EXPECT_NE(refusal({.reset = false}).find("do not go without reset"), std::string::npos);
}

TEST(Segments, SayWhereNoneCouldBeCutOff) {
  SimulationOptions options;
  options.segments = 4;
  const auto notes = [&](const Model& model) {
    return Simulation(model, options).run_until(0.01).summary.notes;
  };
  ASSERT_EQ(notes(Model(rods(SpaceKind::kPlanar, 4))).size(), 1U);
  EXPECT_EQ(notes(Model(rods(SpaceKind::kPlanar, 4)))[0],
            "no path of joints is longer than a segment: none floats");
  auto stiff = rods(SpaceKind::kPlanar, 6);
  for (int k = 0; k < 6; ++k) {
    stiff.add(JointSpringDamper{"pin " + std::to_string(k), 1.0, 0.0, 0.0, {}});
  }
  ASSERT_EQ(notes(Model(stiff)).size(), 1U);
  EXPECT_EQ(notes(Model(stiff))[0].substr(0, 34), "segments are up to 6 bodies long: ");
}

// The last of five bars spins about its own centre of mass, which moves nothing else: steps are
// many turns long.
TEST(Segments, CountTheTurnsOfLongSteps) {
  Mechanism m;
  m.space = SpaceKind::kPlanar;
  for (int i = 0; i < 5; ++i) {
    BodyDescription bar;
    bar.name = "bar_" + std::to_string(i);
    bar.mass = 1.0;
    bar.inertia.diagonal().setConstant(0.1);
    JointDescription pin;
    pin.name = "pin_" + std::to_string(i);
    pin.parent = i == 0 ? kGround : m.bodies.back().name;
    pin.child = bar.name;
    if (i > 0) pin.at_parent.position.x() = 0.1;
    if (i == 4) pin.initial_v = Eigen::VectorXd::Constant(1, 1000.0);
    m.add(bar).add(pin);
  }
  for (const int segments : {1, 2}) {
    SimulationOptions options;
    options.segments = segments;
    const auto run = Simulation(Model(m), options).run_until(10.0, 0.7);
    const auto turned = [](double t) { return 1000.0 * t; };
    EXPECT_LT(test::error(run, "q.pin_4", turned), 1e-6) << segments;
  }
}

}  // namespace
}  // namespace hamiltree
