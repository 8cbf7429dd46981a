// A batch gives what its states give one by one.
#include "hamiltree/batch/batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "hamiltree/formulations/kernel/kernels.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/four_bars.hpp"
#include "support/pins.hpp"
#include "support/sample_mechanisms.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {
namespace {

// Where batches of any mechanism go in lanes.
bool has_wide_lanes() { return kernel::state_kernels() != nullptr; }

struct Arrays {
  Eigen::MatrixXd q, p, q_dot, p_dot;  // a column for each state
};

// States near the first, at which the redundancy of loops is found; rates one by one.
Arrays one_by_one(const Model& model, Eigen::Index count, Pins& random) {
  Arrays a;
  a.q.resize(model.coordinate_count(), count);
  a.p.resize(model.velocity_count(), count);
  a.q_dot = a.q;
  a.p_dot = a.p;
  const auto formulation = make_formulation("recursive", model);
  const auto workspace = formulation->make_workspace();
  const Eigen::VectorXd first = random.vector(a.q.rows());
  for (Eigen::Index k = 0; k < count; ++k) {
    a.q.col(k) = first + (model.loop_count() > 0 ? 1e-3 : 1.0) * random.vector(a.q.rows());
    a.p.col(k) = random.vector(a.p.rows());
    const StateView state{0.5, a.q.col(k).data(), a.p.col(k).data()};
    if (k == 0) formulation->analyse(state, *workspace);
    formulation->prepare(state, *workspace);
    formulation->rate(state, *workspace);
    for (Eigen::Index i = 0; i < a.q.rows(); ++i) a.q_dot(i, k) = workspace->q_dot[at(int(i))];
    for (Eigen::Index i = 0; i < a.p.rows(); ++i) a.p_dot(i, k) = workspace->u_dot[at(int(i))];
  }
  return a;
}

void expect_same(const Model& model, bool in_lanes) {
  Pins random(11);
  for (const Eigen::Index count : {1, 8, 21}) {
    const auto expected = one_by_one(model, count, random);
    auto q_dot = expected.q_dot, p_dot = expected.p_dot;
    q_dot.setZero();
    p_dot.setZero();
    Batch batch(model);
    EXPECT_EQ(batch.in_lanes(), in_lanes);
    EXPECT_EQ(batch.rate(0.5, static_cast<std::size_t>(count), expected.q.data(), expected.p.data(),
                         q_dot.data(), p_dot.data()),
              Status::kOk);
    EXPECT_LE((q_dot - expected.q_dot).norm(), 1e-12 * expected.q_dot.norm());
    EXPECT_LE((p_dot - expected.p_dot).norm(), 1e-12 * expected.p_dot.norm());
  }
}

TEST(Batch, GivesTheSameInLanes) {
  for (const auto axes : {Axes::kAny, Axes::kRightAngles, Axes::kNearlyParallel}) {
    for (const int reach : {1, 3}) expect_same(Model(Pins(5).tree(9, axes, reach)), true);
    expect_same(Model(Pins(5).floating_tree(9, axes, 2)), true);
  }
}

// With springs, too: at a joint of the tree, and at one that closes a loop.
TEST(Batch, GivesTheSameWithLoopsInLanes) {
  for (const int count : {1, 2}) {
    auto mechanism = four_bars(count, 5);
    expect_same(Model(mechanism), true);
    expect_same(Model(lifted(mechanism)), true);
    JointSpringDamper spring;
    spring.joint = "A";
    spring.stiffness = 3.0;
    spring.damping = 0.2;
    mechanism.add(spring);
    expect_same(Model(mechanism), true);
    spring.joint = "D0";
    std::ranges::find(mechanism.joints, "D0", &JointDescription::name)->cut = true;
    mechanism.add(spring);
    expect_same(Model(mechanism), true);
  }
}

TEST(Batch, TakesInstancesOfTheirOwnDimensions) {
  constexpr int kCount = 11;
  enum class Kind { kTrees, kLoops, kLoopsWithSprings };
  for (const auto kind : {Kind::kTrees, Kind::kLoops, Kind::kLoopsWithSprings}) {
    std::vector<Model> models;
    for (unsigned seed = 0; seed < kCount; ++seed) {
      if (kind == Kind::kLoops) {
        models.emplace_back(four_bars(2, seed));
      } else if (kind == Kind::kLoopsWithSprings) {
        auto mechanism = sample_loop(SpaceKind::kPlanar, JointType::kRevolute);
        mechanism.bodies.front().mass += seed;
        models.emplace_back(mechanism);
      } else {
        models.emplace_back(Pins(seed).tree(6, seed == 3 ? Axes::kRightAngles : Axes::kAny, 1));
      }
    }
    Batch batch(models);
    EXPECT_EQ(batch.in_lanes(), kind != Kind::kLoopsWithSprings);
    Pins random(5);
    const Eigen::VectorXd first = random.vector(models.front().coordinate_count());
    const auto n = models.front().velocity_count();
    Eigen::MatrixXd q(first.size(), kCount), p(n, kCount), q_dot = q, p_dot = p;
    for (Eigen::Index k = 0; k < kCount; ++k) {
      q.col(k) = first + 1e-3 * random.vector(q.rows());
      p.col(k) = random.vector(n);
    }
    ASSERT_EQ(batch.rate(0.0, kCount, q.data(), p.data(), q_dot.data(), p_dot.data()), Status::kOk);
    for (Eigen::Index k = 0; k < kCount; ++k) {
      const auto formulation = make_formulation("recursive", models[at(int(k))]);
      const auto workspace = formulation->make_workspace();
      const StateView state{0.0, q.col(k).data(), p.col(k).data()};
      formulation->analyse(state, *workspace);
      formulation->prepare(state, *workspace);
      formulation->rate(state, *workspace);
      const Eigen::Map<const Eigen::VectorXd> x(workspace->q_dot.data(), q.rows()),
          y(workspace->u_dot.data(), n);
      EXPECT_LE((q_dot.col(k) - x).norm(), 1e-12 * x.norm()) << k;
      EXPECT_LE((p_dot.col(k) - y).norm(), 1e-12 * y.norm()) << k;
    }
  }
}

TEST(Batch, RefusesInstancesThatAreNotAlike) {
  const std::vector<Model> models{Model(Pins(1).tree(3, Axes::kAny, 1)),
                                  Model(Pins(1).tree(4, Axes::kAny, 1))};
  EXPECT_THROW(Batch{models}, UsageError);
  EXPECT_THROW(Batch{std::span<const Model>()}, UsageError);
}

TEST(Batch, TakesAnyModel) {
  expect_same(Model(sample_tree(SpaceKind::kPlanar)), has_wide_lanes());
  expect_same(Model(sample_chain(SpaceKind::kSpatial, 5)), has_wide_lanes());
  expect_same(Model(sample_loop(SpaceKind::kPlanar, JointType::kRevolute)), false);
  expect_same(Model(sample_coupled_loops(SpaceKind::kSpatial)), false);
}

// Eight states of a machine near its start, by a batch and each by itself.
struct Machine {
  explicit Machine(const char* name)
      : model(shipped(name)),
        start(initial_state(model)),
        q(at(model.coordinate_count())),
        p(at(model.velocity_count())),
        q_dot(q),
        p_dot(p) {
    Pins random(7);
    for (std::size_t i = 0; i < q.size(); ++i) {
      for (int lane = 0; lane < kLanes; ++lane)
        q[i].set(lane, start.q(static_cast<Eigen::Index>(i)) + 1e-3 * random.vector(1)(0));
    }
    for (auto& packs : p) {
      for (int lane = 0; lane < kLanes; ++lane) packs.set(lane, 0.1 * random.vector(1)(0));
    }
  }

