// Mechanisms of which parts move in planes of their own: each part is computed where it moves, and
// the whole is what it is in space.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/formulations/choice/choice.hpp"
#include "hamiltree/formulations/uniqueness.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "support/beside.hpp"
#include "support/planar_linkages.hpp"
#include "support/random_mechanism.hpp"
#include "support/rates.hpp"
#include "support/recorded.hpp"
#include "support/same_motion.hpp"
#include "support/workshop.hpp"

namespace hamiltree {
namespace {

using Eigen::VectorXd;
using test::RandomMechanism;
using test::to_vector;
using test::Topology;

constexpr FormulationOptions kInSpace{.plane = false};

// How fast the loops open.
double opening(const Model& model, const VectorXd& q, const VectorXd& v) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    place(system, RandomMechanism::kTime, q.data(), kin);
    move(system, v.data(), kin);
    VectorXd phi_dot(system.constraints);
    velocity_residual(system, kin, phi_dot.data());
    return phi_dot.norm();
  });
}

class OfSubsystems : public testing::TestWithParam<const char*> {};

TEST_P(OfSubsystems, MovesAsTheWholeDoesInSpace) {
  int apart = 0, beside_dense = 0, driven = 0, projected = 0, reactions = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::Workshop workshop(seed);
    const Model model(workshop.mechanism);
    // Impulses of couplings on joints that are not in the state are no part of this.
    if (!model.mechanism().couplings.empty()) continue;
    if (choice_of(GetParam(), model).subsystems.empty()) continue;
    ++apart;
    const VectorXd q =
        workshop.pose(model) + workshop.random.vector(model.coordinate_count(), 1e-3);
    const VectorXd p = workshop.random.vector(model.velocity_count());
    const StateView state{RandomMechanism::kTime, q.data(), p.data()};
    const auto parts = make_formulation(GetParam(), model);
    const auto whole = make_formulation(GetParam(), model, kInSpace);
    EXPECT_TRUE(parts->plan().starts_with("subsystems: ")) << parts->plan();
    EXPECT_EQ(whole->plan().find("subsystems"), std::string::npos);
    const auto motion = test::expect_same_motion(model, *parts, *whole, state, 1e-9);
    driven += motion.power.driven != 0.0;
    projected += motion.gap > 1e-6;

    const auto w = parts->make_workspace(), v = whole->make_workspace();
    const auto rows = parts->analyse(state, *w);
    whole->analyse(state, *v);
    // It matters which of the redundant rows are held if not all can be: off the loops, and where
    // drives contradict them.
    const VectorXd closed = workshop.pose(model);
    if (opening(model, closed, test::rates("dense", model, state.t, closed, p).v) < 1e-9) {
      ++beside_dense;
      test::expect_same_motion(model, *parts, *make_formulation("dense", model),
                               {state.t, closed.data(), p.data()}, 1e-8);
    }
    const auto unique = unique_reactions(model, *parts, rows, state, *w);
    const auto expected = unique_reactions(model, *whole, rows, state, *v);
    ASSERT_EQ(parts->accelerations(state, *w), Status::kOk);
    ASSERT_EQ(whole->accelerations(state, *v), Status::kOk);
    test::expect_near(to_vector(w->v_dot), to_vector(v->v_dot), 1e-7, "v_dot");
    for (int j = 0; j < model.joint_count(); ++j) {
      ASSERT_EQ(unique[at(j)].not_unique(), expected[at(j)].not_unique()) << model.joint_name(j);
      if (!unique[at(j)].not_unique().empty()) continue;
      const auto found = parts->reaction(j, *w), other = whole->reaction(j, *v);
      test::expect_near(found.force, other.force, 1e-6, model.joint_name(j));
      test::expect_near(found.moment, other.moment, 1e-6, model.joint_name(j));
      ++reactions;
    }
    if (HasFailure()) return;
  }
  std::printf("%d models apart, %d beside dense, %d driven, %d off their loops, %d reactions\n",
              apart, beside_dense, driven, projected, reactions);
  EXPECT_GT(apart, 30);
  EXPECT_GT(beside_dense, 30);
  EXPECT_GT(driven, 5);
  EXPECT_GT(projected, 30);
  EXPECT_GT(reactions, 100);
}

