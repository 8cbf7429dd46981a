// The kernel of eight states at once gives in each lane what that of one state gives, whatever the
// other lanes hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/formulations/kernel/compile.hpp"
#include "hamiltree/formulations/kernel/kernel_sets.hpp"
#include "hamiltree/formulations/kernel/sight.hpp"
#include "hamiltree/math/pack.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/condition.hpp"
#include "support/random_mechanism.hpp"
#include "support/shipped.hpp"

namespace hamiltree {
namespace {

using InSpace = System<Spatial<double>>;
using kernel::StateKernels;
using kernel::Tables;
using test::RandomMechanism;

constexpr std::uint64_t kSeed = 20261125;
constexpr double kTime = 0.4;

struct Set {
  const char* name;
  const kernel::Kernels* one;
  const StateKernels* eight;
};
// That of the baseline is compiled for tests only.
std::vector<Set> sets_of_this_machine() {
  std::vector<Set> sets{{"baseline", &kernel::kBaseline, &kernel::states::kBaseline}};
  if (const auto* eight = kernel::state_kernels())
    sets.push_back({"best", &kernel::kernels(), eight});
  return sets;
}

// A column for each state.
struct States {
  Eigen::MatrixXd q, p, phi;
};
struct Results {
  Eigen::MatrixXd v, q_dot, sigma, p_dot, p_clean;
  bool held[kLanes] = {};
};
Results results_for(const Tables& tables) {
  const auto matrix = [](int rows) { return Eigen::MatrixXd(Eigen::MatrixXd::Zero(rows, kLanes)); };
  return {matrix(tables.velocities), matrix(tables.coordinates), matrix(tables.constraints),
          matrix(tables.velocities), matrix(tables.velocities)};
}

template <class Number>
kernel::WorkIn<Number> work_for(const Tables& tables, const Kinematics<Spatial<double>>& kin) {
  kernel::WorkIn<Number> work(tables);
  work.mask = 1e-12;
  kernel::take_drives(kin, work.drives);
  return work;
}

// `closes`: a step onto the gaps, with everything at rest.
Results one_by_one(const kernel::Kernels& kernels, const Tables& tables, const States& states,
                   const Kinematics<Spatial<double>>& kin, bool closes) {
  auto results = results_for(tables);
  auto work = work_for<double>(tables, kin);
  work.moving = !closes;
  for (int lane = 0; lane < kLanes; ++lane) {
    const kernel::Arrays arrays{.q = states.q.col(lane).data(),
                                .p = states.p.col(lane).data(),
                                .phi = closes ? states.phi.col(lane).data() : nullptr,
                                .v = results.v.col(lane).data(),
                                .q_dot = results.q_dot.col(lane).data(),
                                .sigma = results.sigma.col(lane).data(),
                                .p_dot = results.p_dot.col(lane).data(),
                                .p_clean = results.p_clean.col(lane).data()};
    kernels.place(tables, arrays, work);
    kernels.velocities(tables, arrays, work);
    results.held[lane] = work.held;
    if (!work.held) kernels.momentum_rates(tables, arrays, work);
  }
  return results;
}

Results eight_at_once(const StateKernels& kernels, const Tables& tables, const States& states,
                      const Kinematics<Spatial<double>>& kin, bool closes) {
  auto results = results_for(tables);
  auto work = work_for<Pack>(tables, kin);
  work.moving = !closes;
  const auto packs_of = [](const Eigen::MatrixXd& numbers) {
    std::vector<Pack> packs(static_cast<std::size_t>(numbers.rows()));
    for (std::size_t i = 0; i < packs.size(); ++i)
      for (int lane = 0; lane < kLanes; ++lane)
        packs[i].set(lane, numbers(static_cast<Eigen::Index>(i), lane));
    return packs;
  };
  const auto q = packs_of(states.q), p = packs_of(states.p), phi = packs_of(states.phi);
  auto v = packs_of(results.v), q_dot = packs_of(results.q_dot), sigma = packs_of(results.sigma),
       p_dot = packs_of(results.p_dot), p_clean = packs_of(results.p_clean);
  const kernel::ArraysIn<Pack> arrays{.q = q.data(),
                                      .p = p.data(),
                                      .phi = closes ? phi.data() : nullptr,
                                      .v = v.data(),
                                      .q_dot = q_dot.data(),
                                      .sigma = sigma.data(),
                                      .p_dot = p_dot.data(),
                                      .p_clean = p_clean.data()};
  for (int time = 0; time < 2; ++time) {  // what is left of an evaluation is no matter to the next
    kernels.place(tables, arrays, work);
    kernels.velocities(tables, arrays, work);
    kernels.momentum_rates(tables, arrays, work);
  }
  const auto take = [](const std::vector<Pack>& packs, Eigen::MatrixXd& to) {
    for (std::size_t i = 0; i < packs.size(); ++i)
      for (int lane = 0; lane < kLanes; ++lane)
        to(static_cast<Eigen::Index>(i), lane) = packs[i][lane];
  };
  take(v, results.v);
  take(q_dot, results.q_dot);
  take(sigma, results.sigma);
  take(p_dot, results.p_dot);
  take(p_clean, results.p_clean);
  for (int lane = 0; lane < kLanes; ++lane) results.held[lane] = work.held[lane] != 0.0;
  return results;
}

// Of a lane, the largest of all against the size of what is compared.
double difference(const Results& x, const Results& y, int lane, double speed, double momentum) {
  const auto of = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double size) {
    if (a.rows() == 0) return 0.0;
    const Eigen::VectorXd error = a.col(lane) - b.col(lane);
    if (!error.allFinite()) return std::numeric_limits<double>::infinity();
    return error.lpNorm<Eigen::Infinity>() / std::max(size, b.col(lane).lpNorm<Eigen::Infinity>());
  };
  return std::max({of(x.v, y.v, speed), of(x.q_dot, y.q_dot, speed), of(x.sigma, y.sigma, momentum),
                   of(x.p_dot, y.p_dot, momentum), of(x.p_clean, y.p_clean, momentum)});
}

// States about a pose, of which the first is the pose itself.
States states_about(const Eigen::VectorXd& q, const InSpace& system, RandomMechanism& random) {
  States states{q.replicate(1, kLanes), Eigen::MatrixXd(system.velocities, kLanes),
                Eigen::MatrixXd(system.constraints, kLanes)};
  for (int lane = 0; lane < kLanes; ++lane) {
    if (lane > 0) states.q.col(lane) += 1e-2 * random.vector(system.coordinates);
    states.p.col(lane) = random.vector(system.velocities);
    states.phi.col(lane) = 1e-3 * random.vector(system.constraints);
  }
  return states;
}

class StateKernel : public testing::TestWithParam<test::Topology> {};

TEST_P(StateKernel, GivesWhatTheKernelOfOneStateGives) {
  int compared = 0, held = 0, in_sixteen = 0, driven = 0;
  double worst = 0.0;
  for (std::uint64_t i = 0; i < 150; ++i) {
    const auto seed = kSeed + 10000 * static_cast<std::uint64_t>(GetParam()) + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomMechanism random(seed);
    auto mechanism = random.make(SpaceKind::kSpatial, GetParam(),
                                 i % 2 == 0 ? test::Extent::kBasic : test::Extent::kFull);
    if (i % 4 == 0) random.make_light(mechanism);
    const Model model(test::cut_where_closed(mechanism));
    const auto system = std::get<InSpace>(model.tables()).without_forces();
    if (!kernel::foreign_joint(system).empty()) continue;
    const Eigen::VectorXd q = random.closed_pose(model, system),
                          p = random.vector(system.velocities);
    const Dense<Spatial<double>> dense(system);
    Dense<Spatial<double>>::Work work(dense);
    dense.velocities(kTime, q.data(), p.data(), nullptr, work);
    const double condition = test::scaled_condition(work.augmented.M, work.augmented.A);
    if (!(condition <= 1e6)) continue;
    Kinematics<Spatial<double>> kin(system);
    place(system, kTime, q.data(), kin);
    const auto tables =
        kernel::compile(system, std::vector<bool>(at(system.constraints), true), kin);
    if (!tables) continue;
    in_sixteen += tables->lanes == kernel::kMostLanes;
    driven += !system.drives.empty();
    const auto states = states_about(q, system, random);
    // Other poses than the first may be worse.
    const double tolerance = 1e-13 * condition + 1e-11;
    const double momentum = p.norm(), speed = momentum / work.augmented.M.diagonal().maxCoeff();
    for (const auto& [name, one, eight] : sets_of_this_machine()) {
      SCOPED_TRACE(name);
      for (const bool closes : {false, true}) {
        const auto expected = one_by_one(*one, *tables, states, kin, closes);
        const auto found = eight_at_once(*eight, *tables, states, kin, closes);
        for (int lane = 0; lane < kLanes; ++lane) {
          EXPECT_EQ(found.held[lane], expected.held[lane]) << "lane " << lane;
          held += expected.held[lane];
          if (expected.held[lane] || found.held[lane]) continue;
          ++compared;
          const double error = difference(found, expected, lane, speed, momentum);
          worst = std::max(worst, error / tolerance);
          EXPECT_LE(error, tolerance) << "lane " << lane;
        }
      }
    }
  }
  std::printf("from seed %llu: %d compared, %d held, %d in sixteen lanes, %d driven, worst %.2g\n",
              static_cast<unsigned long long>(kSeed), compared, held, in_sixteen, driven, worst);
  EXPECT_GT(compared, 500);
}

INSTANTIATE_TEST_SUITE_P(Random, StateKernel, testing::ValuesIn(test::kTopologies),
                         [](const auto& info) {
                           return test::case_name(SpaceKind::kSpatial, info.param);
                         });

struct Machine {
  explicit Machine(const char* name)
      : model(test::shipped(name)),
        system(std::get<InSpace>(model.tables())),
        random(kSeed),
        kin(system) {
    const Eigen::VectorXd q = initial_state(model).q;
    place(system, 0.0, q.data(), kin);
    tables = kernel::compile(system, std::vector<bool>(at(system.constraints), true), kin).value();
    states = states_about(q, system, random);
  }

