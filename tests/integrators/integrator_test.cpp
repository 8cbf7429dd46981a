// Integrators on two pendulums whose motion is known to rounding: observed orders, tolerances,
// reversal, and what methods with loops promise.
#include "hamiltree/integrators/integrator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/integrators/collocation.hpp"
#include "integrators/pendulum.hpp"
#include "support/methods.hpp"

namespace hamiltree {
namespace {

using test::AnglePendulum;
using test::RodPendulum;
using test::with_step;
using test::with_tolerance;

constexpr double kAngle = 2.0;  // released at rest
constexpr double kUntil = 3.0;

std::vector<double> end_of(const Method& method, OdeProblem& problem, std::vector<double> y,
                           double until) {
  const auto integrator = make_integrator(method, problem, 0.0, y.data());
  integrator->advance(until);
  return {integrator->y(), integrator->y() + problem.size()};
}

// By another method, at tolerances next to rounding.
std::vector<double> exact_end() {
  AnglePendulum problem;
  return end_of(DormandPrince{1e-14, 1e-14}, problem, {kAngle, 0.0, 0.0}, kUntil);
}

double error_in_angle(const Method& method) {
  AnglePendulum problem;
  const auto end = end_of(method, problem, {kAngle, 0.0, 0.0}, kUntil);
  const auto exact = exact_end();
  return std::max(
      {std::abs(end[0] - exact[0]), std::abs(end[1] - exact[1]), std::abs(end[2] - exact[2])});
}

double error_on_rod(const Method& method) {
  RodPendulum problem;
  const auto end = end_of(method, problem, {std::sin(kAngle), -std::cos(kAngle), 0.0, 0.0}, kUntil);
  const auto exact = exact_end();
  const double s = std::sin(exact[0]);
  const double c = std::cos(exact[0]);
  return std::max({std::abs(end[0] - s), std::abs(end[1] + c), std::abs(end[2] - c * exact[1]),
                   std::abs(end[3] - s * exact[1])});
}

struct Order {
  const char* name;
  double order;
  double step;  // the larger of two, small enough for the leading term, far above rounding
};

class InTheAngle : public testing::TestWithParam<Order> {};

TEST_P(InTheAngle, OrderIsThatOfTheMethod) {
  const auto& [name, order, step] = GetParam();
  const double coarse = error_in_angle(with_step(name, step));
  const double fine = error_in_angle(with_step(name, step / 2.0));
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << coarse << " " << fine;
}

class OnTheRod : public testing::TestWithParam<Order> {};

TEST_P(OnTheRod, OrderIsThatOfTheMethod) {
  const auto& [name, order, step] = GetParam();
  const double coarse = error_on_rod(with_step(name, step));
  const double fine = error_on_rod(with_step(name, step / 2.0));
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << coarse << " " << fine;
}

const auto kExplicit = testing::Values(
    Order{"euler", 1, 1e-3}, Order{"semi_implicit_euler", 1, 1e-3}, Order{"rk4", 4, 0.05});
const auto kSpark =
    testing::Values(Order{"spark_1", 2, 0.02}, Order{"spark_2", 4, 0.1}, Order{"spark_3", 6, 0.15});
const auto kGauss = testing::Values(Order{"implicit_midpoint", 2, 0.02}, Order{"gauss_4", 4, 0.1},
                                    Order{"gauss_6", 6, 0.15});  // for trees
const auto kName = [](const auto& info) { return std::string(info.param.name); };

INSTANTIATE_TEST_SUITE_P(Explicit, InTheAngle, kExplicit, kName);
INSTANTIATE_TEST_SUITE_P(Gauss, InTheAngle, kGauss, kName);
INSTANTIATE_TEST_SUITE_P(Spark, InTheAngle, kSpark, kName);
INSTANTIATE_TEST_SUITE_P(Explicit, OnTheRod, kExplicit, kName);
INSTANTIATE_TEST_SUITE_P(Spark, OnTheRod, kSpark, kName);

class Adaptive : public testing::TestWithParam<const char*> {};

TEST_P(Adaptive, ErrorFallsWithTheTolerance) {
  double before = 1.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const double error = error_in_angle(with_tolerance(GetParam(), tolerance));
    EXPECT_LT(error, 0.3 * before) << tolerance;
    EXPECT_LT(error, 1e3 * tolerance);
    before = error;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Adaptive,
                         testing::Values("bogacki_shampine", "dormand_prince", "adams", "bdf"),
                         [](const auto& info) { return std::string(info.param); });

// Forward, turned round, and back.
TEST(Symmetric, GoBackToWhereTheyStarted) {
  for (const char* name : {"implicit_midpoint", "gauss_4", "gauss_6"}) {
    const auto method = with_step(name, 0.1);
    AnglePendulum problem;
    auto y = end_of(method, problem, {kAngle, 0.3, 0.0}, 20.0);
    y[1] = -y[1];
    y = end_of(method, problem, y, 20.0);
    EXPECT_NEAR(y[0], kAngle, 1e-11) << name;
    EXPECT_NEAR(y[1], -0.3, 1e-11) << name;
  }
  for (const char* name : {"spark_1", "spark_2", "spark_3"}) {
    const auto method = with_step(name, 0.1);
    RodPendulum problem;
    const double s = std::sin(kAngle);
    const double c = std::cos(kAngle);
    auto y = end_of(method, problem, {s, -c, 0.3 * c, 0.3 * s}, 20.0);
    y[2] = -y[2];
    y[3] = -y[3];
    y = end_of(method, problem, y, 20.0);
    EXPECT_NEAR(y[0], s, 1e-11) << name;
    EXPECT_NEAR(y[2], -0.3 * c, 1e-11) << name;
  }
}

// The part of a step that rounding takes is added to the next one. Plain sums lose 2e-14.
TEST(Gauss, KeepsTheEnergyToRoundingOverManySteps) {
  AnglePendulum pendulum;
  const std::array start{1.0, 0.0, 0.0};
  constexpr double kStep = 0.003;
  const auto integrator = make_integrator(Gauss{3, kStep}, pendulum, 0.0, start.data());
  double worst = 0.0;
  for (int i = 1; i <= 100'000; ++i) {
    integrator->step(i * kStep);
    const double* y = integrator->y();
    worst = std::max(worst, std::abs(0.5 * y[1] * y[1] - std::cos(y[0]) + std::cos(start[0])));
  }
  std::printf("energy off by %.2g\n", worst);
  EXPECT_LE(worst, 2e-15);
}

TEST(Spark, ClosesLoopsToRounding) {
  for (const int stages : {1, 2, 3}) {
    RodPendulum problem;
    const std::vector<double> y{std::sin(kAngle), -std::cos(kAngle), 0.0, 0.0};
    const auto integrator = make_integrator(Spark{stages, 0.1}, problem, 0.0, y.data());
    while (integrator->time() < 50.0) {
      integrator->step(50.0);
      const double* now = integrator->y();
      EXPECT_NEAR(std::hypot(now[0], now[1]), 1.0, 1e-12);
      EXPECT_NEAR(now[0] * now[2] + now[1] * now[3], 0.0, 1e-14);
    }
  }
}

// On a rod whose length is allowed to drift no further than kGap before a restart.
class WatchedRod final : public RodPendulum {
 public:
  static constexpr double kGap = 1e-7;
  explicit WatchedRod(bool manifold, bool watched) : manifold_(manifold), watched_(watched) {}

