// Planar linkages of revolute joints in kernels of their own: against the dense formulation, by
// every instruction set, in lanes and one by one.
#include "hamiltree/formulations/planar_loops/planar_loops.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/instruction_set.hpp"
#include "hamiltree/formulations/planar_loops/evaluation.hpp"
#include "hamiltree/formulations/planar_loops/in_parts.hpp"
#include "hamiltree/formulations/planar_loops/kernel_sets.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "support/planar_linkages.hpp"
#include "support/rates.hpp"
#include "support/same_motion.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {
namespace {

using Eigen::VectorXd;

constexpr FormulationOptions kOneByOne{.lanes = LaneChoice::kNever};
constexpr FormulationOptions kInLanes{.lanes = LaneChoice::kAlways};

std::size_t lane_groups_of(const Model& model, LaneChoice lanes = LaneChoice::kAuto) {
  const auto linkage = planar_loops::linkage_of(model, lanes);
  return linkage ? linkage->lane_groups.size() : 0;
}

// Far from any pose in which the loops are closed.
void expect_as_dense(const Model& model, PlanarLinkages& random, double tolerance) {
  ASSERT_TRUE(planar_loops::linkage_of(model, LaneChoice::kAuto));
  const VectorXd q = 3.0 * random.vector(model.coordinate_count());
  const VectorXd p = random.vector(model.velocity_count());
  const auto expected = rates("dense", model, 0.0, q, p);
  std::vector choices{FormulationOptions{}, kOneByOne};
  if (lane_groups_of(model, LaneChoice::kAlways) > 0) {
    choices.push_back(kInLanes);
  } else {
    EXPECT_THROW(make_formulation("recursive", model, kInLanes), UsageError);
  }
  for (const auto& options : choices) {
    SCOPED_TRACE("lanes " + to_name(options.lanes));
    const auto found = rates("recursive", model, 0.0, q, p, options);
    expect_near(found.v, expected.v, tolerance, "v");
    expect_near(found.q_dot, expected.q_dot, tolerance, "q_dot");
    expect_near(found.p_dot, expected.p_dot, tolerance, "p_dot");
    const StateView state{0.0, q.data(), p.data()};
    expect_near(felt(model, state, found.sigma), felt(model, state, expected.sigma), tolerance,
                "sigma");
  }
}

// Off the loops it matters which of redundant rows are chosen: two pins between two bodies.
bool is_redundant(const Model& model) {
  const auto formulation = make_formulation("hdca", model);
  const auto workspace = formulation->make_workspace();
  const VectorXd zero = VectorXd::Zero(model.velocity_count());
  return formulation->analyse({0.0, zero.data(), zero.data()}, *workspace).redundant > 0;
}

TEST(PlanarLoops, OfAnyGraphAreAsDense) {
  int hubs = 0, compared = 0;
  for (unsigned seed = 1; seed <= 800; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PlanarLinkages random(seed);
    const bool crowded = seed % 2 == 0;
    const int bodies = (crowded ? 18 : 3) + static_cast<int>(seed % 14);
    const Model model(crowded ? random.graph(bodies, 6, true)
                              : random.graph(bodies, 1 + (bodies - 3) / 4));
    if (model.loop_count() == 0 || is_redundant(model)) continue;
    ++compared;
    if (planar_loops::linkage_of(model, LaneChoice::kAuto)->rest.hub != planar_loops::kGround)
      ++hubs;
    expect_as_dense(model, random, 1e-8);
  }
  EXPECT_GT(compared, 200);
  EXPECT_GT(hubs, 10);
}

TEST(PlanarLoops, OfWindowsInARowAreAsDenseInLanes) {
  for (const int windows : {1, 2, 5, 7, 8, 9, 10, 17, 24, 33}) {
    SCOPED_TRACE(std::to_string(windows) + " windows");
    PlanarLinkages random(static_cast<unsigned>(windows));
    const Model model(random.ladder(windows));
    EXPECT_EQ(lane_groups_of(model) > 0, windows >= 8);
    EXPECT_EQ(lane_groups_of(model, LaneChoice::kNever), 0);
    expect_as_dense(model, random, 1e-8);
  }
}

TEST(PlanarLoops, OfLegsOnACrankAreAsDenseInLanes) {
  for (const int legs : {1, 2, 3, 5, 8, 9, 12, 19}) {
    for (const bool held : {false, true}) {
      SCOPED_TRACE(std::to_string(legs) + (held ? " legs, held" : " legs"));
      PlanarLinkages random(static_cast<unsigned>(legs));
      const Model model(random.legs(legs, held));
      EXPECT_EQ(lane_groups_of(model) > 0, legs >= 5);
      expect_as_dense(model, random, 1e-8);
    }
  }
}

// Behind their pins many cuts would be open.
TEST(PlanarLoops, OfGridsAreAsDenseWithLoosePins) {
  for (const auto& [columns, rows] : {std::pair{3, 6}, {4, 9}, {9, 5}}) {
    SCOPED_TRACE(std::to_string(columns) + " x " + std::to_string(rows));
    PlanarLinkages random(static_cast<unsigned>(columns));
    const Model model(random.grid(columns, rows));
    const auto loose_pins = [&](LaneChoice lanes) {
      const auto linkage = planar_loops::linkage_of(model, lanes);
      auto count = linkage->rest.cuts.size() - linkage->rest.loop_cuts;
      for (const auto& [group, cuts] : linkage->lane_groups)
        count += group.cuts.size() - group.loop_cuts;
      return count;
    };
    EXPECT_GT(loose_pins(LaneChoice::kNever), 0U);
    EXPECT_GT(loose_pins(LaneChoice::kAlways), 0U);
    if (columns > 4) {
      EXPECT_GT(lane_groups_of(model, LaneChoice::kAlways), 0U);
    }
    expect_as_dense(model, random, 1e-8);
  }
}

// Steps that close gaps, with and without motion, are those of dense.
TEST(PlanarLoops, CloseGapsAsDense) {
  for (const int windows : {3, 20}) {
    PlanarLinkages random(5);
    const Model model(random.ladder(windows));
    const VectorXd q = random.vector(model.coordinate_count());
    const VectorXd p = random.vector(model.velocity_count());
    const VectorXd phi = random.vector(model.constraint_count());
    const StateView state{0.0, q.data(), p.data()};
    const auto velocities = [&](const char* name) {
      const auto formulation = make_formulation(name, model);
      const auto workspace = formulation->make_workspace();
      formulation->analyse(state, *workspace);
      EXPECT_EQ(formulation->velocities(state, phi.data(), *workspace), Status::kOk);
      VectorXd both(model.velocity_count() + model.constraint_count());
      both << to_vector(workspace->v), to_vector(workspace->sigma);
      // Gaps of one call are no gaps of the next.
      EXPECT_EQ(formulation->velocities(state, nullptr, *workspace), Status::kOk);
      EXPECT_GT((to_vector(workspace->v) - both.head(model.velocity_count())).norm(), 1e-3);
      return both;
    };
    expect_near(velocities("recursive"), velocities("dense"), 1e-9, "v and sigma");
  }
}

// The general kernel takes the leaky gauge.
TEST(PlanarLoops, LeakAsDense) {
  PlanarLinkages random(7);
  const Model model(random.ladder(4));
  const VectorXd q = random.vector(model.coordinate_count());
  const VectorXd p = random.vector(model.velocity_count());
  const StateView state{0.0, q.data(), p.data()};
  const auto leaky = [&](const char* name) {
    const auto formulation = make_formulation(name, model);
    const auto workspace = formulation->make_workspace();
    workspace->leak = 3.0;
    formulation->analyse(state, *workspace);
    EXPECT_EQ(formulation->rate(state, *workspace), Status::kOk);
    return VectorXd(to_vector(workspace->u_dot));
  };
  expect_near(leaky("recursive"), leaky("dense"), 1e-9, "p_dot");
}

// A reset keeps the motion, with the momenta and the rates that it has without impulses, one by
// one, in lanes, with loose pins, on hubs, and within a plane of space.
void expect_reset(const Model& model, PlanarLinkages& random) {
  const VectorXd q = 3.0 * random.vector(model.coordinate_count());
  const VectorXd p = random.vector(model.velocity_count());
  const StateView state{0.0, q.data(), p.data()};
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  const auto probe = make_probe(model);
  formulation->analyse(state, *workspace);
  for (const bool after_rate : {false, true}) {
    ASSERT_EQ(after_rate ? formulation->rate(state, *workspace)
                         : formulation->velocities(state, nullptr, *workspace),
              Status::kOk);
    VectorXd found = p, expected = p;
    ASSERT_TRUE(formulation->reset(state, found.data(), *workspace));
    probe->set(0.0, q.data(), workspace->v.data());
    probe->momenta(expected.data());
    expect_near(found, expected, 1e-12, "p");
    const auto rate = rates("dense", model, 0.0, q, expected);
    expect_near(to_vector(workspace->v), rate.v, 1e-8, "v");
    expect_near(to_vector(workspace->u_dot), rate.p_dot, 1e-8, "p_dot");
    for (const double impulse : workspace->sigma) EXPECT_EQ(impulse, 0.0);
  }
}

TEST(PlanarLoops, AreResetToTheMomentaOfTheirMotion) {
  PlanarLinkages random(17);
  for (const int windows : {2, 12}) expect_reset(Model(random.ladder(windows)), random);
  for (const int legs : {3, 9}) expect_reset(Model(random.legs(legs, false)), random);
  expect_reset(Model(random.grid(4, 9)), random);
  auto sprung = random.ladder(3);
  sprung.add(JointSpringDamper{Model(sprung).joint_name(1), 3.0, 0.2, 0.4, {}});
  expect_reset(Model(sprung), random);
  expect_reset(shipped("four_bar_spatial"), random);
}

TEST(PlanarLoops, TellTheirEnergies) {
  PlanarLinkages random(11);
  const Model model(random.ladder(12));
  ASSERT_GT(lane_groups_of(model), 0);
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  const auto probe = make_probe(model);
  // Potential energies are told less a constant.
  std::vector<double> apart;
  for (int trial = 0; trial < 2; ++trial) {
    const VectorXd q = random.vector(model.coordinate_count());
    const VectorXd p = random.vector(model.velocity_count());
    const StateView state{0.0, q.data(), p.data()};
    formulation->analyse(state, *workspace);
    ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
    const auto energies = formulation->energies(state, *workspace);
    ASSERT_TRUE(energies);
    probe->set(0.0, q.data(), workspace->v.data());
    EXPECT_NEAR(energies->kinetic, probe->kinetic_energy(), 1e-11 * energies->kinetic);
    apart.push_back(energies->potential - probe->potential_energy());
  }
  EXPECT_NEAR(apart[0], apart[1], 1e-10);
}

// Efforts along joints of the tree are added to the rates.
TEST(PlanarLoops, FeelEffortsAlongTheirJoints) {
  PlanarLinkages random(13);
  auto mechanism = random.ladder(9);
  const Model bare(mechanism);
  const std::string joint = bare.joint_name(1);
  mechanism.add(JointSpringDamper{joint, 3.0, 0.2, 0.4, {}});
  mechanism.add(Actuator{"motor", joint, Sine{0.3, 1.1, 0.8, 0.2}, {}});
  const Model model(mechanism);
  ASSERT_GT(lane_groups_of(model), 0);
  expect_as_dense(model, random, 1e-8);
}

// Every set of instructions to rounding, and what is not finite is said.
TEST(PlanarLoops, AreTheSameByAllInstructionSets) {
  PlanarLinkages random(17);
  for (const auto& mechanism : {random.ladder(20), random.legs(9, true), random.graph(9, 3)}) {
    const Model model(mechanism);
    const auto linkage = planar_loops::linkage_of(model, LaneChoice::kAuto);
    ASSERT_TRUE(linkage);
    const VectorXd q = random.vector(model.coordinate_count());
    const VectorXd p = random.vector(model.velocity_count());
    const auto n = model.velocity_count();
    VectorXd first;
    for (const auto set : kInstructionSets) {
      if (!has(set)) continue;
      const auto& kernels = *planar_loops::kKernelSets[static_cast<std::size_t>(set)];
      planar_loops::PartsWork work(*linkage);
      VectorXd all = VectorXd::Zero(2 * n + model.constraint_count());
      const planar_loops::Arrays state{.q = q.data(),
                                       .p = p.data(),
                                       .v = all.data(),
                                       .sigma = all.data() + 2 * n,
                                       .p_dot = all.data() + n};
      EXPECT_TRUE(planar_loops::find_velocities(kernels, *linkage, state, work));
      EXPECT_TRUE(planar_loops::find_momentum_rates(kernels, *linkage, state, work));
      if (set == InstructionSet::kBaseline) first = all;
      expect_near(all, first, 1e-8, std::string(to_name(set)));
      for (Eigen::Index k = 0; k < n; ++k) {
        VectorXd broken = p;
        broken(k) = std::nan("");
        auto with_nan = state;
        with_nan.p = broken.data();
        planar_loops::find_velocities(kernels, *linkage, with_nan, work);
        EXPECT_FALSE(planar_loops::find_momentum_rates(kernels, *linkage, with_nan, work)) << k;
      }
    }
  }
}

// Bars along x of pins in a row.
class Bars {
 public:
  Bars() {
    mechanism.name = "bars";
    mechanism.space = SpaceKind::kPlanar;
    mechanism.gravity = {0.0, -9.81, 0.0};
  }
  void bar(const std::string& name) {
    BodyDescription body;
    body.name = name;
    body.mass = 1.0;
    body.com = {0.5, 0.0, 0.0};
    body.inertia = Eigen::Matrix3d::Identity() / 12.0;
    mechanism.add(body);
  }
  void pin(const std::string& parent, const std::string& child, double at_parent,
           double at_child = 0.0) {
    JointDescription joint;
    joint.name = parent + "_" + child;
    joint.parent = parent;
    joint.child = child;
    joint.at_parent.position.x() = at_parent;
    joint.at_child.position.x() = at_child;
    mechanism.add(joint);
  }

