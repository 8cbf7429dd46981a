// The impulses of steps: sigma at the end of a step, before the reset, is the integral of the
// reactions lambda over the step, to the order of the integrator.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>

#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::shipped;

// The impulses of one step of h from the start.
Eigen::VectorXd impulse_of_one_step(const Model& model, const std::string& formulation, double h) {
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = RungeKutta4{h};
  Simulation simulation(model, options);
  simulation.run_until(h, h);
  return simulation.step_impulses();
}

// The integral of lambda over [0, h] along a run at 1e-13, by Gauss-Legendre with five points.
Eigen::VectorXd integral_of_lambda(const Model& model, const std::string& formulation, double h) {
  constexpr std::array nodes{0.0469100770306680, 0.2307653449471584, 0.5, 0.7692346550528415,
                             0.9530899229693320};
  constexpr std::array weights{0.1184634425280945, 0.2393143352496832, 0.2844444444444444,
                               0.2393143352496832, 0.1184634425280945};
  Simulation fine(model, test::options(formulation, 1e-13));
  const auto kernel = make_formulation(formulation, model);
  const auto workspace = kernel->make_workspace();
  kernel->analyse(fine.state().view(), *workspace);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(model.constraint_count());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    fine.run_until(h * nodes[i], h);
    const auto state = fine.state();
    EXPECT_EQ(kernel->accelerations(state.view(), *workspace), Status::kOk);
    for (std::size_t k = 0; k < workspace->lambda.size(); ++k) {
      sum(static_cast<Eigen::Index>(k)) += h * weights[i] * workspace->lambda[k];
    }
  }
  return sum;
}

class StepImpulse : public testing::TestWithParam<const char*> {};

// A single step of an order-4 method is wrong by h^5: 2^5 when h is halved.
TEST_P(StepImpulse, IsTheIntegralOfTheReactionToTheOrderOfTheMethod) {
  for (const std::string name : {"four_bar", "chadaj_case_2"}) {
    const auto model =
        shipped(name, name == "four_bar" ? std::vector<std::string>{"joint.A.initial.v=3.0"}
                                         : std::vector<std::string>{});
    double last = 0.0;
    for (const double h : {0.01, 0.005, 0.0025, 0.00125}) {
      const auto expected = integral_of_lambda(model, GetParam(), h);
      const double error = (impulse_of_one_step(model, GetParam(), h) - expected).norm();
      std::printf("%s, %s, h = %g s: error %.3g of %.3g N s", name.c_str(), GetParam(), h, error,
                  expected.norm());
      if (last > 0.0) {
        std::printf(", order %.2f", std::log2(last / error));
        EXPECT_NEAR(std::log2(last / error), 5.0, 0.5);  // measured: 4.57 to 5.00
      }
      std::printf("\n");
      EXPECT_LE(error, 1e-2 * expected.norm());
      last = error;
    }
  }
}

// Over a run the impulses of all steps add up to the integral of the reactions.
TEST_P(StepImpulse, AddUpOverARun) {
  const auto model = shipped("four_bar", {"joint.A.initial.v=3.0"});
  constexpr double kStep = 1e-3;
  constexpr int kSteps = 200;
  SimulationOptions options;
  options.formulation = GetParam();
  options.integrator = RungeKutta4{kStep};
  Simulation simulation(model, options);
  const auto kernel = make_formulation(GetParam(), model);
  const auto workspace = kernel->make_workspace();
  kernel->analyse(simulation.state().view(), *workspace);
  Eigen::VectorXd impulses = Eigen::VectorXd::Zero(model.constraint_count());
  Eigen::VectorXd integral = impulses;
  const auto add_lambda = [&](double weight) {
    ASSERT_EQ(kernel->accelerations(simulation.state().view(), *workspace), Status::kOk);
    for (std::size_t k = 0; k < workspace->lambda.size(); ++k) {
      integral(static_cast<Eigen::Index>(k)) += weight * workspace->lambda[k];
    }
  };
  // Composite rule of Simpson through the ends of the steps.
  add_lambda(kStep / 3.0);
  for (int i = 1; i <= kSteps; ++i) {
    simulation.run_until(kStep * i, kStep);
    impulses += simulation.step_impulses();
    add_lambda(kStep / 3.0 * (i == kSteps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0));
  }
  std::printf("%s: %.3g N s, sums differ by %.2g\n", GetParam(), impulses.norm(),
              (impulses - integral).norm());
  EXPECT_LE((impulses - integral).norm(), 1e-9 * integral.norm());  // measured: 2e-10
}

INSTANTIATE_TEST_SUITE_P(Formulations, StepImpulse, testing::Values("hdca", "recursive", "dense"));

}  // namespace
}  // namespace hamiltree
