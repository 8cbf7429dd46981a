// One chain cut over ranks and threads: the rates of the whole, the same bits for every cut.
#include "hamiltree/distributed/part.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/distributed/integrate.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/distributed_chain.hpp"
#include "support/pins.hpp"
#include "support/ranks_in_threads.hpp"

namespace hamiltree::test {
namespace {

struct Rates {
  std::vector<double> v, p_dot;
  distributed::Part::Energies energies;
};

Rates rates_on(int ranks, int threads, const Mechanism& mechanism, const Eigen::VectorXd& q,
               const Eigen::VectorXd& p, Traffic* traffic = nullptr) {
  const auto n = mechanism.bodies.size();
  Rates rates{std::vector<double>(n), std::vector<double>(n), {}};
  const auto sent = on_ranks(ranks, [&](const Ranks& rank) {
    const auto part_of_rank = distributed::make_part({n, threads}, links_of(mechanism), rank);
    auto& part = *part_of_rank;
    for (int again = 0; again < 3; ++again) {
      const auto first = part.first();
      EXPECT_TRUE(part.rate(q.data() + first, p.data() + first, &rates.v[first],
                            &rates.p_dot[first], true));
      const auto energies = part.energies(p.data() + first);
      if (rank.rank == 0) rates.energies = energies;
    }
  });
  if (traffic != nullptr) *traffic = sent;
  return rates;
}

TEST(DistributedChain, HasTheRatesAndEnergiesOfTheWhole) {
  for (const int links : {64, 3000, 20011}) {
    const auto mechanism = chain(links);
    const Model model(mechanism);
    Pins pins(5);
    const Eigen::VectorXd q = 0.5 * pins.vector(links), p = pins.vector(links);
    const auto formulation = make_formulation("recursive", model, {.lanes = LaneChoice::kNever});
    const auto workspace = formulation->make_workspace();
    const StateView state{0.0, q.data(), p.data()};
    formulation->analyse(state, *workspace);
    ASSERT_EQ(formulation->rate(state, *workspace), Status::kOk);
    const auto rates = rates_on(1, 1, mechanism, q, p);
    EXPECT_LT(difference(rates.v, workspace->v), 1e-9) << links;
    EXPECT_LT(difference(rates.p_dot, workspace->u_dot), 1e-9) << links;
    const auto lanes = make_formulation("recursive", model);
    const auto lanes_workspace = lanes->make_workspace();
    ASSERT_EQ(lanes->rate(state, *lanes_workspace), Status::kOk);
    // Its chain blocks are the same, and so are its bits but for sums of masses.
    EXPECT_LT(difference(rates.v, lanes_workspace->v), 1e-13) << links;
    EXPECT_LT(difference(rates.p_dot, lanes_workspace->u_dot), 1e-12) << links;
    const auto energies = *lanes->energies(state, *lanes_workspace);
    EXPECT_NEAR(rates.energies.kinetic, energies.kinetic, 1e-12 * energies.kinetic);
    EXPECT_NEAR(rates.energies.potential, energies.potential, 1e-11 * std::abs(energies.potential));
  }
}

TEST(DistributedChain, IsTheSameOnAnyRanksAndThreads) {
  constexpr int kLinks = 20011;  // nine chain blocks
  const auto mechanism = chain(kLinks);
  Pins pins(6);
  const Eigen::VectorXd q = pins.vector(kLinks), p = pins.vector(kLinks);
  const auto alone = rates_on(1, 1, mechanism, q, p);
  for (const auto& [ranks, threads] : {std::pair{1, 3}, {2, 1}, {3, 2}, {4, 1}, {7, 1}, {9, 1}}) {
    Traffic traffic;
    const auto shared = rates_on(ranks, threads, mechanism, q, p, &traffic);
    EXPECT_EQ(shared.v, alone.v) << ranks << " ranks";
    EXPECT_EQ(shared.p_dot, alone.p_dot) << ranks << " ranks";
    EXPECT_EQ(shared.energies.kinetic, alone.energies.kinetic);
    EXPECT_EQ(shared.energies.potential, alone.energies.potential);
    // A rate: a few hundred bytes for each neighbour and join that goes from one rank to another.
    EXPECT_LE(traffic.numbers * sizeof(double), static_cast<std::size_t>(ranks) * 3 * 2500);
    EXPECT_EQ(traffic.messages > 0, ranks > 1);
  }
}

TEST(DistributedChain, RefusesWhatItDoesNotTake) {
  EXPECT_EQ(refusal(chain(100), 0), "taken");
  EXPECT_NE(refusal(Pins(1).tree(100, Axes::kAny, 1), 0).find("pins in the plane"),
            std::string::npos);
  EXPECT_NE(refusal(chain(3), 0).find("3 links"), std::string::npos);
  EXPECT_NE(refusal(chain(5000), 0, 4).find("5000 links is too short for 4 ranks"),
            std::string::npos);
  auto moving = chain(100);
  moving.joints[40].initial_v = Eigen::VectorXd::Constant(1, 0.5);
  EXPECT_NE(refusal(moving, 0).find("moves at the start"), std::string::npos);
  auto slides = chain(100);
  slides.joints[50].type = JointType::kPrismatic;
  EXPECT_NE(refusal(slides, 0).find("pins in the plane"), std::string::npos);
}

// Against the simulation of the same chain.
TEST(DistributedIntegration, MovesAsTheSimulationDoes) {
  constexpr int kLinks = 5000;
  auto mechanism = chain(kLinks);
  Pins pins(8);
  for (auto& joint : mechanism.joints) joint.initial_q = 0.3 * pins.vector(1);
  const Model model(mechanism);
  Simulation simulation(model, {.formulation = "recursive", .integrator = RungeKutta4{1e-4}});
  const auto whole = simulation.run_until(0.002, 0.001);
  for (const int ranks : {1, 2}) {
    const auto [samples, summary] =
        integrated_on(ranks, links_of(mechanism), {kLinks}, {RungeKutta4{1e-4}, 0.002, 0.001, 7});
    ASSERT_EQ(samples.size(), 3U);
    EXPECT_EQ(summary.steps, 20);
    EXPECT_EQ(summary.rates, 4 * 20 + 3);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(samples[k].t, whole.samples[k].t);
      ASSERT_EQ(samples[k].q.size(), 715U);
      for (std::size_t i = 0; i < samples[k].q.size(); ++i) {
        EXPECT_NEAR(samples[k].q[i], whole.samples[k].q(static_cast<Eigen::Index>(7 * i)), 1e-9);
        EXPECT_NEAR(samples[k].q_dot[i], whole.samples[k].v(static_cast<Eigen::Index>(7 * i)),
                    1e-6);
      }
    }
    EXPECT_NEAR(summary.peak_kinetic, samples.back().energies.kinetic,
                0.5 * samples.back().energies.kinetic);
    EXPECT_GT(summary.energy_error, 0.0);
    EXPECT_LT(summary.energy_error, 1e-6 * summary.peak_kinetic);
  }
}

TEST(DistributedIntegration, EndsOnAllRanks) {
  constexpr int kLinks = 5000;
  const auto mechanism = chain(kLinks);
  on_ranks(2, [&](const Ranks& rank) {
    const auto part = distributed::make_part({kLinks}, links_of(mechanism), rank);
    const auto stopped = distributed::integrate(
        *part, rank, {RungeKutta4{1e-4}, 1.0, 0.0, 0}, [](const distributed::ChainSample&) {},
        [](double t) { return t > 4.5e-4; });
    EXPECT_EQ(stopped.steps, 5);
    EXPECT_THROW(distributed::integrate(
                     *part, rank, {RungeKutta4{1e3}, 1e6, 0.0, 0},
                     [](const distributed::ChainSample&) {}, [](double) { return false; }),
                 SimulationError);
    EXPECT_THROW(distributed::integrate(
                     *part, rank, {DormandPrince{}, 1.0, 0.0, 0},
                     [](const distributed::ChainSample&) {}, [](double) { return false; }),
                 UsageError);
  });
}

}  // namespace
}  // namespace hamiltree::test
