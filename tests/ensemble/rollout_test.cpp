// A rollout moves each state as a simulation with the same steps does.
#include "hamiltree/ensemble/rollout.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "hamiltree/simulation/simulation.hpp"
#include "support/pins.hpp"
#include "support/sample_mechanisms.hpp"

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

TEST(Rollout, RefusesLoopsAndOtherMethods) {
  const Model loop(sample_loop(SpaceKind::kPlanar, JointType::kRevolute));
  EXPECT_THROW(Rollout(loop, RungeKutta4{}), UsageError);
  EXPECT_THROW(Rollout(loop.opened(), DormandPrince{}), UsageError);
}

}  // namespace
}  // namespace hamiltree::test
