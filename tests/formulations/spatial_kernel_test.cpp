// The kernel in world axes under every instruction set: it gives what the dense formulation gives
// on random mechanisms of every topology, closes loops onto given gaps, and leaves to the general
// kernel what it says it leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/kernel/compile.hpp"
#include "hamiltree/formulations/kernel/kernel_sets.hpp"
#include "hamiltree/model/lifted.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/condition.hpp"
#include "support/random_mechanism.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using InSpace = System<Spatial<double>>;
using test::RandomMechanism;

constexpr std::uint64_t kSeed = 20261123;

struct Set {
  std::string name;
  const kernel::Kernels* kernels;
};

std::vector<Set> sets_of_this_machine() {
  std::vector<Set> sets;
  for (const auto set : kInstructionSets) {
    if (has(set))
      sets.push_back(
          {std::string(to_name(set)), kernel::kKernelSets[static_cast<std::size_t>(set)]});
  }
  return sets;
}

struct Result {
  std::vector<double> v, q_dot, sigma, p_dot;
  bool held = false;
};

// By one set, of a system without forces, with open rows in as many lanes as the tables say.
Result evaluate(const kernel::Kernels& kernels, const kernel::Tables& tables, const double* q,
                const double* p, const double* phi) {
  Result result{
      std::vector<double>(at(tables.velocities)), std::vector<double>(at(tables.coordinates)),
      std::vector<double>(at(tables.constraints)), std::vector<double>(at(tables.velocities))};
  kernel::Work work(tables);
  work.mask = 1e-12;
  const kernel::Arrays arrays{.q = q,
                              .p = p,
                              .phi = phi,
                              .loads = nullptr,
                              .v = result.v.data(),
                              .q_dot = result.q_dot.data(),
                              .sigma = result.sigma.data(),
                              .p_dot = result.p_dot.data()};
  kernels.place(tables, arrays, work);
  kernels.velocities(tables, arrays, work);
  result.held = work.held;
  if (!work.held && phi == nullptr) kernels.momentum_rates(tables, arrays, work);
  return result;
}

double difference(const std::vector<double>& x, const std::vector<double>& y, double size) {
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    size = std::max(size, std::abs(y[i]));
    most = std::max(most, std::abs(x[i] - y[i]));
    if (!std::isfinite(x[i])) return 1e300;
  }
  return size > 0.0 ? most / size : 0.0;
}

struct Counts {
  int compared = 0, held = 0, in_sixteen = 0, too_many_rows = 0;
  double worst = 0.0;  // of the tolerances

  void print() const {
    std::printf(
        "from seed %llu: %d compared, %d held, %d in sixteen lanes, %d with too many rows, worst "
        "%.2g\n",
        static_cast<unsigned long long>(kSeed), compared, held, in_sixteen, too_many_rows, worst);
  }
};

InSpace for_kernel(const InSpace& system) { return system; }
InSpace for_kernel(const System<Planar<double>>& system) { return lifted(system); }

// At a pose and momenta of `random`, unless the kernel does not know the system or the pose is near
// a singular one; wide: in sixteen lanes, which are enough for any that need eight.
template <class Space>
void compare_system_with_dense(const Model& model, const System<Space>& said,
                               RandomMechanism& random, bool wide, Counts& counts) {
  const auto system = for_kernel(said);
  if (!kernel::foreign_joint(system).empty() || !system.drives.empty()) return;
  const Eigen::VectorXd q = random.closed_pose(model, said), p = random.vector(system.velocities);
  const Dense<Space> dense(said);
  typename Dense<Space>::Work work(dense);
  dense.velocities(0.0, q.data(), p.data(), nullptr, work);
  dense.momentum_rates(0.0, q.data(), work);
  const double condition = test::scaled_condition(work.augmented.M, work.augmented.A);
  if (!(condition <= 1e6)) return;
  Kinematics<Spatial<double>> kin(system);
  place(system, 0.0, q.data(), kin);
  auto tables = kernel::compile(system, std::vector<bool>(at(system.constraints), true), kin);
  if (!tables) {
    ++counts.too_many_rows;
    return;
  }
  counts.in_sixteen += tables->lanes == kernel::kMostLanes;
  if (wide) tables->lanes = kernel::kMostLanes;
  const auto rates = work.result;
  const Eigen::VectorXd phi = 1e-3 * random.vector(system.constraints), none = 0.0 * p;
  dense.velocities(0.0, q.data(), none.data(), phi.data(), work);
  const double tolerance = 1e-13 * condition + 1e-11;
  const double speed = p.norm() / work.augmented.M.diagonal().maxCoeff();
  for (const auto& [name, kernels] : sets_of_this_machine()) {
    SCOPED_TRACE(name);
    const auto result = evaluate(*kernels, *tables, q.data(), p.data(), nullptr);
    counts.held += result.held;
    if (result.held) continue;
    ++counts.compared;
    const double error = std::max({difference(result.v, rates.v, speed),
                                   difference(result.q_dot, rates.q_dot, speed),
                                   difference(result.sigma, rates.sigma, p.norm()),
                                   difference(result.p_dot, rates.p_dot, p.norm())});
    counts.worst = std::max(counts.worst, error / tolerance);
    EXPECT_LE(error, tolerance);
    const auto step = evaluate(*kernels, *tables, q.data(), none.data(), phi.data());
    EXPECT_LE(difference(step.v, work.result.v, phi.norm()), tolerance) << "projection";
  }
}
void compare_with_dense(const Model& model, RandomMechanism& random, bool wide, Counts& counts) {
  model.visit([&](const auto& system) {
    compare_system_with_dense(model, system.without_forces(), random, wide, counts);
  });
}