  Model model;
  const InSpace& system;
  RandomMechanism random;
  Kinematics<Spatial<double>> kin;
  Tables tables;
  States states;
};

// Bit for bit, also beside states that are not finite.
TEST(StateKernelOfMachines, LetsNoLaneFeelAnother) {
  for (const char* name : {"stewart", "suspension", "biped"}) {
    SCOPED_TRACE(name);
    const Machine machine(name);
    for (const auto& [set, one, eight] : sets_of_this_machine()) {
      SCOPED_TRACE(set);
      const auto expected =
          eight_at_once(*eight, machine.tables, machine.states, machine.kin, false);
      auto turned = machine.states;  // lane k holds state k + 3
      for (int lane = 0; lane < kLanes; ++lane) {
        turned.q.col(lane) = machine.states.q.col((lane + 3) % kLanes);
        turned.p.col(lane) = machine.states.p.col((lane + 3) % kLanes);
      }
      turned.q(0, 6) = std::numeric_limits<double>::quiet_NaN();
      turned.p(1, 7) = std::numeric_limits<double>::infinity();
      const auto found = eight_at_once(*eight, machine.tables, turned, machine.kin, false);
      for (int lane = 0; lane < 6; ++lane) {
        const auto same = [&](const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
          return std::memcmp(x.col(lane).data(), y.col((lane + 3) % kLanes).data(),
                             sizeof(double) * static_cast<std::size_t>(x.rows())) == 0;
        };
        EXPECT_TRUE(same(found.v, expected.v)) << lane;
        EXPECT_TRUE(same(found.sigma, expected.sigma)) << lane;
        EXPECT_TRUE(same(found.p_dot, expected.p_dot)) << lane;
      }
    }
  }
}

// A leg that cannot close in its own singular pose holds its lane only.
TEST(StateKernelOfMachines, HoldsTheLanesThatCannotClose) {
  Machine machine("stewart");
  const int leg = machine.system.joint(*machine.model.find_joint("U3")).q + 1;
  const auto& kernels = *sets_of_this_machine().back().one;
  const auto is_held = [&] {
    return one_by_one(kernels, machine.tables, machine.states, machine.kin, false).held[5];
  };
  ASSERT_FALSE(is_held());
  for (int step = 0; step < 20000 && !is_held(); ++step) machine.states.q(leg, 5) += 3.2e-4;
  ASSERT_TRUE(is_held());
  for (const auto& [set, one, eight] : sets_of_this_machine()) {
    const auto expected = one_by_one(*one, machine.tables, machine.states, machine.kin, false);
    const auto found = eight_at_once(*eight, machine.tables, machine.states, machine.kin, false);
    for (int lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(found.held[lane], lane == 5) << set << lane;
      if (lane == 5) continue;
      EXPECT_LE(difference(found, expected, lane, 0.0, 0.0), 1e-11) << set << lane;
    }
  }
}

}  // namespace
}  // namespace hamiltree
