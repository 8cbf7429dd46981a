// Threads that share an evaluation of the hdca change no bit of it, whichever way they share it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "support/random_mechanism.hpp"

namespace hamiltree::test {
namespace {

using Numbers = std::vector<double>;

void append(Numbers& all, const Numbers& some) { all.insert(all.end(), some.begin(), some.end()); }

bool same_bits(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// All that evaluations give at a state, several of them with one Work: rates, velocities with and
// without phi, accelerations.
template <class Space>
Numbers evaluate(const System<Space>& system, const HdcaSharing& sharing, const StateView& state) {
  const Hdca<Space> kernel(system, sharing);
  typename Hdca<Space>::Work work(kernel);
  EXPECT_EQ(work.pool == nullptr ? 1 : work.pool->threads(), sharing.threads);
  LoopChoices<Hdca<Space>>::analyse(kernel, state, work);
  const auto& result = work.result;
  const Numbers phi(at(system.constraints), 1e-3);
  Numbers all;
  for (int round = 0; round < 2; ++round) {
    kernel.velocities(state.t, state.q, state.u, phi.data(), work);
    append(all, result.v);
    append(all, result.sigma);
    kernel.velocities(state.t, state.q, state.u, nullptr, work);
    kernel.momentum_rates(state.t, state.q, work);
    for (const auto* part : {&result.v, &result.q_dot, &result.p_dot, &result.sigma}) {
      append(all, *part);
    }
    kernel.accelerations(state.t, state.q, work);
    append(all, result.v_dot);
    append(all, result.lambda);
    for (const auto& F : work.wrench) append(all, Numbers(F.data(), F.data() + F.size()));
  }
  return all;
}

template <class Space>
void expect_same(const System<Space>& system, const StateView& state, int grain) {
  const auto alone = evaluate(system, {}, state);
  for (const int threads : {2, 3, 5}) {
    const HdcaSharing sharing{threads, true, grain};
    EXPECT_TRUE(same_bits(evaluate(system, sharing, state), alone)) << threads << " threads";
  }
}

TEST(HdcaThreads, ChangeNoBitOfRandomMechanisms) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const auto topology : kTopologies) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE(case_name(space, topology) + " " + std::to_string(seed));
        RandomMechanism random(seed);
        const Model model(random.make(space, topology, Extent::kFull));
        const Eigen::VectorXd p = random.vector(model.velocity_count());
        model.visit([&](const auto& system) {
          const auto q = random.closed_pose(model, system);
          expect_same(system, {RandomMechanism::kTime, q.data(), p.data()}, 1);
        });
      }
    }
  }
}

Mechanism bars(SpaceKind space) {
  Mechanism mechanism;
  mechanism.space = space;
  mechanism.gravity = {0, -9.81, 0};
  return mechanism;
}

std::string add_bar(Mechanism& mechanism, const std::string& name) {
  BodyDescription bar;
  bar.name = name;
  bar.mass = 1.0;
  bar.com = {0.5, 0, 0};
  const double across = mechanism.space == SpaceKind::kPlanar ? 0.0 : 1.0 / 12;
  bar.inertia = Eigen::Vector3d(0.01 * across, across, 1.0 / 12).asDiagonal();
  mechanism.add(bar);
  return name;
}

void add_pin(Mechanism& mechanism, const std::string& parent, const std::string& child, double at_x,
             double child_x, double q) {
  JointDescription pin;
  pin.name = parent + " to " + child;
  pin.parent = parent;
  pin.child = child;
  pin.at_parent.position.x() = at_x;
  pin.at_child.position.x() = child_x;
  pin.initial_q = Eigen::VectorXd::Constant(1, q);
  pin.initial_v = Eigen::VectorXd::Constant(1, 0.5 * q);
  mechanism.add(pin);
}

Mechanism chain(int bodies) {
  auto mechanism = bars(SpaceKind::kPlanar);
  for (int b = 0; b < bodies; ++b) {
    const std::string parent = b == 0 ? kGround : "bar " + std::to_string(b - 1);
    add_pin(mechanism, parent, add_bar(mechanism, "bar " + std::to_string(b)), b == 0 ? 0.0 : 1.0,
            0.0, 0.3 * (b % 7 - 3));
  }
  return mechanism;
}