class SpatialKernel : public testing::TestWithParam<test::Topology> {};

TEST_P(SpatialKernel, AgreesWithTheDenseFormulationUnderEveryInstructionSet) {
  Counts counts;
  for (std::uint64_t i = 0; i < 150; ++i) {
    const auto seed = kSeed + 10000 * static_cast<std::uint64_t>(GetParam()) + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(test::cut_where_closed(random.make(
        SpaceKind::kSpatial, GetParam(), i % 2 == 0 ? test::Extent::kBasic : test::Extent::kFull)));
    compare_with_dense(model, random, i % 3 == 0, counts);
  }
  counts.print();
  EXPECT_GT(counts.compared, 50);
  EXPECT_EQ(counts.held, 0);
}

// With the rows of the plane alone.
TEST_P(SpatialKernel, TakesPlanarMechanisms) {
  Counts counts;
  for (std::uint64_t i = 0; i < 150; ++i) {
    const auto seed = kSeed + 10000 * static_cast<std::uint64_t>(GetParam()) + 2000 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(test::cut_where_closed(random.make(
        SpaceKind::kPlanar, GetParam(), i % 2 == 0 ? test::Extent::kBasic : test::Extent::kFull)));
    compare_with_dense(model, random, i % 3 == 0, counts);
  }
  counts.print();
  EXPECT_GT(counts.compared, 50);
  EXPECT_EQ(counts.held, 0);
}

// Bodies without inertia carry others, or are tips that loops hold and the kernel does not take.
TEST_P(SpatialKernel, TakesBodiesWithoutInertiaThatCarryOthers) {
  Counts counts;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto seed = kSeed + 10000 * static_cast<std::uint64_t>(GetParam()) + 1000 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    auto mechanism = random.make(SpaceKind::kSpatial, GetParam(), test::Extent::kBasic);
    random.make_light(mechanism);
    const Model model(i % 2 == 0 ? mechanism : test::cut_where_closed(mechanism));
    if (std::get<InSpace>(model.tables()).ballasted.empty()) continue;
    compare_with_dense(model, random, i % 3 == 0, counts);
  }
  counts.print();
  EXPECT_GT(counts.compared, 30 * static_cast<int>(sets_of_this_machine().size()));
  EXPECT_LT(counts.held, 2 * counts.compared);
}

struct Machine {
  const char* name;
  int most_open;  // rows at one joint
};
std::ostream& operator<<(std::ostream& out, const Machine& machine) { return out << machine.name; }

class Machines : public testing::TestWithParam<Machine> {};

// A shipped machine at its start, with any momenta, so that its loops carry impulses.
struct Start {
  explicit Start(const std::string& name) : Start(test::shipped(name)) {}
  explicit Start(Model of)
      : model(std::move(of)),
        system(std::get<InSpace>(model.tables())),
        random(kSeed),
        q(initial_state(model).q),
        p(random.vector(system.velocities)) {}
  StateView view() const { return {0.0, q.data(), p.data()}; }

  Model model;
  const InSpace& system;
  RandomMechanism random;
  Eigen::VectorXd q, p;
};

