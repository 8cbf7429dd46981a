// One distributed chain in floating segments, cut over ranks and threads: as the formulation that
// computes such segments and the simulation that runs them, the same bits for every cut.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/distributed/integrate.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/simulation/segments.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/distributed_chain.hpp"
#include "support/pins.hpp"
#include "support/ranks_in_threads.hpp"

namespace hamiltree::test {
namespace {

constexpr int kSegment = 8;
constexpr double kTurn = 2.0 * std::numbers::pi;

// At angles and rates of its own.
Mechanism moving_chain(int links, double rate) {
  auto mechanism = chain(links);
  Pins pins(7);
  for (auto& joint : mechanism.joints) {
    joint.initial_q = 0.3 * pins.vector(1);
    joint.initial_v = rate * pins.vector(1);
  }
  return mechanism;
}

// Equal links along x without weight, of which the first turns.
distributed::ReadLinks straight_links(double rate) {
  return [rate](std::size_t first, std::size_t last) {
    Mechanism links;
    links.name = "straight";
    links.space = SpaceKind::kPlanar;
    links.gravity.setZero();
    for (std::size_t k = first; k < last; ++k) {
      BodyDescription body;
      body.name = "B" + std::to_string(k);
      body.mass = 0.1;
      body.com = {0.05, 0.0, 0.0};
      body.inertia = 8.3e-5 * Eigen::Matrix3d::Identity();
      JointDescription pin;
      pin.name = "J" + std::to_string(k);
      pin.parent = k == first ? kGround : "B" + std::to_string(k - 1);
      pin.child = body.name;
      if (k > 0) pin.at_parent.position = {0.1, 0.0, 0.0};
      if (k == 0) pin.initial_q = Eigen::VectorXd::Constant(1, 0.5);
      if (k == 0) pin.initial_v = Eigen::VectorXd::Constant(1, rate);
      links.add(body);
      links.add(pin);
    }
    return links;
  };
}

std::pair<std::vector<double>, std::vector<double>> start_of(const Mechanism& mechanism) {
  std::vector<double> angles, rates;
  for (const auto& joint : mechanism.joints) {
    angles.push_back((*joint.initial_q)(0));
    rates.push_back((*joint.initial_v)(0));
  }
  return {angles, rates};
}

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }

struct RankState {
  std::vector<double> q, p, v, q_dot, p_dot;
  distributed::Part::Energies energies;
  std::vector<double> opened;  // by what was finished
};

// The state of all ranks together at the start, after one step's finish if asked for.
RankState start_on(int ranks, int threads, const Mechanism& mechanism, int finishes = 0,
                   double push = 0.0, int bodies = kSegment) {
  std::vector<RankState> states(static_cast<std::size_t>(ranks));
  on_ranks(ranks, [&](const Ranks& rank) {
    const auto part = distributed::make_part({mechanism.bodies.size(), threads, bodies},
                                             links_of(mechanism), rank);
    auto& own = states[static_cast<std::size_t>(rank.rank)];
    own.q = part->initial_q(), own.p = part->initial_p();
    for (std::size_t i = 0; i < own.q.size(); ++i) {
      own.q[i] += push * std::sin(0.1 * static_cast<double>(i + 3 * part->first()));
      own.p[i] *= 1.0 + push;
    }
    for (int k = 0; k < finishes; ++k) {
      const auto opened = part->finish_step(own.q.data(), own.p.data());
      EXPECT_TRUE(opened);
      own.opened.push_back(opened.value_or(-1.0));
    }
    own.q_dot = own.p_dot = own.q;
    for (int again = 0; again < 3; ++again) {
      EXPECT_TRUE(part->rate(own.q.data(), own.p.data(), own.q_dot.data(), own.p_dot.data(), true));
      own.energies = part->energies(own.p.data());
    }
  });
  RankState all;
  for (const auto& own : states) {
    EXPECT_EQ(own.energies.kinetic, states.front().energies.kinetic);
    EXPECT_EQ(own.opened, states.front().opened);
    all.energies = own.energies, all.opened = own.opened;
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(all.q, own.q), append(all.p, own.p);
    append(all.q_dot, own.q_dot), append(all.p_dot, own.p_dot);
  }
  return all;
}

TEST(DistributedFloatingChain, StartsAndMovesAsTheChainInSegmentsDoes) {
  for (const int links : {9, 64, 131, 2048, 5003}) {
    const auto mechanism = moving_chain(links, 1.0);
    const Model model(mechanism);
    const auto segments = make_segments(model, kSegment);
    const Model& cut = segments->cut();
    std::vector<double> q(size_of(cut.coordinate_count())), v(size_of(cut.velocity_count()));
    const auto [angles, rates] = start_of(mechanism);
    segments->part(0.0, angles.data(), rates.data(), q.data(), v.data());
    const auto formulation = make_formulation("recursive", cut);
    const auto workspace = formulation->make_workspace();
    const auto own = start_on(1, 1, mechanism);
    // Angles are the same but for whole turns; places are counted from where the bases are.
    std::size_t places = 0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (own.q[i] == 0.0) {
        ++places;
        continue;
      }
      EXPECT_NEAR(std::remainder(own.q[i] - q[i], kTurn), 0.0, 1e-12) << links;
    }
    EXPECT_EQ(places, 2 * segments->description().bases.size());
    const StateView state{0.0, q.data(), own.p.data()};
    formulation->analyse(state, *workspace);
    ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
    // Momenta of the start are those whose velocities are the start's.
    EXPECT_LT(difference(std::vector<double>(workspace->v.begin(), workspace->v.end()), v), 1e-11)
        << links;
    EXPECT_LT(difference(own.q_dot, workspace->q_dot), 1e-11) << links;
    EXPECT_LT(difference(own.p_dot, workspace->u_dot), 1e-11) << links;
    for (const double sigma : workspace->sigma) EXPECT_LT(std::abs(sigma), 1e-8) << links;
  }
}

