// The Jacobian that MechanismOde gives to bdf against differences of its rates, leaky gauge
// included; and where there is none in closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "hamiltree/simulation/mechanism_ode.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::shipped;

// In the middle of a motion, as bdf would take it up there.
struct Underway {
  explicit Underway(const Model& model, double until = 0.2)
      : ode(model, {.formulation = "recursive", .integrator = Bdf{1e-9, 1e-9}}, diagnostics) {
    Simulation simulation(model);
    simulation.run_until(until, until);
    const auto state = simulation.state();
    t = state.t;
    y = ode.start(state, velocities_of(model, state), {});
    J = Eigen::MatrixXd::Constant(y.size(), y.size(), 7.0);
  }
  Eigen::VectorXd rate(const Eigen::VectorXd& at) {
    Eigen::VectorXd y_dot(at.size());
    EXPECT_TRUE(ode.rate(t, at.data(), y_dot.data()));
    return y_dot;
  }
  Eigen::MatrixXd by_differences() {
    Eigen::MatrixXd all(y.size(), y.size());
    for (Eigen::Index k = 0; k < y.size(); ++k) {
      const double h = 3e-6 * std::max(1.0, std::abs(y(k)));
      Eigen::VectorXd before = y, after = y;
      before(k) -= h;
      after(k) += h;
      all.col(k) = (rate(after) - rate(before)) / (after(k) - before(k));
    }
    return all;
  }

  Diagnostics diagnostics;
  MechanismOde ode;
  double t = 0.0;
  Eigen::VectorXd y;
  Eigen::MatrixXd J;
};

void expect_that_of_the_rates(Underway&& now, const char* name) {
  ASSERT_TRUE(now.ode.jacobian(now.t, now.y.data(), now.J.data()));
  const auto count = now.y.size() - now.ode.integrals();
  const Eigen::MatrixXd expected = now.by_differences().topLeftCorner(count, count);
  const Eigen::MatrixXd error = now.J.topLeftCorner(count, count) - expected;
  double worst = 0.0;  // of a column's largest entry
  for (Eigen::Index k = 0; k < count; ++k)
    worst = std::max(worst, error.col(k).lpNorm<Eigen::Infinity>() /
                                (1.0 + expected.col(k).lpNorm<Eigen::Infinity>()));
  std::printf("%s: %ld entries, differ by %.1e\n", name, static_cast<long>(count), worst);
  EXPECT_LT(worst, 1e-6);
  EXPECT_EQ(now.J.bottomRows(now.ode.integrals()).squaredNorm(), 0.0);
  EXPECT_EQ(now.J.rightCols(now.ode.integrals()).squaredNorm(), 0.0);
}

class StateJacobianOf : public testing::TestWithParam<const char*> {};

TEST_P(StateJacobianOf, IsThatOfTheRates) {
  expect_that_of_the_rates(Underway(shipped(GetParam())), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Shipped, StateJacobianOf,
                         testing::Values("spatial_arm", "hand", "four_bar", "bennett", "stewart",
                                         "suspension", "hexapod", "biped", "motorcycle",
                                         "heavy_top"),
                         [](const auto& info) { return std::string(info.param); });

// As between the joints of a hip that has three of them.
TEST(StateJacobian, IsThatOfTheRatesOfATreeWithABodyWithoutMass) {
  auto mechanism = shipped("spatial_arm").mechanism();
  mechanism.bodies[1].mass = 0.0;
  mechanism.bodies[1].inertia.setZero();
  const Model model(mechanism);
  ASSERT_FALSE(model.visit([](const auto& system) { return system.ballasted.empty(); }));
  expect_that_of_the_rates(Underway(model), "spatial_arm");
}

TEST(StateJacobian, IsNotGivenForCallbacks) {
  auto mechanism = shipped("spatial_arm").mechanism();
  const auto joint = mechanism.joints.front().name;
  mechanism.add(EffortCallback{"brake", joint, [](double, double, double v) { return -v; }, {}});
  Underway called((Model(mechanism)));
  EXPECT_FALSE(called.ode.jacobian(called.t, called.y.data(), called.J.data()));
}

}  // namespace
}  // namespace hamiltree