struct Evaluated {
  Result result;
  std::string plan;
};
Evaluated by_formulation(const char* name, const Start& start) {
  const auto formulation = make_formulation(name, start.model, {.plane = false});
  const auto workspace = formulation->make_workspace();
  formulation->analyse(start.view(), *workspace);
  EXPECT_EQ(formulation->rate(start.view(), *workspace), Status::kOk);
  const auto copy = [](std::span<const double> x) {
    return std::vector<double>(x.begin(), x.end());
  };
  return {
      {copy(workspace->v), copy(workspace->q_dot), copy(workspace->sigma), copy(workspace->u_dot)},
      formulation->plan()};
}

void expect_same(const Evaluated& found, const Evaluated& expected, double tolerance) {
  EXPECT_LE(difference(found.result.v, expected.result.v, 0.0), tolerance);
  EXPECT_LE(difference(found.result.q_dot, expected.result.q_dot, 0.0), tolerance);
  EXPECT_LE(difference(found.result.p_dot, expected.result.p_dot, 0.0), tolerance);
}

TEST_P(Machines, AgreeWithTheDenseFormulation) {
  const Start start(GetParam().name);
  const auto found = by_formulation("recursive", start);
  EXPECT_NE(found.plan.find("in world axes"), std::string::npos) << found.plan;
  expect_same(found, by_formulation("dense", start), 1e-12);
}

// With all rows of excavators in use, those that pins which stay parallel never feel would be open.
TEST_P(Machines, HaveFewRowsOpen) {
  const Start start(GetParam().name);
  std::vector<bool> in_use(at(start.system.constraints), true);
  if (std::string(GetParam().name) == "excavator") {
    for (std::size_t row = 0; row < in_use.size(); ++row) in_use[row] = row % 5 < 2;
  }
  Kinematics<Spatial<double>> kin(start.system);
  place(start.system, 0.0, start.q.data(), kin);
  const auto tables = kernel::compile(start.system, in_use, kin);
  ASSERT_TRUE(tables);
  int most = 0;
  for (const auto& body : tables->bodies) most = std::max(most, body.open);
  EXPECT_EQ(most, GetParam().most_open);
}

INSTANTIATE_TEST_SUITE_P(Shipped, Machines,
                         testing::Values(Machine{"stewart", 3}, Machine{"delta", 6},
                                         Machine{"suspension", 6}, Machine{"excavator", 4},
                                         Machine{"biped", 6}),
                         [](const auto& info) { return std::string(info.param.name); });

// p becomes the momenta of the motion that it is, without impulses in loops: rates then do not
// depend on which of redundant rows are in use. v: velocities of the joints.
void clean(Start& start, std::span<const double> v) {
  Kinematics<Spatial<double>> kin(start.system);
  place(start.system, 0.0, start.q.data(), kin);
  move(start.system, v.data(), kin);
  momenta(start.system, kin, start.p.data());
}

class ShippedMachines : public testing::TestWithParam<const char*> {};

TEST_P(ShippedMachines, AgreeWithTheDenseFormulation) {
  Start start(GetParam());
  clean(start, by_formulation("dense", start).result.v);
  const auto found = by_formulation("recursive", start);
  EXPECT_NE(found.plan.find("in world axes"), std::string::npos) << found.plan;
  expect_same(found, by_formulation("dense", start), 1e-12);
}

TEST_P(ShippedMachines, AreResetToTheMomentaOfTheirMotion) {
  Start start(GetParam());
  const auto formulation = make_formulation("recursive", start.model, {.plane = false});
  const auto workspace = formulation->make_workspace();
  formulation->analyse(start.view(), *workspace);
  ASSERT_EQ(formulation->velocities(start.view(), nullptr, *workspace), Status::kOk);
  const std::vector<double> v(workspace->v.begin(), workspace->v.end());
  Eigen::VectorXd p = start.p;
  ASSERT_TRUE(formulation->reset(start.view(), p.data(), *workspace));
  const std::vector<double> p_dot(workspace->u_dot.begin(), workspace->u_dot.end());
  clean(start, v);
  const double size = start.p.norm();
  EXPECT_LE((p - start.p).norm(), 1e-13 * size);
  for (const double impulse : workspace->sigma) EXPECT_EQ(impulse, 0.0);
  const auto rate = by_formulation("dense", start).result;
  // Any momenta turn the ring's hubs, of a centimetre, far faster than its loops let them.
  const double tolerance = GetParam() == std::string("deployable_ring") ? 1e-10 : 1e-12;
  EXPECT_LE(difference(v, rate.v, 0.0), tolerance);
  EXPECT_LE(difference(p_dot, rate.p_dot, 0.0), tolerance);
}