TEST(DistributedFloatingChain, HasTheEnergiesOfTheWhole) {
  const auto mechanism = moving_chain(3001, 0.5);
  const Model model(mechanism);
  const auto first_sample = [](const Model& of) {
    return Simulation(of, {.segments = kSegment}).run_until(1e-6, 1e-6).samples.front();
  };
  const auto own = start_on(1, 1, mechanism);
  const auto other = start_on(1, 1, moving_chain(3001, 0.0));
  EXPECT_NEAR(own.energies.kinetic, first_sample(model).kinetic_energy,
              1e-11 * own.energies.kinetic);
  EXPECT_EQ(other.energies.kinetic, 0.0);
  // Less a constant: two poses differ as they do in the simulation.
  auto moved = mechanism;
  moved.joints[1000].initial_q = 2.0 * Eigen::VectorXd::Ones(1);
  const Model moved_model(moved);
  const double expected =
      first_sample(moved_model).potential_energy - first_sample(model).potential_energy;
  EXPECT_NEAR(start_on(1, 1, moved).energies.potential - own.energies.potential, expected,
              1e-9 * std::abs(expected));
}

TEST(DistributedFloatingChain, IsTheSameOnAnyRanksAndThreads) {
  constexpr int kLinks = 17011;  // nine chain_blocks, the last one short
  const auto mechanism = moving_chain(kLinks, 1.0);
  for (const int finishes : {0, 2}) {
    const auto alone = start_on(1, 1, mechanism, finishes);
    for (const auto& [ranks, threads] : {std::pair{1, 3}, {2, 1}, {3, 2}, {4, 1}, {9, 1}}) {
      const auto shared = start_on(ranks, threads, mechanism, finishes);
      EXPECT_EQ(shared.q, alone.q) << ranks << " ranks";
      EXPECT_EQ(shared.p, alone.p) << ranks << " ranks";
      EXPECT_EQ(shared.q_dot, alone.q_dot) << ranks << " ranks";
      EXPECT_EQ(shared.p_dot, alone.p_dot) << ranks << " ranks";
      EXPECT_EQ(shared.energies.kinetic, alone.energies.kinetic);
      EXPECT_EQ(shared.energies.potential, alone.energies.potential);
      EXPECT_EQ(shared.opened, alone.opened);
    }
  }
}