// What describes the mechanism, of which parts are made, does not change with its parameters.
TEST_P(OfSubsystems, MoveAsTheParametersSayThatAreChanged) {
  int apart = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::Workshop workshop(seed);
    const Model model(workshop.mechanism);
    if (!model.mechanism().couplings.empty()) continue;
    if (choice_of(GetParam(), model).subsystems.empty()) continue;
    ++apart;
    std::vector<Parameter> changes{{"gravity.x", 2.0}};
    for (const auto& parameter : parameters(model)) {
      if (parameter.name.ends_with(".mass"))
        changes.push_back({parameter.name, 2.0 * parameter.value});
    }
    const auto changed = with_parameters(model, changes);
    const VectorXd q = workshop.pose(model), p = workshop.random.vector(model.velocity_count());
    test::expect_same_motion(changed, *make_formulation(GetParam(), changed),
                             *make_formulation(GetParam(), changed, kInSpace),
                             {RandomMechanism::kTime, q.data(), p.data()}, 1e-9);
  }
  EXPECT_GT(apart, 10);
}

INSTANTIATE_TEST_SUITE_P(Formulations, OfSubsystems, testing::Values("hdca", "recursive"));

// A planar machine of pins, in space on a plane that is turned by R.
Mechanism in_space(Mechanism m, const Eigen::Matrix3d& R) {
  m.space = SpaceKind::kSpatial;
  for (auto& body : m.bodies)
    body.inertia = body.inertia(2, 2) * Eigen::Vector3d(0.6, 0.7, 1.0).asDiagonal();
  for (auto& joint : m.joints) {
    for (auto [body, frame] :
         {std::pair(&joint.parent, &joint.at_parent), std::pair(&joint.child, &joint.at_child)}) {
      if (*body == kGround) *frame = {R * frame->position, R * frame->rotation};
    }
  }
  return m;
}

// A ladder in each of two planes, and one more in the first.
Mechanism ladders() {
  test::PlanarLinkages random(1);
  const Eigen::Matrix3d upright = Eigen::Matrix3d::Identity();
  auto m = in_space(random.ladder(10), upright);
  const auto tilted = Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX()).toRotationMatrix();
  test::put_beside(m, in_space(random.ladder(10), tilted), "tilted.");
  test::put_beside(m, in_space(random.ladder(10), upright), "third.");
  return m;
}

TEST(Subsystems, OneForEachPlane) {
  const Model model(ladders());
  const auto choice = choice_of("recursive", model);
  const auto& subsystems = choice.subsystems;
  ASSERT_EQ(subsystems.size(), 2u);
  EXPECT_EQ(subsystems[0].subsystem.model.body_count(), 42);
  EXPECT_EQ(subsystems[1].subsystem.model.body_count(), 21);
  const auto formulation = make_formulation("recursive", model);
  EXPECT_NE(formulation->plan().find("planar pins"), std::string::npos) << formulation->plan();
  EXPECT_TRUE(choice_of("recursive", model, kInSpace).subsystems.empty());
  EXPECT_TRUE(choice_of("dense", model).subsystems.empty());
}

TEST(Subsystems, WithTheEnergiesOfAll) {
  const auto mechanism = ladders();
  const Model model(mechanism);
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  RandomMechanism random(3);
  const VectorXd q = random.vector(model.coordinate_count()),
                 p = random.vector(model.velocity_count());
  const StateView state{0.0, q.data(), p.data()};
  formulation->analyse(state, *workspace);
  ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
  const auto energies = formulation->energies(state, *workspace);
  ASSERT_TRUE(energies);
  const VectorXd v = test::rates("dense", model, 0.0, q, p).v;
  EXPECT_NEAR(energies->kinetic, 0.5 * p.dot(v), 1e-9 * energies->kinetic);
}

// A four-bar, which has a plane, beside a Bricard loop, which has none.
TEST(Subsystems, AreSimulatedAsOneMechanism) {
  auto m = test::shipped("bricard").mechanism();
  test::put_beside(m, test::shipped("four_bar_spatial").mechanism(), "four_bar.");
  m.sensors.clear();
  m.events.clear();
  const Model model(m);
  const auto run = [&](bool plane) {
    auto options = test::options("recursive", 1e-9);
    options.plane = plane;
    auto recording = Simulation(model, options).run_until(1.0, 0.0);
    EXPECT_EQ(recording.summary.plan.starts_with("subsystems: "), plane);
    EXPECT_LE(recording.summary.constraint.position_max, 1e-12);
    EXPECT_LE(recording.summary.energy.max_relative_error, 1e-7);
    return recording.samples.back();
  };
  EXPECT_LE(test::difference(run(true), run(false)), 1e-6);
}

TEST(Subsystems, WholesWithoutPlanesStayWhole) {
  RandomMechanism random(5);
  Mechanism m = random.make(SpaceKind::kSpatial, Topology::kSingleLoop);
  test::put_beside(m, random.make(SpaceKind::kSpatial, Topology::kChain), "b.");
  EXPECT_TRUE(choice_of("hdca", Model(m)).subsystems.empty());
}

}  // namespace
}  // namespace hamiltree
