// Dense output: between the ends of a step it is of the order of the method, whatever the problem
// does to the end, and it ends with the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "hamiltree/integrators/integrator.hpp"
#include "integrators/pendulum.hpp"
#include "support/methods.hpp"

namespace hamiltree {
namespace {

using test::AnglePendulum;
using test::with_tolerance;

// A pendulum that is given a kick where a step, or a row of steps before a restart, ends.
class KickedPendulum : public test::WeighedProblem {
 public:
  int size() const override { return 2; }
  int coordinates() const override { return 1; }
  bool rate(double, const double* y, double* y_dot) override {
    y_dot[0] = y[1];
    y_dot[1] = -std::sin(y[0]);
    return true;
  }
  bool accept(double, double* y) override {
    y[1] += y[1] > 0.0 ? -0.05 : 0.05;
    return true;
  }
};

// From (t, y) on, undisturbed.
std::vector<double> exact_at(double t, double from, const std::vector<double>& y) {
  AnglePendulum problem;
  const std::vector<double> start{y[0], y[1], 0.0};
  const auto integrator = make_integrator(RungeKutta4{1e-4}, problem, from, start.data());
  integrator->advance(t);
  return {integrator->y(), integrator->y() + 2};
}

struct WithinStep {
  double size, error;
};

// The error at a share of the first step that is not much shorter than asked for.
WithinStep look_within_a_step(const char* method, double h, double share) {
  KickedPendulum problem;
  const std::vector<double> start{1.0, 0.3};
  const auto integrator = make_integrator(with_tolerance(method, 10.0), problem, 0.0, start.data());
  for (int i = 0; i < 100; ++i) {
    const double t = integrator->time();
    const std::vector<double> begin(integrator->y(), integrator->y() + problem.size());
    integrator->step(t + h);
    const double size = integrator->last_step().size;
    if (size < 0.3 * h) continue;
    std::vector<double> y(begin.size());
    integrator->interpolate(t + share * size, y.data());
    const auto exact = exact_at(t + share * size, t, begin);
    return {size, std::max(std::abs(y[0] - exact[0]), std::abs(y[1] - exact[1]))};
  }
  ADD_FAILURE() << "no step is as long as " << h;
  return {};
}

struct DenseOrder {
  const char* method;
  int order;
};

class WithinAStep : public testing::TestWithParam<DenseOrder> {};

TEST_P(WithinAStep, DenseOutputIsOfTheOrderOfTheMethod) {
  const auto [method, order] = GetParam();
  for (const double share : {0.1, 0.35, 0.6, 0.9}) {
    const auto coarse = look_within_a_step(method, 0.4, share);
    const auto fine = look_within_a_step(method, 0.2, share);
    const double observed =  // of the method: of one step it is one more
        std::log(coarse.error / fine.error) / std::log(coarse.size / fine.size) - 1.0;
    std::printf("%s at %.2f: error %.2g, order %.2f\n", method, share, fine.error, observed);
    EXPECT_GT(observed, order - 0.4) << share;
  }
}

INSTANTIATE_TEST_SUITE_P(Pairs, WithinAStep,
                         testing::Values(DenseOrder{"bogacki_shampine", 3},
                                         DenseOrder{"dormand_prince", 5}),
                         [](const auto& info) { return std::string(info.param.method); });

class DenseMethods : public testing::TestWithParam<const char*> {};

TEST_P(DenseMethods, KeepTheirTolerancesBetweenSteps) {
  constexpr double kTolerance = 1e-8;
  const std::vector<double> start{2.0, 0.0, 0.0};
  AnglePendulum problem, reference;
  const auto exact = make_integrator(RungeKutta4{1e-4}, reference, 0.0, start.data());
  const auto integrator =
      make_integrator(with_tolerance(GetParam(), kTolerance), problem, 0.0, start.data());
  ASSERT_TRUE(integrator->has_dense_output());
  double worst = 0.0;
  std::vector<double> y(start.size());
  while (integrator->time() < 3.0) {
    const double before = integrator->time();
    integrator->step(3.0);
    for (const double share : {0.25, 0.5, 1.0}) {
      const double t = before + share * (integrator->time() - before);
      exact->advance(t);
      integrator->interpolate(t, y.data());
      for (std::size_t i = 0; i < 2; ++i) worst = std::max(worst, std::abs(y[i] - exact->y()[i]));
    }
  }
  std::printf("%s: %.2g\n", GetParam(), worst);
  EXPECT_LT(worst, 1e2 * kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Adaptive, DenseMethods,
                         testing::Values("auto", "bogacki_shampine", "dormand_prince", "adams",
                                         "bdf"),
                         [](const auto& info) { return std::string(info.param); });

// Asks for a restart after every fourth step.
class RestartedPendulum final : public KickedPendulum {
 public:
  Verdict watch(double, const double*) override {
    return ++steps_ % 4 == 0 ? Verdict::kRestart : Verdict::kGoOn;
  }

 private:
  int steps_ = 0;
};

TEST(DenseOutput, OfMultistepMethodsIsThereAfterARestart) {
  for (const char* method : {"adams", "bdf"}) {
    RestartedPendulum problem;
    const std::vector<double> start{1.0, 0.3};
    const auto integrator =
        make_integrator(with_tolerance(method, 1e-9), problem, 0.0, start.data());
    for (int i = 1; i <= 40; ++i) {
      const std::vector<double> begin(integrator->y(), integrator->y() + problem.size());
      const double t = integrator->time();
      integrator->step(10.0);
      std::vector<double> y(begin.size());
      const double middle = 0.5 * (t + integrator->time());
      integrator->interpolate(middle, y.data());
      const auto exact = exact_at(middle, t, begin);
      for (std::size_t k = 0; k < y.size(); ++k)
        EXPECT_NEAR(y[k], exact[k], 1e-7) << method << " step " << i;
    }
    EXPECT_EQ(integrator->counts().restarts, 10);
    EXPECT_EQ(integrator->counts().steps, 40);
  }
}

}  // namespace
}  // namespace hamiltree