  void expect_lane(int lane, double tolerance) {
    const auto formulation = make_formulation("recursive", model);
    const auto workspace = formulation->make_workspace();
    formulation->analyse({0.0, start.q.data(), start.p.data()}, *workspace);
    Eigen::VectorXd at_q(start.q.size()), at_p(start.p.size());
    for (Eigen::Index i = 0; i < at_q.size(); ++i) at_q(i) = q[at(int(i))][lane];
    for (Eigen::Index i = 0; i < at_p.size(); ++i) at_p(i) = p[at(int(i))][lane];
    EXPECT_EQ(formulation->rate({0.0, at_q.data(), at_p.data()}, *workspace), Status::kOk);
    double most = 0.0, error = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      most = std::max(most, std::abs(workspace->u_dot[i]));
      error = std::max(error, std::abs(workspace->u_dot[i] - p_dot[i][lane]));
    }
    EXPECT_LE(error, tolerance * most) << "lane " << lane;
    most = error = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      most = std::max(most, std::abs(workspace->q_dot[i]));
      error = std::max(error, std::abs(workspace->q_dot[i] - q_dot[i][lane]));
    }
    EXPECT_LE(error, tolerance * most) << "lane " << lane;
  }

  Model model;
  InitialState start;
  std::vector<Pack> q, p, q_dot, p_dot;
};