// Parallelograms in a row; in space three of the five rows of every loop are redundant.
Mechanism ladder(int windows, SpaceKind space, double angle) {
  auto mechanism = bars(space);
  const auto crank = [](int i) { return "crank " + std::to_string(i); };
  for (int i = 0; i <= windows; ++i) {
    add_bar(mechanism, crank(i));
    add_pin(mechanism, kGround, crank(i), i, 0.0, angle);
  }
  for (int i = 0; i < windows; ++i) {
    const auto coupler = add_bar(mechanism, "coupler " + std::to_string(i));
    add_pin(mechanism, crank(i), coupler, 1.0, 0.0, -angle);
    add_pin(mechanism, crank(i + 1), coupler, 1.0, 1.0, -angle);
  }
  return mechanism;
}

void expect_same(const Mechanism& mechanism) {
  const Model model(mechanism);
  const auto start = initial_state(model);
  model.visit([&](const auto& system) {
    expect_same(system, {0.0, start.q.data(), start.p.data()}, HdcaSharing{}.grain);
  });
}

TEST(HdcaThreads, ChangeNoBitOfALongChain) { expect_same(chain(2000)); }
TEST(HdcaThreads, ChangeNoBitOfALadder) {
  expect_same(ladder(300, SpaceKind::kPlanar, std::numbers::pi / 3));
}
TEST(HdcaThreads, ChangeNoBitOfALadderWithRedundantRows) {
  expect_same(ladder(150, SpaceKind::kSpatial, std::numbers::pi / 3));
}

// All bars in one line, where further rows are lost.
TEST(HdcaThreads, ChangeNoBitOfSingularLoops) {
  const Model model(ladder(150, SpaceKind::kPlanar, 0.0));
  const Numbers q(at(model.coordinate_count()), 0.0);
  Numbers p(at(model.velocity_count()));
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = 0.01 * static_cast<double>(i % 5);
  model.visit([&](const auto& system) {
    expect_same(system, {0.0, q.data(), p.data()}, HdcaSharing{}.grain);
  });
}

// By name, where sharing is a matter of time: it must not be seen.
TEST(HdcaThreads, ChangeNoBitWheneverTheyAreUsed) {
  const Model model(ladder(300, SpaceKind::kPlanar, std::numbers::pi / 3));
  const auto start = initial_state(model);
  const StateView state{0.0, start.q.data(), start.p.data()};
  Numbers first;
  for (const int threads : {1, 2, 0}) {
    FormulationOptions options;
    options.threads = threads;
    const auto formulation = make_formulation("hdca", model, options);
    const auto workspace = formulation->make_workspace();
    formulation->analyse(state, *workspace);
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
      const Numbers p_dot(workspace->u_dot.begin(), workspace->u_dot.end());
      if (first.empty()) first = p_dot;
      ASSERT_TRUE(same_bits(p_dot, first)) << threads << " threads, evaluation " << i;
    }
  }
}

// The first turn waits for one that another thread takes.
class Meeting {
 public:
  void attend() {
    const bool first = !begun_.exchange(true);
    const auto self = std::this_thread::get_id();
    if (first) host_ = self;
    if (first) known_ = true;
    const auto since = std::chrono::steady_clock::now();
    while (first && !met_ && std::chrono::steady_clock::now() - since < std::chrono::seconds(20)) {
      std::this_thread::yield();
    }
    if (known_ && host_ != self) met_ = true;
  }
  bool took_place() const { return met_; }

 private:
  std::atomic<bool> begun_ = false, known_ = false, met_ = false;
  std::thread::id host_;  // before it is known
};

TEST(HdcaThreads, AreAllAtWork) {
  const Model model(chain(64));
  const auto plan = model.visit([](const auto& system) { return make_plan(system); });
  const int count = static_cast<int>(plan.compounds.size());
  Pool pool(2);
  const auto schedule = make_schedule(plan, 1);
  const hdca::Executor executor{&pool, &schedule, 1};
  std::vector<int> turns(plan.compounds.size());
  Meeting each, up, down;
  const auto attend = [&](Meeting& meeting) {
    return [&](int c) {
      ++turns[at(c)];
      if (c < plan.body_count) meeting.attend();  // the leaves are many in any stage
    };
  };
  executor.each(count, attend(each));
  executor.up(count, attend(up));
  executor.down(count, attend(down));
  EXPECT_EQ(turns, std::vector<int>(plan.compounds.size(), 3));
  for (const auto* meeting : {&each, &up, &down}) EXPECT_TRUE(meeting->took_place());
}

}  // namespace
}  // namespace hamiltree::test