  double gap(const double* y) {
    double phi = 0.0;
    gaps(0.0, y, &phi);
    return phi;
  }
  bool has_manifold() const override { return manifold_; }
  bool correct(double, const double* y, double* correction) override {
    const double share = -gap(y) / (y[0] * y[0] + y[1] * y[1]);
    correction[0] = share * y[0];
    correction[1] = share * y[1];
    return true;
  }
  bool accept(double t, double* y) override {
    double correction[2];
    correct(t, y, correction);
    for (int i = 0; i < 2; ++i) y[i] += correction[i];
    return RodPendulum::accept(t, y);
  }
  Verdict watch(double, const double* y) override {
    return watched_ && std::abs(gap(y)) > kGap ? Verdict::kRestart : Verdict::kGoOn;
  }

 private:
  bool manifold_, watched_;
};

struct Drift {
  double largest = 0.0;
  long steps = 0;
  IntegratorCounts counts;
};

Drift drift_of(const Method& method, WatchedRod problem) {
  const std::vector<double> y{std::sin(kAngle), -std::cos(kAngle), 0.0, 0.0};
  const auto integrator = make_integrator(method, problem, 0.0, y.data());
  Drift drift;
  while (integrator->time() < 50.0) {
    integrator->step(50.0);
    ++drift.steps;
    drift.largest = std::max(drift.largest, std::abs(problem.gap(integrator->y())));
  }
  drift.counts = integrator->counts();
  return drift;
}

TEST(Bdf, StaysOnAManifold) {
  const auto with = drift_of(Bdf{1e-6, 1e-6}, WatchedRod(true, false)).largest;
  const auto without = drift_of(Bdf{1e-6, 1e-6}, WatchedRod(false, false)).largest;
  std::printf("bdf: %.2g with the correction, %.2g without\n", with, without);
  EXPECT_LE(with, 1e-9);  // the square of what one step leaves
  EXPECT_GE(without, 1e-5);
}

// x' = -1000 (x - 1e-8 sin t), of which a larger number leaves ten digits behind the point, as the
// speed of a robot does of the momenta of its fingers.
class RoundedRelaxation final : public test::WeighedProblem {
 public:
  int size() const override { return 1; }
  bool rate(double t, const double* y, double* y_dot) override {
    ++rates;
    volatile const double rounded = 1e6 - 1e3 * (y[0] - 1e-8 * std::sin(t));
    y_dot[0] = rounded - 1e6;
    return true;
  }
  bool accept(double, double*) override { return true; }
  long rates = 0;
};

// By CVODE's own increments of 1e-16 the matrix is none, and it takes 22 times as many rates.
TEST(Bdf, SeesModesThroughTheRoundingOfRates) {
  RoundedRelaxation problem;
  const double y = 1e-6;
  const auto integrator = make_integrator(Bdf{1e-9, 1e-9}, problem, 0.0, &y);
  integrator->advance(10.0);
  std::printf("%ld rates\n", problem.rates);
  EXPECT_NEAR(integrator->y()[0], 1e-8 * std::sin(10.0), 1e-9);
  EXPECT_LT(problem.rates, 1000);
}

TEST(Adams, StartsAnewWhereItIsTold) {
  const auto free = drift_of(Adams{1e-7, 1e-7}, WatchedRod(false, false));
  const auto watched = drift_of(Adams{1e-7, 1e-7}, WatchedRod(false, true));
  std::printf("adams: %.2g without restarts, %.2g with %ld in %ld steps\n", free.largest,
              watched.largest, watched.counts.restarts, watched.counts.steps);
  EXPECT_EQ(free.counts.restarts, 0);
  EXPECT_GE(free.largest, 5.0 * WatchedRod::kGap);
  EXPECT_GE(watched.counts.restarts, 2);
  EXPECT_LE(watched.counts.restarts, watched.steps / 10);  // it goes on from where it was put
  EXPECT_EQ(watched.counts.steps, watched.steps);
  EXPECT_LE(watched.largest, WatchedRod::kGap);  // at the start of the next step
}

// Explicit Euler winds the pendulum up.
TEST(SemiImplicitEuler, KeepsTheEnergyNearby) {
  const auto energy_error = [](const Method& method) {
    AnglePendulum problem;
    const auto y = end_of(method, problem, {kAngle, 0.0, 0.0}, 100.0);
    return std::abs(0.5 * y[1] * y[1] - std::cos(y[0]) + std::cos(kAngle));
  };
  EXPECT_LE(energy_error(SemiImplicitEuler{0.01}), 0.02);
  EXPECT_GE(energy_error(Euler{0.01}), 0.1);
}

// The conditions under which such a method is symplectic [Jay1998].
TEST(Collocation, IsSymplectic) {
  for (int s = 1; s <= kMaxStages; ++s) {
    const auto& m = collocation(s);
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < s; ++j) {
        EXPECT_NEAR(m.b(i) * m.a(i, j) + m.b(j) * m.a(j, i), m.b(i) * m.b(j), 1e-15);
      }
      for (int j = 0; j <= s; ++j) {
        EXPECT_NEAR(m.b(i) * m.at(i, j) + m.bt(j) * m.ab(j, i), m.b(i) * m.bt(j), 1e-15);
      }
      EXPECT_NEAR(m.a.row(i).sum(), m.c(i), 1e-15);
      EXPECT_NEAR(m.at.row(i).sum(), m.c(i), 1e-15);
    }
    EXPECT_NEAR(m.b.sum(), 1.0, 1e-15);
    EXPECT_NEAR(m.bt.sum(), 1.0, 1e-15);
  }
}