// Bodies and joints as the model's own kinematics has them.
void expect_frames(const InSpace& system, const Eigen::VectorXd& q,
                   const Kinematics<Spatial<double>>& found) {
  Kinematics<Spatial<double>> kin(system);
  place(system, 0.0, q.data(), kin);
  const double tolerance = 1e-13 * (1.0 + system.length);
  const auto expect_pose = [&](const Pose<Spatial<double>>& X, const Pose<Spatial<double>>& same) {
    EXPECT_LE((X.R - same.R).norm(), 1e-13);
    EXPECT_LE((X.r - same.r).norm(), tolerance);
  };
  for (std::size_t b = 0; b < kin.X_WB.size(); ++b) expect_pose(found.X_WB[b], kin.X_WB[b]);
  for (std::size_t j = 0; j < kin.joints.size(); ++j) {
    SCOPED_TRACE(j);
    expect_pose(found.joints[j].X_WJ, kin.joints[j].X_WJ);
  }
}

TEST_P(ShippedMachines, ShowTheFramesOfTheModel) {
  const Start start(GetParam());
  const auto formulation = make_formulation("recursive", start.model, {.plane = false});
  const auto workspace = formulation->make_workspace();
  formulation->analyse(start.view(), *workspace);
  const auto* kin = formulation->placed(start.view(), *workspace);
  ASSERT_NE(kin, nullptr);
  expect_frames(start.system, start.q, *kin);
}

// Every joint, in the tree either way round and closing loops.
TEST_P(SpatialKernel, ShowsTheFramesOfTheModel) {
  int compared = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto seed = kSeed + 10000 * static_cast<std::uint64_t>(GetParam()) + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    const Model model(test::cut_where_closed(random.make(
        SpaceKind::kSpatial, GetParam(), i % 2 == 0 ? test::Extent::kBasic : test::Extent::kFull)));
    const auto& system = std::get<InSpace>(model.tables());
    const Eigen::VectorXd q = random.closed_pose(model, system),
                          p = random.vector(system.velocities);
    const auto formulation = make_formulation("recursive", model, {.plane = false});
    const auto workspace = formulation->make_workspace();
    const StateView state{0.0, q.data(), p.data()};
    formulation->analyse(state, *workspace);
    const auto* kin = formulation->placed(state, *workspace);
    if (kin == nullptr) continue;
    ++compared;
    expect_frames(system, q, *kin);
  }
  EXPECT_GE(compared, 10);
}

// Where it was asked for all poses, velocities there place nothing again, and elsewhere do.
TEST_P(ShippedMachines, ArePlacedAnewWhereTheyHaveMoved) {
  Start start(GetParam());
  const auto formulation = make_formulation("recursive", start.model, {.plane = false});
  const auto used = formulation->make_workspace(), fresh = formulation->make_workspace();
  formulation->analyse(start.view(), *used);
  formulation->analyse(start.view(), *fresh);
  const Eigen::VectorXd phi = 1e-3 * start.random.vector(start.system.constraints);
  const auto expect_same_as_fresh = [&](const double* gaps) {
    ASSERT_EQ(formulation->velocities(start.view(), gaps, *used), Status::kOk);
    ASSERT_EQ(formulation->velocities(start.view(), gaps, *fresh), Status::kOk);
    EXPECT_TRUE(std::ranges::equal(used->v, fresh->v));
    const auto &kin = *formulation->moved(*used), &expected = *formulation->moved(*fresh);
    for (std::size_t b = 0; b < kin.X_WB.size(); ++b) {
      EXPECT_EQ(kin.X_WB[b].r, expected.X_WB[b].r);
      EXPECT_EQ(kin.V_WB[b], expected.V_WB[b]);
    }
  };
  ASSERT_NE(formulation->placed(start.view(), *used), nullptr);
  expect_same_as_fresh(nullptr);
  expect_same_as_fresh(phi.data());
  start.q(start.q.size() - 1) += 1e-3;
  expect_same_as_fresh(phi.data());
  ASSERT_NE(formulation->placed(start.view(), *used), nullptr);
  start.q(0) += 1e-3;
  expect_same_as_fresh(nullptr);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedMachines,
                         testing::Values("stewart", "delta", "suspension", "excavator", "biped",
                                         "hexapod", "spherical_3rrr", "sarrus", "motorcycle",
                                         "pantograph_leg", "planetary_gear", "backhoe",
                                         "deployable_ring", "scissor_lift", "hand"),
                         [](const auto& info) { return std::string(info.param); });

