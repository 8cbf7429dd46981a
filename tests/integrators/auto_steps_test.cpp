// Auto on a mode that relaxes fast, slowly, or fast for some time only: what it changes to, when,
// and that it is dormand_prince until then.
#include "hamiltree/integrators/auto_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "integrators/pendulum.hpp"

namespace hamiltree {
namespace {

//   x' = -rate(t) (x - cos t) - sin t,   x = cos t
// as often as there are entries.
class Relaxation final : public test::WeighedProblem {
 public:
  explicit Relaxation(std::function<double(double)> rate, int size = 2)
      : rate_(std::move(rate)), size_(size) {}

  int size() const override { return size_; }
  bool rate(double t, const double* y, double* y_dot) override {
    ++rates;
    for (int i = 0; i < size_; ++i) {
      y_dot[i] = -(i == 0 ? rate_(t) : 1.0) * (y[i] - std::cos(t)) - std::sin(t);
    }
    return true;
  }
  bool accept(double, double*) override { return true; }
  void change_method(const Method& method, double, const double*) override {
    methods.emplace_back(to_name(method));
    rates_at_change = rates;
  }

  long rates = 0, rates_at_change = 0;
  std::vector<std::string> methods;

 private:
  std::function<double(double)> rate_;
  int size_;
};

constexpr Auto kAuto{1e-8, 1e-8};

double constant(double rate, double) { return rate; }

TEST(AutoSteps, RefuseTolerancesThatAreNoPositiveNumbers) {
  Relaxation problem([](double t) { return constant(1.0, t); });
  const std::vector<double> y(2, 1.0);
  for (const Auto& wrong : {Auto{-1e-8, 1e-8}, Auto{0.0, 1e-8}, Auto{1e-8, std::nan("")}})
    EXPECT_THROW(AutoSteps(wrong, problem, 0.0, y.data()), UsageError);
}

TEST(AutoSteps, AreDormandPrinceWhereNothingIsStiff) {
  using std::placeholders::_1;
  Relaxation problem(std::bind(constant, 3.0, _1)), same(std::bind(constant, 3.0, _1));
  const std::vector<double> y{1.0, 0.5};
  AutoSteps steps(kAuto, problem, 0.0, y.data());
  Arkode named(ArkodeTable::kDormandPrince, {1e-8, 1e-8}, same, 0.0, y.data());
  while (steps.time() < 20.0) {
    steps.step(20.0);
    named.step(20.0);
    ASSERT_EQ(steps.time(), named.time());
    ASSERT_EQ(steps.y()[0], named.y()[0]);
    ASSERT_EQ(steps.y()[1], named.y()[1]);
  }
  EXPECT_TRUE(steps.changes().empty());
  EXPECT_LE(problem.rates, same.rates + same.rates / 50);  // looks
  EXPECT_STREQ(to_name(steps.method()), "dormand_prince");
}

TEST(AutoSteps, ChangeWhereStabilityLimitsTheSteps) {
  using std::placeholders::_1;
  Relaxation problem(std::bind(constant, 1e5, _1));
  const std::vector<double> y{1.0, 0.5};
  AutoSteps steps(kAuto, problem, 0.0, y.data());
  steps.advance(10.0);
  ASSERT_EQ(steps.changes().size(), 1u);
  EXPECT_EQ(steps.changes()[0].to, "bdf");
  EXPECT_LT(steps.changes()[0].t, 0.02);
  EXPECT_EQ(problem.methods.back(), "bdf");
  std::printf("changed at %.3g s; %ld rates, error %.1e\n", steps.changes()[0].t, problem.rates,
              steps.y()[0] - std::cos(10.0));
  EXPECT_NEAR(steps.y()[0], std::cos(10.0), 1e-6);
  EXPECT_LT(problem.rates, 10000);  // dormand_prince takes two millions
  EXPECT_LE(steps.last_step().order, 5);
}

// Steps that are not lengthened are looked at one after the other; by looks every 25 steps the
// change comes after 360 rates.
TEST(AutoSteps, ChangeSoonWhereStepsAreHeld) {
  using std::placeholders::_1;
  for (const double rate : {3e3, 1e5}) {
    Relaxation problem(std::bind(constant, rate, _1), 5);
    const std::vector<double> y(5, std::cos(1.0));
    AutoSteps steps(kAuto, problem, 1.0, y.data());
    steps.advance(3.0);
    ASSERT_EQ(steps.changes().size(), 1u) << rate;
    std::printf("%g: %ld rates to the change at %.3g s, %ld after it\n", rate,
                problem.rates_at_change, steps.changes()[0].t,
                problem.rates - problem.rates_at_change);
    EXPECT_LT(problem.rates_at_change, 200) << rate;
  }
}

// A fast mode that sets in between two looks.
TEST(AutoSteps, LookAtStepsThatAreHeldAtOnce) {
  long before = 0;
  Relaxation* seen = nullptr;
  Relaxation problem(
      [&](double t) {
        if (t < 2.0) before = seen->rates;
        return t < 2.0 ? 1.0 : 1e5;
      },
      5);
  seen = &problem;
  const std::vector<double> y(5, 1.0);
  AutoSteps steps(kAuto, problem, 0.0, y.data());
  steps.advance(3.0);
  ASSERT_EQ(steps.changes().size(), 1u);
  std::printf("%ld rates from then to the change at %.5g s\n", problem.rates_at_change - before,
              steps.changes()[0].t);
  EXPECT_LT(problem.rates_at_change - before, 200);
}

TEST(AutoSteps, ChangeBackWhereThatEnds) {
  Relaxation problem([](double t) { return t < 2.0 || t > 6.0 ? 1e5 : 1.0; });
  const std::vector<double> y{1.0, 0.5};
  AutoSteps steps(kAuto, problem, 0.0, y.data());
  steps.advance(10.0);
  for (const auto& change : steps.changes())
    std::printf("at %.4g s to %s\n", change.t, change.to.c_str());
  ASSERT_EQ(steps.changes().size(), 3u);
  EXPECT_EQ(steps.changes()[1].to, "dormand_prince");
  EXPECT_GT(steps.changes()[1].t, 2.0);
  EXPECT_LT(steps.changes()[1].t, 6.0);
  EXPECT_EQ(steps.changes()[2].to, "bdf");
  EXPECT_GT(steps.changes()[2].t, 6.0);
  EXPECT_NEAR(steps.y()[0], std::cos(10.0), 1e-6);
}

TEST(AutoSteps, GoOnWithTheMethodOfTheLastChange) {
  using std::placeholders::_1;
  Relaxation problem(std::bind(constant, 1e5, _1));
  const std::vector<double> y{1.0, 0.5};
  const AutoSteps stiff(kAuto, problem, 0.0, y.data(), {{-1.0, "bdf"}});
  EXPECT_STREQ(to_name(stiff.method()), "bdf");
  const AutoSteps again(kAuto, problem, 0.0, y.data(), {{-1.0, "bdf"}, {-0.5, "dormand_prince"}});
  EXPECT_STREQ(to_name(again.method()), "dormand_prince");
}

TEST(AutoSteps, SayWhatIsTooLargeForBdf) {
  using std::placeholders::_1;
  Relaxation problem(std::bind(constant, 1e5, _1), 1001);
  const std::vector<double> y(1001, 1.0);
  AutoSteps steps(kAuto, problem, 0.0, y.data());
  steps.advance(0.02);
  EXPECT_TRUE(steps.changes().empty());
  EXPECT_NE(steps.note().find("stability limits the steps"), std::string::npos) << steps.note();
}

}  // namespace
}  // namespace hamiltree