  Mechanism mechanism;
};

// A third bar between two that are parallel is redundant. The general kernel chooses among its
// rows; one that is masked would be said to be near-singular.
TEST(PlanarLoops, LeaveRedundantRowsToTheGeneralKernel) {
  Bars bars;
  bars.bar("coupler");
  for (int i = 0; i < 3; ++i) {
    const std::string name = "bar_" + std::to_string(i);
    bars.bar(name);
    bars.pin(kGround, name, 0.5 * i);
    bars.pin(name, "coupler", 1.0, 0.5 * i);
  }
  const Model model(bars.mechanism);
  ASSERT_TRUE(planar_loops::linkage_of(model, LaneChoice::kAuto));
  VectorXd q(model.coordinate_count());
  for (int b = 0; b < model.body_count(); ++b)
    q[b] = model.joint_name(b).starts_with(kGround) ? 1.0 : -1.0;
  PlanarLinkages random(23);
  const VectorXd p = random.vector(model.velocity_count());
  const StateView state{0.0, q.data(), p.data()};
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  EXPECT_EQ(formulation->analyse(state, *workspace).redundant, 1);
  EXPECT_EQ(formulation->rate(state, *workspace), Status::kOk);
  EXPECT_TRUE(formulation->singular_joints(*workspace).empty());
  expect_near(to_vector(workspace->v), rates("dense", model, 0.0, q, p).v, 1e-11, "v");
}

// A coupler in line with its rocker closes no loop while the crank is held, which is the hub: it is
// closed as if there were none.
TEST(PlanarLoops, CloseLoopsAtDeadCentres) {
  Bars bars;
  bars.bar("crank");
  bars.pin(kGround, "crank", 0.0);
  constexpr int kDyads = 5;
  for (int k = 0; k < kDyads; ++k) {
    const std::string coupler = "coupler_" + std::to_string(k);
    const std::string rocker = "rocker_" + std::to_string(k);
    bars.bar(coupler);
    bars.pin("crank", coupler, 0.5 + 0.1 * k);
    bars.bar(rocker);
    bars.pin(kGround, rocker, 1.5);
    bars.pin(rocker, coupler, 1.0, 1.0);
  }
  const Model model(bars.mechanism);
  ASSERT_NE(planar_loops::linkage_of(model, LaneChoice::kAuto)->rest.hub, planar_loops::kGround);
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  PlanarLinkages random(19);
  const VectorXd p = random.vector(model.velocity_count());
  for (const double off : {0.5, 1e-2, 1e-4, 1e-6, 1e-9, 0.0}) {
    SCOPED_TRACE(off);
    constexpr double kCrank = 0.8;
    VectorXd q(model.coordinate_count());
    for (int b = 0; b < model.body_count(); ++b) {
      const auto& joint = model.joint_name(b);
      const double k = joint.back() - '0';
      q[b] = joint == "ground_crank"       ? kCrank
             : joint.starts_with("crank_") ? 2.0 + k + (k == 3.0 ? off : 0.3) - kCrank
                                           : 2.0 + k;
    }
    const StateView state{0.0, q.data(), p.data()};
    if (off == 0.5) formulation->analyse(state, *workspace);
    ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
    const auto expected = rates("dense", model, 0.0, q, p);
    expect_near(to_vector(workspace->v), expected.v, 1e-9, "v");
    expect_near(to_vector(workspace->u_dot), expected.p_dot, 1e-9, "p_dot");
    EXPECT_TRUE(formulation->singular_joints(*workspace).empty());
  }
}

// All loops flat, in the pose where a window may go either way: the same joints as by others.
TEST(PlanarLoops, SayWhereTheyAreSingular) {
  for (const int windows : {2, 10}) {
    Bars bars;
    for (int i = 0; i <= windows; ++i) {
      bars.bar("crank_" + std::to_string(i));
      bars.pin(kGround, "crank_" + std::to_string(i), i);
    }
    for (int i = 0; i < windows; ++i) {
      const std::string coupler = "coupler_" + std::to_string(i);
      bars.bar(coupler);
      bars.pin("crank_" + std::to_string(i), coupler, 1.0);
      bars.pin("crank_" + std::to_string(i + 1), coupler, 1.0, 1.0);
    }
    const Model model(bars.mechanism);
    EXPECT_EQ(lane_groups_of(model) > 0, windows == 10);
    const auto formulation = make_formulation("recursive", model);
    const auto workspace = formulation->make_workspace();
    for (const double angle : {1.0, 0.0}) {
      // Tree joints of couplers stand against their cranks.
      VectorXd q(model.coordinate_count());
      for (int b = 0; b < model.body_count(); ++b)
        q[b] = model.joint_name(b).starts_with(kGround) ? angle : -angle;
      const VectorXd p = VectorXd::Zero(q.size());
      const StateView state{0.0, q.data(), p.data()};
      if (angle == 1.0) formulation->analyse(state, *workspace);
      ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
      EXPECT_EQ(formulation->singular_joints(*workspace).size(),
                angle == 1.0 ? 0U : static_cast<std::size_t>(windows));
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
