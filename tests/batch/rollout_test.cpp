// A rollout moves each state as a simulation with the same steps does.
#include "hamiltree/batch/rollout.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "support/folded.hpp"
#include "support/four_bars.hpp"
#include "support/pins.hpp"
#include "support/sample_mechanisms.hpp"
#include "support/shipped.hpp"

namespace hamiltree::test {
namespace {

TEST(Rollout, MovesStatesAsSimulationsDo) {
  Pins random(4);
  const Model model(random.tree(5, Axes::kAny, 2));
  const Method method = RungeKutta4{1e-3};
  const Eigen::Index count = 9;
  Eigen::MatrixXd q(model.coordinate_count(), count), p(model.velocity_count(), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    q.col(k) = random.vector(q.rows());
    p.col(k) = 0.01 * random.vector(p.rows());
  }
  const Eigen::MatrixXd q_0 = q, p_0 = p;
  Rollout(model, method).advance(0.0, 0.0505, 9, q.data(), p.data(), nullptr);
  for (Eigen::Index k = 0; k < count; ++k) {
    Simulation alone(model, {.formulation = "recursive", .integrator = method},
                     {0.0, q_0.col(k), p_0.col(k)});
    const auto last = alone.run_until(0.0505, 0.0505).samples.back();
    EXPECT_LE((q.col(k) - last.q).norm(), 1e-11 * (1.0 + last.q.norm()));
    EXPECT_LE((p.col(k) - last.p).norm(), 1e-11 * (1.0 + last.p.norm()));
  }
}

// Without efforts it does what simulations do; what an effort of 0.2 N m on the crank has done is
// in the energy.
TEST(Rollout, KeepsLoopsOfPinsClosed) {
  constexpr Eigen::Index kCount = 9, kLast = kCount - 1;
  for (const int count : {1, 2}) {
    const Model model(four_bars(count, 8));
    const Method method = RungeKutta4{1e-3};
    const auto start = initial_state(model);
    const auto samples = [&](const auto& q, const auto& p) {
      Simulation alone(model, {.formulation = "recursive", .integrator = method}, {0.0, q, p});
      return alone.run_until(0.3, 0.3).samples;
    };
    Eigen::MatrixXd q = start.q.replicate(1, kCount), p = start.p.replicate(1, kCount);
    for (Eigen::Index k = 0; k < kCount; ++k) p.col(k) *= 1.0 + 0.1 * static_cast<double>(k);
    Eigen::MatrixXd efforts = Eigen::MatrixXd::Zero(p.rows(), kCount);
    efforts(0, kLast) = 0.2;
    const Eigen::MatrixXd p_0 = p;
    Rollout(model, method).advance(0.0, 0.3, kCount, q.data(), p.data(), efforts.data());
    for (Eigen::Index k = 0; k < kLast; ++k) {
      const auto last = samples(start.q, p_0.col(k)).back();
      EXPECT_LE((q.col(k) - last.q).norm(), 1e-11 * (1.0 + last.q.norm()));
      EXPECT_LE((p.col(k) - last.p).norm(), 1e-11 * (1.0 + last.p.norm()));
    }
    const auto energy = [](const Sample& s) { return s.kinetic_energy + s.potential_energy; };
    const auto before = samples(start.q, p_0.col(kLast)).front();
    const auto after = samples(q.col(kLast), p.col(kLast)).front();
    EXPECT_NEAR(energy(after) - energy(before), 0.2 * (after.q(0) - before.q(0)), 1e-7);
    EXPECT_LE(after.position_residual, 1e-14);
  }
}

TEST(Rollout, LeavesStatesAloneWhereItFails) {
  Pins random(4);
  const Model model(random.tree(2, Axes::kAny, 1));
  Eigen::VectorXd q = random.vector(model.coordinate_count());
  Eigen::VectorXd p = random.vector(model.velocity_count());
  const Eigen::VectorXd q_0 = q;
  const Eigen::VectorXd efforts =
      Eigen::VectorXd::Constant(p.size(), std::numeric_limits<double>::quiet_NaN());
  Rollout rollout(model, RungeKutta4{1e-3});
  EXPECT_THROW(rollout.advance(0.0, 0.1, 1, q.data(), p.data(), efforts.data()), SimulationError);
  EXPECT_EQ(q, q_0);
}

// Whether the caller integrates, or waits for the other thread as its own states fail at once.
TEST(Rollout, EndsWhereWhoLooksOnThrows) {
  struct Enough {};
  Pins random(4);
  const Model model(random.tree(2, Axes::kAny, 1));
  const Eigen::Index count = 2 * kLanes;
  Eigen::MatrixXd q = random.vector(model.coordinate_count()).replicate(1, count);
  Eigen::MatrixXd p = random.vector(model.velocity_count()).replicate(1, count);
  Eigen::MatrixXd efforts = Eigen::MatrixXd::Zero(p.rows(), count);
  efforts.leftCols(kLanes).setConstant(std::numeric_limits<double>::quiet_NaN());
  const Eigen::MatrixXd q_0 = q, p_0 = p;
  Rollout rollout(model, RungeKutta4{1e-6}, 2);
  for (int i = 0; i < 20; ++i) {
    int looks = 0;
    rollout.on_step([&] {
      // The other thread begins in the meantime.
      if (++looks == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (looks == 5) throw Enough();
    });
    EXPECT_THROW(rollout.advance(0.0, 0.2, count, q.data(), p.data(), efforts.data()), Enough);
    EXPECT_EQ(looks, 5);
    EXPECT_EQ(q, q_0);
    EXPECT_EQ(p, p_0);
  }
  rollout.on_step([] {});
  rollout.advance(0.0, 1e-5, count, q.data(), p.data(), nullptr);
  EXPECT_NE(q, q_0);
}

// A crank that a drive turns, on which the rod is too short to follow: after 0.0144 s it stops.
TEST(Rollout, EndsWhereALoopStaysOpen) {
  auto mechanism = shipped("driven_slider_crank").mechanism();
  for (auto& joint : mechanism.joints) {
    if (joint.name == "B") joint.guess_q = Eigen::VectorXd::Constant(1, -1.42);
    if (joint.name == "C") joint.at_parent.position.x() = 0.06;
    if (joint.name == "D") joint.guess_q = Eigen::VectorXd::Constant(1, 0.12);
  }
  const Model model(mechanism);
  const auto start = initial_state(model);
  for (const Eigen::Index count : {1, 9}) {
    Eigen::MatrixXd q = start.q.replicate(1, count), p = start.p.replicate(1, count);
    Rollout rollout(model, RungeKutta4{1e-3});
    rollout.advance(0.0, 0.01, count, q.data(), p.data(), nullptr);
    const auto before = q;
    try {
      rollout.advance(0.01, 0.05, count, q.data(), p.data(), nullptr);
      ADD_FAILURE() << "the crank goes on";
    } catch (const SimulationError& error) {
      EXPECT_NE(std::string(error.what()).find("state 0: the loop that joint"), std::string::npos)
          << error.what();
      EXPECT_NEAR(error.time(), 0.017, 0.003);
    }
    EXPECT_EQ(q, before);
  }
}

// State 3 starts open, 5 has an effort that is none, and 11 soon turns beyond all numbers: the
// others go where they go alone.
TEST(Rollout, GoesOnWithTheOthersWhereAStateFails) {
  constexpr Eigen::Index kCount = 13, kIntervals = 4;
  for (const Model& model : {Model(four_bars(1, 8)), shipped("hexapod")}) {
    SCOPED_TRACE(model.name());
    const auto start = initial_state(model);
    const Eigen::Index nq = start.q.size(), nv = start.p.size();
    Eigen::MatrixXd q = start.q.replicate(1, kCount), p = start.p.replicate(1, kCount);
    Eigen::MatrixXd efforts = 0.1 * Eigen::MatrixXd::Ones(nv, kIntervals * kCount);
    for (Eigen::Index k = 0; k < kCount; ++k)
      efforts.middleCols(k * kIntervals, kIntervals) *= static_cast<double>(k);
    q(nq - 1, 3) += 1e-3;
    efforts(0, 5 * kIntervals + 2) = std::numeric_limits<double>::quiet_NaN();
    efforts.col(11 * kIntervals + 1).setConstant(1e200);
    for (const int threads : {1, 2}) {
      Rollout rollout(model, RungeKutta4{1e-3}, threads);
      Eigen::MatrixXd q_end = q, p_end = p;
      Eigen::MatrixXd q_path(nq, (kIntervals + 1) * kCount);
      std::vector<RolloutFailure> failures;
      rollout.run(0.0, 0.005, kIntervals, kCount, q_end.data(), p_end.data(), efforts.data(),
                  {q_path.data(), nullptr}, &failures);
      ASSERT_EQ(failures.size(), 3u);
      EXPECT_EQ(failures[0].state, 3u);
      EXPECT_EQ(failures[0].time, 0.0);
      EXPECT_NE(failures[0].sentence.find(" m at the start"), std::string::npos)
          << failures[0].sentence;
      EXPECT_EQ(failures[1].state, 5u);
      EXPECT_EQ(failures[1].time, 0.01);
      EXPECT_EQ(failures[1].sentence, "the efforts are not finite");
      EXPECT_EQ(failures[2].state, 11u);
      EXPECT_NEAR(failures[2].time, 0.006, 0.0011);
      for (Eigen::Index k = 0; k < kCount; ++k) {
        const bool fails = k == 3 || k == 5 || k == 11;
        EXPECT_EQ(q_end.col(k).hasNaN(), fails) << k;
        EXPECT_EQ(p_end.col(k).hasNaN(), fails) << k;
        if (fails) continue;
        Eigen::VectorXd q_alone = q.col(k), p_alone = p.col(k);
        rollout.run(0.0, 0.005, kIntervals, 1, q_alone.data(), p_alone.data(),
                    efforts.col(k * kIntervals).data());
        EXPECT_LE((q_end.col(k) - q_alone).norm(), 1e-13) << k;
        EXPECT_LE((p_end.col(k) - p_alone).norm(), 1e-13) << k;
      }
      const auto known = [&](Eigen::Index state) {  // points of its path, from the first
        Eigen::Index i = 0;
        while (i <= kIntervals && !q_path.col(state * (kIntervals + 1) + i).hasNaN()) ++i;
        return i;
      };
      EXPECT_EQ(known(3), 0);
      EXPECT_EQ(known(5), 3);
      EXPECT_EQ(known(11), 2);
      EXPECT_EQ(known(12), kIntervals + 1);
    }
    Rollout rollout(model, RungeKutta4{1e-3});
    Eigen::MatrixXd q_end = q, p_end = p;
    EXPECT_THROW(
        rollout.run(0.0, 0.005, kIntervals, kCount, q_end.data(), p_end.data(), efforts.data()),
        SimulationError);
    EXPECT_EQ(q_end, q);
  }
}

// Intervals one by one give the same, bit for bit, on any number of threads.
TEST(Rollout, FollowsEffortsAlongPaths) {
  Pins random(4);
  constexpr Eigen::Index kCount = 21, kIntervals = 5;
  for (const bool floats : {false, true}) {
    const Model model(floats ? random.floating_tree(4, Axes::kAny, 2)
                             : random.tree(4, Axes::kAny, 2));
    const Eigen::Index nq = model.coordinate_count(), nv = model.velocity_count();
    Eigen::MatrixXd q(nq, kCount), p = 0.01 * Eigen::MatrixXd::Ones(nv, kCount);
    for (Eigen::Index k = 0; k < kCount; ++k) {
      q.col(k) = random.vector(nq);
      if (floats) make_probe(model)->normalise(q.col(k).data());
    }
    const Eigen::VectorXd efforts = 0.1 * random.vector(nv * kIntervals * kCount);
    const auto start = q;
    Eigen::MatrixXd q_path(nq, (kIntervals + 1) * kCount), p_path(nv, (kIntervals + 1) * kCount);
    auto q_end = q, p_end = p;
    Rollout(model, RungeKutta4{1e-2}, 1)
        .run(0.0, 0.025, kIntervals, kCount, q_end.data(), p_end.data(), efforts.data(),
             {q_path.data(), p_path.data()});
    auto q_threads = q, p_threads = p;
    Rollout(model, RungeKutta4{1e-2}, 3)
        .run(0.0, 0.025, kIntervals, kCount, q_threads.data(), p_threads.data(), efforts.data());
    EXPECT_EQ(q_end, q_threads);
    EXPECT_EQ(p_end, p_threads);
    Rollout single(model, RungeKutta4{1e-2});
    for (Eigen::Index k = 0; k < kCount; ++k) {
      for (Eigen::Index i = 0; i <= kIntervals; ++i) {
        EXPECT_LE((q_path.col(k * (kIntervals + 1) + i) - q.col(k)).norm(), 1e-13) << k << ' ' << i;
        EXPECT_LE((p_path.col(k * (kIntervals + 1) + i) - p.col(k)).norm(), 1e-13) << k << ' ' << i;
        if (i == kIntervals) break;
        single.advance(0.025 * static_cast<double>(i), 0.025, 1, q.col(k).data(), p.col(k).data(),
                       efforts.data() + (k * kIntervals + i) * nv);
      }
    }
    EXPECT_GT((q_end - start).norm(), 1e-3);
  }
}

// In lanes or one by one, with springs, drives and couplings; on any number of threads.
TEST(Rollout, KeepsAnyLoopsClosed) {
  constexpr Eigen::Index kCount = 11;
  for (const auto& model :
       {shipped("stewart"), shipped("suspension"), shipped("hexapod"), shipped("planetary_gear"),
        shipped("scotch_yoke"), shipped("driven_slider_crank"), shipped("spatial_slider_crank"),
        shipped("excavator"), shipped("bennett"), shipped("bricard"), shipped("door")}) {
    SCOPED_TRACE(model.name());
    const Method method = RungeKutta4{1e-3};
    const auto start = initial_state(model);
    Eigen::MatrixXd q = start.q.replicate(1, kCount), p = start.p.replicate(1, kCount);
    for (Eigen::Index k = 0; k < kCount; ++k) p.col(k) *= 1.0 + 0.1 * static_cast<double>(k);
    const Eigen::MatrixXd q_0 = q, p_0 = p;
    Rollout(model, method).advance(0.0, 0.05, kCount, q.data(), p.data(), nullptr);
    Eigen::MatrixXd q_threads = q_0, p_threads = p_0;
    Rollout(model, method, 2)
        .advance(0.0, 0.05, kCount, q_threads.data(), p_threads.data(), nullptr);
    EXPECT_EQ(q, q_threads);
    EXPECT_EQ(p, p_threads);
    for (const Eigen::Index k : {Eigen::Index(0), kCount - 1}) {
      Simulation alone(model, {.formulation = "recursive", .integrator = method},
                       {0.0, q_0.col(k), p_0.col(k)});
      const auto last = alone.run_until(0.05, 0.05).samples.back();
      EXPECT_LE((q.col(k) - last.q).norm(), 1e-11 * (1.0 + last.q.norm()));
      EXPECT_LE((p.col(k) - last.p).norm(), 1e-11 * (1.0 + last.p.norm()));
      const auto probe = make_probe(model);
      probe->place(0.05, q.col(k).data());
      EXPECT_LE(probe->position_residual(), 1e-13);
    }
    EXPECT_GT((q - q_0).norm(), 1e-6);
  }
}

// Which way a flat parallelogram at rest goes on, rates do not see.
TEST(Rollout, DoesNotStartAtSingularPoses) {
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    const Model model(folded_four_bar({.angles = {0.1, -0.1, 0.1}}, space));
    const auto beside = initial_state(model);
    Eigen::MatrixXd q = beside.q.replicate(1, 10), p = beside.p.replicate(1, 10);
    q.col(8).setZero();
    std::vector<RolloutFailure> failures;
    Rollout rollout(model, RungeKutta4{1e-3});
    rollout.advance(0.5, 0.01, 10, q.data(), p.data(), nullptr, &failures);
    ASSERT_EQ(failures.size(), 1u);
    EXPECT_EQ(failures[0].state, 8u);
    EXPECT_EQ(failures[0].time, 0.5);
    EXPECT_EQ(failures[0].sentence,
              "the start is a singular pose at joint \"C\", where loops can move in several ways; "
              "start beside it");
    EXPECT_TRUE(q.col(8).hasNaN());
    EXPECT_FALSE(q.col(9).hasNaN());
  }
}

TEST(Rollout, RefusesOpenLoopsAndOtherMethods) {
  const Model loop(sample_loop(SpaceKind::kPlanar, JointType::kRevolute));
  EXPECT_THROW(Rollout(loop, RungeKutta4{}), UsageError);  // whose start does not close
  EXPECT_THROW(Rollout(loop.opened(), DormandPrince{}), UsageError);
}

}  // namespace
}  // namespace hamiltree::test