// A pushed state has open loops: they are closed as Newton's method on the chain in segments closes
// them, by the least motion of masses, and momenta are those of the velocities.
TEST(DistributedFloatingChain, ClosesWhatAStepOpened) {
  const auto mechanism = moving_chain(2100, 1.0);
  const Model model(mechanism);
  const auto segments = make_segments(model, kSegment);
  const Model& cut = segments->cut();
  const auto formulation = make_formulation("recursive", cut);
  const auto workspace = formulation->make_workspace();
  for (const double push : {1e-9, 1e-5, 3e-3}) {
    const auto open = start_on(1, 1, mechanism, 0, push);
    std::vector<double> q(size_of(cut.coordinate_count())), v(size_of(cut.velocity_count()));
    const std::vector<double> at_rest(v.size());
    const auto [angles, rates] = start_of(mechanism);
    segments->part(0.0, angles.data(), rates.data(), q.data(), v.data());
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] += push * std::sin(0.1 * static_cast<double>(i));
    formulation->analyse({0.0, q.data(), at_rest.data()}, *workspace);
    Eigen::VectorXd phi(cut.constraint_count());
    for (int k = 0; k < 6; ++k) {
      const auto& system = std::get<System<Planar<double>>>(cut.tables());
      Kinematics<Planar<double>> kin(system);
      place(system, 0.0, q.data(), kin);
      position_residual(system, kin, q.data(), phi.data());
      const StateView state{0.0, q.data(), at_rest.data()};
      ASSERT_EQ(formulation->velocities(state, phi.data(), *workspace), Status::kOk);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] += workspace->q_dot[i];
    }
    const auto closed = start_on(1, 1, mechanism, 2, push);
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (closed.q[i] == 0.0) continue;  // a place
      ASSERT_NEAR(std::remainder(closed.q[i] - q[i], kTurn), 0.0, 1e-10 + 1e-14 / push) << push;
    }
    EXPECT_GT(closed.opened[0], 0.1 * push);
    EXPECT_LT(closed.opened[1], 1e-13);
    EXPECT_NEAR(closed.energies.kinetic, open.energies.kinetic,
                100.0 * push * open.energies.kinetic);
  }
  // One that is torn apart is not closed.
  on_ranks(2, [&](const Ranks& rank) {
    const auto part = distributed::make_part({4200, 1, kSegment}, links_of(chain(4200)), rank);
    auto q = part->initial_q(), p = part->initial_p();
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 50.0 * static_cast<double>(i % 7);
    EXPECT_FALSE(part->finish_step(q.data(), p.data()));
  });
}

// A straight chain without weight that turns goes on turning, straight, at the rate it had. In
// accumulated momenta, or with bases at places in the world, up to 3 10^4 m away, the
// pins would begin to tremble, at 10^-6 of that rate after the first steps.
TEST(DistributedFloatingChain, LongChainsKeepTheirDigits) {
  constexpr int kLinks = 300000;
  constexpr double kRate = 0.003;
  const auto [samples, summary] = integrated_on(2, straight_links(kRate), {kLinks, 1, kSegment},
                                                {RungeKutta4{1e-3}, 0.005, 0.0, 1});
  ASSERT_EQ(samples.size(), 2U);
  for (std::size_t i = 0; i < kLinks; ++i) {
    ASSERT_NEAR(samples[1].q[i], i == 0 ? 0.5 + kRate * 0.005 : 0.0, 1e-12) << i;
    ASSERT_NEAR(samples[1].q_dot[i], i == 0 ? kRate : 0.0, 1e-7 * kRate) << i;
  }
  EXPECT_LT(summary.energy_error, 1e-14 * summary.peak_kinetic);
}

TEST(DistributedFloatingChain, IntegratesAsTheSimulationDoes) {
  constexpr int kLinks = 4300;
  const auto mechanism = moving_chain(kLinks, 0.5);
  const Model model(mechanism);
  Simulation simulation(
      model, {.formulation = "recursive", .integrator = RungeKutta4{1e-4}, .segments = kSegment});
  const auto whole = simulation.run_until(0.002, 0.001);
  for (const int ranks : {1, 2}) {
    const auto [samples, summary] = integrated_on(ranks, links_of(mechanism), {kLinks, 1, kSegment},
                                                  {RungeKutta4{1e-4}, 0.002, 0.001, 4});
    ASSERT_EQ(samples.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_EQ(samples[k].q.size(), 1075U);
      for (std::size_t i = 0; i < samples[k].q.size(); ++i) {
        const auto link = static_cast<Eigen::Index>(4 * i);
        ASSERT_NEAR(samples[k].q[i], whole.samples[k].q(link), 1e-9) << k << ' ' << link;
        ASSERT_NEAR(samples[k].q_dot[i], whole.samples[k].v(link), 1e-7) << k << ' ' << link;
      }
      EXPECT_NEAR(samples[k].energies.kinetic, whole.samples[k].kinetic_energy,
                  1e-10 * whole.samples[k].kinetic_energy);
    }
    EXPECT_LT(summary.opened, 1e-6);
    EXPECT_LT(summary.energy_error, 1e-7 * summary.peak_kinetic);
  }
}

TEST(DistributedFloatingChain, RefusesWhatItDoesNotTake) {
  EXPECT_EQ(refusal(chain(9), kSegment), "taken");
  EXPECT_NE(refusal(chain(8), kSegment).find("no two segments of 8"), std::string::npos);
  EXPECT_NE(refusal(Pins(1).tree(100, Axes::kAny, 1), kSegment).find("pins in the plane"),
            std::string::npos);
  EXPECT_NE(refusal(chain(3000), kSegment, 4).find("3000 links is too short for 4 ranks"),
            std::string::npos);
  auto slides = chain(100);
  slides.joints[50].type = JointType::kPrismatic;
  EXPECT_NE(refusal(slides, kSegment).find("pins in the plane"), std::string::npos);
}

}  // namespace
}  // namespace hamiltree::test