TEST(Integrator, ReachesEveryStopExactlyAndTellsItsSteps) {
  for (const auto& name : method_names()) {
    AnglePendulum problem;
    const std::vector<double> y{kAngle, 0.0, 0.0};
    const auto integrator = make_integrator(*method_from_name(name), problem, 0.0, y.data());
    double sum = 0.0;
    long steps = 0;
    for (const double stop : {0.05, 0.1137, 0.3}) {
      while (integrator->time() < stop) {
        integrator->step(stop);
        sum += integrator->last_step().size;
        ++steps;
        EXPECT_GE(integrator->last_step().order, 1) << name;
        EXPECT_LE(integrator->last_step().order, 12) << name;
      }
      EXPECT_EQ(integrator->time(), stop) << name;
    }
    EXPECT_NEAR(sum, 0.3, 1e-12) << name;
    EXPECT_EQ(integrator->counts().steps, steps) << name;
  }
}

// Refuses steps that begin at `since` (s) or later and are longer than `longest` (s).
class ShortSteps : public RodPendulum {
 public:
  ShortSteps(double since, double longest) : since_(since), longest_(longest) {}

  bool accept_or_refuse(double t, double*) override { return passes(t); }
  Verdict watch(double t, const double*) override {
    return passes(t) ? Verdict::kGoOn : Verdict::kRetake;
  }
  std::string refusal() const override { return is_refused_ ? "the step is too long" : ""; }