TEST(Batch, TakesMachinesInLanes) {
  for (const char* name :
       {"stewart", "suspension", "biped", "excavator", "hexapod", "hand", "motorcycle",
        "planetary_gear", "driven_slider_crank", "scotch_yoke", "gear_pair"}) {
    SCOPED_TRACE(name);
    Machine machine(name);
    Batch batch(machine.model);
    EXPECT_EQ(batch.in_lanes(), has_wide_lanes());
    EXPECT_TRUE(batch.closes_loops());
    ASSERT_EQ(batch.rate(0.0, machine.q, machine.p, machine.q_dot, machine.p_dot), Status::kOk);
    for (int lane = 0; lane < kLanes; ++lane) machine.expect_lane(lane, 1e-10);
  }
}

// A leg of the platform in its own singular pose is left to the general kernel; the states beside
// it are, bit for bit, what they were.
TEST(Batch, ComputesByItselfWhatCannotCloseInLanes) {
  Machine machine("stewart");
  Batch batch(machine.model);
  batch.rate(0.0, machine.q, machine.p, machine.q_dot, machine.p_dot);
  const auto before = machine.p_dot;
  const auto& system = std::get<System<Spatial<double>>>(machine.model.tables());
  const int leg = system.joint(*machine.model.find_joint("U3")).q + 1;
  const auto formulation = make_formulation("recursive", machine.model);
  const auto workspace = formulation->make_workspace();
  auto q = machine.start.q;
  const StateView state{0.0, q.data(), machine.start.p.data()};
  formulation->analyse(state, *workspace);
  const auto is_left = [&] {  // to the general kernel, which gives its choice no number
    formulation->velocities(state, nullptr, *workspace);
    return formulation->choice(*workspace) == 0;
  };
  ASSERT_FALSE(is_left());
  for (int step = 0; step < 20000 && !is_left(); ++step) q(leg) += 3.2e-4;
  ASSERT_TRUE(is_left());
  for (std::size_t i = 0; i < machine.q.size(); ++i)
    machine.q[i].set(5, q(static_cast<Eigen::Index>(i)));
  ASSERT_EQ(batch.rate(0.0, machine.q, machine.p, machine.q_dot, machine.p_dot), Status::kOk);
  machine.expect_lane(5, 1e-8);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (lane == 5) continue;
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_EQ(machine.p_dot[i][lane], before[i][lane]) << "lane " << lane;
  }
}

TEST(Batch, SaysWhatIsNotFinite) {
  for (const auto& mechanism : {Pins(5).tree(3, Axes::kAny, 1), four_bars(1, 5)}) {
    std::vector<Pack> q(3, Pack(0.1)), p(3, Pack(0.2)), q_dot(3), p_dot(3);
    Batch batch{Model(mechanism)};
    EXPECT_EQ(batch.rate(0.0, q, p, q_dot, p_dot), Status::kOk);
    p[2].set(5, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(batch.rate(0.0, q, p, q_dot, p_dot), Status::kNotFinite);
    EXPECT_TRUE(std::isfinite(p_dot[1][4]));
  }
}

// Nor do the others where it comes first: it chooses no rows for them. With springs, whose forces
// are added after the rates.
TEST(Batch, ComputesOthersBesideAStateThatIsNotFinite) {
  constexpr Eigen::Index kCount = 11;
  auto sprung = four_bars(1, 5);
  sprung.add(JointSpringDamper{"A", 2.0, 0.1, 0.3, {}});
  for (const auto& model : {Model(sprung), shipped("excavator"), shipped("suspension")}) {
    SCOPED_TRACE(model.name());
    const auto start = initial_state(model);
    Eigen::MatrixXd q = start.q.replicate(1, kCount), p = start.p.replicate(1, kCount);
    Eigen::MatrixXd q_dot = q, p_dot = p, q_dot_all = q, p_dot_all = p;
    EXPECT_EQ(
        Batch(model).rate(0.0, kCount, q.data(), p.data(), q_dot_all.data(), p_dot_all.data()),
        Status::kOk);
    for (const Eigen::Index bad : {Eigen::Index(0), Eigen::Index(4)}) {
      auto q_bad = q;
      q_bad(0, bad) = std::numeric_limits<double>::quiet_NaN();
      EXPECT_EQ(Batch(model).rate(0.0, kCount, q_bad.data(), p.data(), q_dot.data(), p_dot.data()),
                Status::kNotFinite);
      for (Eigen::Index k = 0; k < kCount; ++k) {
        if (k == bad) {
          EXPECT_TRUE(p_dot.col(k).hasNaN());
          continue;
        }
        EXPECT_LE((q_dot.col(k) - q_dot_all.col(k)).norm(),
                  1e-12 * (1.0 + q_dot_all.col(k).norm()));
        EXPECT_LE((p_dot.col(k) - p_dot_all.col(k)).norm(),
                  1e-12 * (1.0 + p_dot_all.col(k).norm()));
      }
    }
  }
}

}  // namespace
}  // namespace hamiltree::test