// Four-bars in a row, of bars of any length, the pins along z.
Mechanism ladder(int windows) {
  RandomMechanism random(kSeed);
  Mechanism mechanism;
  mechanism.gravity = {0, -9.81, 0};
  const auto add_bar = [&](const std::string& name) {
    BodyDescription bar;
    bar.name = name;
    bar.mass = random.uniform(0.5, 1.5);
    bar.com = {random.uniform(0.3, 0.6), random.uniform(-0.1, 0.1), 0};
    bar.inertia = Eigen::Vector3d(0.001, 0.1, 0.1).asDiagonal();
    mechanism.add(bar);
    return name;
  };
  const auto add_pin = [&](const std::string& parent, const std::string& child, double at_parent,
                           double at_child, double q) {
    JointDescription pin;
    pin.name = parent + " to " + child;
    pin.parent = parent;
    pin.child = child;
    pin.at_parent.position.x() = at_parent;
    pin.at_child.position.x() = at_child;
    pin.initial_q = Eigen::VectorXd::Constant(1, q);
    mechanism.add(pin);
  };
  const double angle = 1.0;
  const auto crank = [](int i) { return "crank " + std::to_string(i); };
  for (int i = 0; i <= windows; ++i) add_pin(kGround, add_bar(crank(i)), i, 0.0, angle);
  for (int i = 0; i < windows; ++i) {
    const auto coupler = add_bar("coupler " + std::to_string(i));
    add_pin(crank(i), coupler, 1.0, 0.0, -angle);
    add_pin(crank(i + 1), coupler, 1.0, 1.0, -angle);
  }
  return mechanism;
}

// Each window closes at the next crank, at most two rows are open anywhere.
TEST(SpatialKernelOfLadders, TakesAnyNumberOfWindows) {
  for (const int windows : {10, 120}) {
    SCOPED_TRACE(windows);
    Start start{Model(ladder(windows))};
    const auto formulation = make_formulation("recursive", start.model, {.plane = false});
    const auto workspace = formulation->make_workspace();
    formulation->analyse(start.view(), *workspace);
    ASSERT_EQ(formulation->velocities(start.view(), nullptr, *workspace), Status::kOk);
    EXPECT_NE(formulation->moved(*workspace), nullptr) << "by the general kernel";
    clean(start, workspace->v);
    expect_same(by_formulation("recursive", start), by_formulation("dense", start), 1e-12);
    std::vector<bool> in_use(at(start.system.constraints));
    for (std::size_t row = 0; row < in_use.size(); ++row) in_use[row] = row % 5 < 2;
    Kinematics<Spatial<double>> kin(start.system);
    place(start.system, 0.0, start.q.data(), kin);
    const auto tables = kernel::compile(start.system, in_use, kin);
    ASSERT_TRUE(tables);
    for (const auto& body : tables->bodies) EXPECT_LE(body.open, 2);
  }
}

// Rows of moments of its small hubs open ten thousand times as fast as those of forces: each are
// compared with their like.
TEST(SpatialKernelOfTheDeployableRing, HasSixteenLanesAndHoldsNone) {
  const Start start("deployable_ring");
  const auto formulation = make_formulation("recursive", start.model, {.plane = false});
  const auto workspace = formulation->make_workspace();
  formulation->analyse(start.view(), *workspace);
  formulation->rate(start.view(), *workspace);
  std::vector<bool> in_use;
  for (const double impulse : workspace->sigma) in_use.push_back(impulse != 0.0);
  Kinematics<Spatial<double>> kin(start.system);
  place(start.system, 0.0, start.q.data(), kin);
  const auto tables = kernel::compile(start.system, in_use, kin);
  ASSERT_TRUE(tables);
  EXPECT_EQ(tables->lanes, kernel::kMostLanes);
  for (const auto& [name, kernels] : sets_of_this_machine()) {
    SCOPED_TRACE(name);
    EXPECT_FALSE(evaluate(*kernels, *tables, start.q.data(), start.p.data(), nullptr).held);
  }
}