 private:
  bool passes(double t) {
    is_refused_ = last_ >= since_ && t - last_ > longest_;
    if (!is_refused_) last_ = t;
    return !is_refused_;
  }

  double since_, longest_, last_ = 0.0;
  bool is_refused_ = false;
};

// The same, and has no finite rates from then on.
class FailingRetakes final : public ShortSteps {
 public:
  using ShortSteps::ShortSteps;

  bool rate(double t, const double* y, double* y_dot) override {
    has_failed_ = has_failed_ || !ShortSteps::refusal().empty();
    return !has_failed_ && ShortSteps::rate(t, y, y_dot);
  }
  std::string refusal() const override { return has_failed_ ? "" : ShortSteps::refusal(); }

 private:
  bool has_failed_ = false;
};

class TakenAgain : public testing::TestWithParam<const char*> {};

TEST_P(TakenAgain, StepsAreShorterWhereTheProblemRefusesThem) {
  constexpr double kLongest = 2e-3;
  ShortSteps problem(0.5, kLongest), free(2.0, 1.0);
  const std::vector<double> y{1.0, 0.0, 0.0, 0.0};
  const auto method = with_tolerance(GetParam(), 1e-8);
  const auto integrator = make_integrator(method, problem, 0.0, y.data());
  const auto reference = make_integrator(method, free, 0.0, y.data());
  reference->advance(1.0);
  long steps = 0;
  while (integrator->time() < 1.0) {
    const double before = integrator->time();
    integrator->step(1.0);
    ++steps;
    const double size = integrator->time() - before;
    EXPECT_NEAR(integrator->last_step().size, size, 1e-15);
    if (before >= 0.5) {
      EXPECT_LE(size, kLongest);
    }
  }
  EXPECT_EQ(integrator->time(), 1.0);
  EXPECT_EQ(integrator->counts().steps, steps);
  EXPECT_GT(integrator->counts().rejected, reference->counts().rejected);
  // Multistep methods begin again a few hundred times: 6e-6.
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(integrator->y()[i], reference->y()[i], 2e-5) << i;
}

TEST_P(TakenAgain, StepsEndWhereTheyBeganIfNoneIsShortEnough) {
  ShortSteps problem(0.5, 0.0);
  const std::vector<double> y{1.0, 0.0, 0.0, 0.0};
  const auto integrator = make_integrator(with_tolerance(GetParam(), 1e-8), problem, 0.0, y.data());
  std::vector<double> last;
  double t = 0.0;
  try {
    while (integrator->time() < 1.0) {
      t = integrator->time();
      last.assign(integrator->y(), integrator->y() + 4);
      integrator->step(1.0);
    }
    ADD_FAILURE() << "it goes on";
  } catch (const SimulationError& error) {
    EXPECT_EQ(error.time(), t);
    const std::string said = error.what();
    EXPECT_NE(said.find("the step is too long, also in steps down to"), std::string::npos) << said;
  }
  EXPECT_EQ(integrator->time(), t);
  EXPECT_GE(t, 0.5);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(integrator->y()[i], last[static_cast<std::size_t>(i)]);
}

TEST_P(TakenAgain, SaysWhyTheFirstWasRefusedWhereTheNextFails) {
  FailingRetakes problem(0.5, 0.0);
  const std::vector<double> y{1.0, 0.0, 0.0, 0.0};
  const auto integrator = make_integrator(with_tolerance(GetParam(), 1e-8), problem, 0.0, y.data());
  try {
    integrator->advance(1.0);
    ADD_FAILURE() << "it goes on";
  } catch (const SimulationError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("s: the step is too long, also in steps down to"), std::string::npos)
        << said;
    EXPECT_EQ(said.find("down to 0 s"), std::string::npos) << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, TakenAgain,
                         testing::Values("dormand_prince", "bogacki_shampine", "bdf", "adams"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Integrator, RefusesWhatMakesNoSense) {
  AnglePendulum angle;
  RodPendulum rod;
  const std::vector<double> y(4, 0.0);
  const auto make = [&](const Method& method, OdeProblem& problem) {
    return make_integrator(method, problem, 0.0, y.data());
  };
  EXPECT_THROW(make(DormandPrince{0.0, 1e-9}, angle), UsageError);
  EXPECT_THROW(make(Bdf{1e-9, -1.0}, angle), UsageError);
  EXPECT_THROW(make(RungeKutta4{0.0}, angle), UsageError);
  EXPECT_THROW(make(Spark{4, 0.1}, angle), UsageError);
  EXPECT_THROW(make(Gauss{2, 0.1}, rod), UsageError);
}

}  // namespace
}  // namespace hamiltree