// Two chains of balls, each link held to its neighbour in the other chain by a ball: all these rows
// are open at the first joints.
Mechanism held_chains(int links) {
  RandomMechanism random(kSeed);
  Mechanism mechanism;
  mechanism.gravity = {0, 0, -9.81};
  const auto point = [&](double x) {
    return Eigen::Vector3d(x, random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
  };
  const auto add_ball = [&](const std::string& name, const std::string& parent,
                            const Eigen::Vector3d& at_parent, const std::string& child,
                            const Eigen::Vector3d& at_child) {
    JointDescription ball;
    ball.name = name;
    ball.type = JointType::kSpherical;
    ball.parent = parent;
    ball.child = child;
    ball.at_parent.position = at_parent;
    ball.at_child.position = at_child;
    ball.cut = name.front() == 'C';
    mechanism.add(ball);
  };
  std::vector<std::array<Eigen::Vector3d, 2>> origins;
  for (int i = 0; i < links; ++i) {
    origins.push_back({point(i), point(i)});
    for (const std::size_t side : {0u, 1u}) {
      BodyDescription link;
      link.name = (side == 0 ? "A" : "B") + std::to_string(i);
      link.mass = random.uniform(0.5, 1.5);
      link.com = point(0.5);
      link.inertia = Eigen::Vector3d(0.1, 0.2, 0.15).asDiagonal();
      mechanism.add(link);
      const auto parent = i == 0 ? kGround : link.name.substr(0, 1) + std::to_string(i - 1);
      const auto from = i == 0 ? Eigen::Vector3d::Zero().eval() : origins[origins.size() - 2][side];
      add_ball("joint of " + link.name, parent, origins.back()[side] - from, link.name, {0, 0, 0});
    }
    const auto held = point(i + 1.0);
    add_ball("C" + std::to_string(i), "A" + std::to_string(i), held - origins.back()[0],
             "B" + std::to_string(i), held - origins.back()[1]);
  }
  return mechanism;
}

TEST(SpatialKernelOfHeldChains, LeavesMoreThanSixteenOpenRowsToTheGeneralKernel) {
  for (const int links : {2, 5, 6}) {
    SCOPED_TRACE(links);
    Start start{Model(held_chains(links))};
    const auto formulation = make_formulation("recursive", start.model, {.plane = false});
    const auto workspace = formulation->make_workspace();
    formulation->analyse(start.view(), *workspace);
    ASSERT_EQ(formulation->rate(start.view(), *workspace), Status::kOk);
    const bool by_general = formulation->moved(*workspace) == nullptr;
    EXPECT_EQ(by_general, 3 * links > kernel::kMostLanes);
    expect_same(by_formulation("recursive", start), by_formulation("dense", start), 1e-11);
  }
}

// The leg of a platform whose slider lies along the first axis of its universal joint cannot hold
// the platform by itself: then rates come from the general kernel.
TEST(SpatialKernelOfAStewartPlatform, LeavesLegsInTheirOwnSingularPoseToTheGeneralKernel) {
  Start start("stewart");
  Kinematics<Spatial<double>> kin(start.system);
  place(start.system, 0.0, start.q.data(), kin);
  const auto tables =
      kernel::compile(start.system, std::vector<bool>(at(start.system.constraints), true), kin);
  ASSERT_TRUE(tables);
  const int leg = *start.model.find_joint("U3");
  double& angle = start.q(start.system.joint(leg).q + 1);
  const auto is_held = [&] {
    return evaluate(kernel::kernels(), *tables, start.q.data(), start.p.data(), nullptr).held;
  };
  ASSERT_FALSE(is_held());
  for (int step = 0; step < 20000 && !is_held(); ++step) angle += 3.2e-4;
  ASSERT_TRUE(is_held());
  expect_same(by_formulation("recursive", start), by_formulation("dense", start), 1e-9);
}

TEST(SpatialKernelPlan, SaysWhatIsLeftToTheGeneralKernel) {
  const auto plan = [](const char* name) {
    return make_formulation("recursive", test::shipped(name), {.plane = false})->plan();
  };
  EXPECT_EQ(plan("stewart"), "recursive, 13 bodies in order, in world axes");
  EXPECT_EQ(plan("door"), "recursive, 1 body in order, in world axes");
  EXPECT_EQ(plan("deployable_ring"),
            "recursive, 23 bodies in order, in world axes where at most 16 rows are open");
}

INSTANTIATE_TEST_SUITE_P(Random, SpatialKernel, testing::ValuesIn(test::kTopologies),
                         [](const auto& info) {
                           return test::case_name(SpaceKind::kSpatial, info.param);
                         });

}  // namespace
}  // namespace hamiltree
