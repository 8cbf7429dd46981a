// Mechanisms whose motion is prescribed in part, and those with screws, gears, slots and crosses:
// against closed forms, against equations of motion of their own, and the work of drives against
// the energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include "support/gravity.hpp"
#include "support/newton_euler.hpp"
#include "support/recorded.hpp"

namespace hamiltree {
namespace {

using test::column;
using test::error;
using test::kGravity;
using test::run;
using test::shipped;

class Driven : public testing::TestWithParam<const char*> {
 protected:
  const char* formulation() const { return GetParam(); }
};

// Composite rule of Boole through samples at equal distances, four steps at a time.
double integral(const std::vector<double>& values, double step) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 4 < values.size(); i += 4) {
    sum += 7.0 * (values[i] + values[i + 4]) + 32.0 * (values[i + 1] + values[i + 3]) +
           12.0 * values[i + 2];
  }
  return sum * 2.0 * step / 45.0;
}

// Energy gained minus work done, of the range of the energy; the work from samples of the power.
double open_balance(const Recording& recording, const std::vector<double>& power, double step) {
  double lowest = 1e300;
  double highest = -1e300;
  for (const auto& sample : recording.samples) {
    const double energy = sample.kinetic_energy + sample.potential_energy;
    lowest = std::min(lowest, energy);
    highest = std::max(highest, energy);
  }
  const auto& first = recording.samples.front();
  const auto& last = recording.samples.back();
  const double gained =
      last.kinetic_energy + last.potential_energy - first.kinetic_energy - first.potential_energy;
  return std::abs(gained - integral(power, step)) / (highest - lowest);
}

// x_D = r cos a + sqrt(l^2 - r^2 sin^2 a), the rod at -asin(r sin a / l).
TEST_P(Driven, SliderCrankIsItsClosedForm) {
  const auto recording = run(shipped("driven_slider_crank"), formulation(), 1e-12, 2.0, 0.01);
  constexpr double r = 0.1;
  constexpr double l = 0.3;
  constexpr double w = 10.0;
  const auto a = [](double t) { return 0.5 + w * t; };
  const auto rod = [&](double t) { return -std::asin(r * std::sin(a(t)) / l); };
  const auto x = [&](double t) { return r * std::cos(a(t)) + l * std::cos(rod(t)); };
  const auto v = [&](double t) {
    return -r * w * std::sin(a(t)) + r * w * std::cos(a(t)) * std::tan(rod(t));
  };
  const std::array errors{error(recording, "q.D", x), error(recording, "v.D", v),
                          error(recording, "q.B", [&](double t) { return rod(t) - a(t); }),
                          error(recording, "A.q", a),
                          error(recording, "A.v", [](double) { return w; })};
  std::printf("%s: q_D %.2g, v_D %.2g, q_B %.2g, drive %.2g and %.2g\n", formulation(), errors[0],
              errors[1], errors[2], errors[3], errors[4]);
  for (const double e : errors) EXPECT_LE(e, 1e-11);
}

// The drive's effort times its rate is the only power.
TEST_P(Driven, SliderCrankTakesTheWorkOfItsDrive) {
  constexpr double kStep = 5e-4;
  const auto recording = run(shipped("driven_slider_crank"), formulation(), 1e-12, 1.0, kStep);
  auto power = column(recording, "drive.drive");
  for (auto& effort : power) effort *= 10.0;
  const double open = open_balance(recording, power, kStep);
  std::printf("%s: energy and work differ by %.2g of the energy's range\n", formulation(), open);
  EXPECT_LE(open, 1e-10);
}

// With freedom left: the pivot's force on the rod times the pivot's velocity.
TEST_P(Driven, PendulumTakesTheWorkOfItsPivot) {
  constexpr double kStep = 5e-5;
  const auto recording = run(shipped("pendulum_on_moving_pivot"), formulation(), 1e-12, 0.5, kStep);
  auto power = column(recording, "pivot.force.y");
  const double w = 2.0 * std::numbers::pi * 30.0;
  for (std::size_t i = 0; i < power.size(); ++i) {
    power[i] *= 0.02 * w * std::cos(w * recording.samples[i].t);
  }
  const double open = open_balance(recording, power, kStep);
  std::printf("%s: energy and work differ by %.2g of the energy's range\n", formulation(), open);
  EXPECT_LE(open, 1e-10);
}

// At single states: the rate of the energy on dual numbers is the power of what the joints say.
TEST_P(Driven, PowerOfReactionsIsTheRateOfTheEnergy) {
  for (const std::string name : {"driven_slider_crank", "scotch_yoke", "pendulum_on_moving_pivot",
                                 "cardan_shaft", "screw_press", "gear_pair"}) {
    const auto model = shipped(name);
    Simulation simulation(model, test::options(formulation(), 1e-9));
    const auto kernel = make_formulation(formulation(), model);
    const auto workspace = kernel->make_workspace();
    kernel->analyse(simulation.state().view(), *workspace);
    double worst_power = 0.0;
    double worst_force = 0.0;
    for (int i = 1; i <= 20; ++i) {
      simulation.run_until(0.05 * i, 0.05);
      const auto state = simulation.state();
      ASSERT_EQ(kernel->accelerations(state.view(), *workspace), Status::kOk);
      const auto balance = model.visit([&](const auto& system) {
        return test::newton_euler(system, *kernel, *workspace, state.t, state.q);
      });
      worst_power = std::max(worst_power, balance.power_residual / balance.power_size);
      worst_force = std::max(worst_force, balance.residual / balance.size);
    }
    std::printf("%s by %s: power %.2g, forces %.2g\n", name.c_str(), formulation(), worst_power,
                worst_force);
    EXPECT_LE(worst_power, 1e-12) << name;
    EXPECT_LE(worst_force, 1e-12) << name;
  }
}

// L q'' = (g - A w^2 sin w t) sin q by the classical Runge-Kutta method, with steps so small that
// twice as many change less than 1e-11.
std::vector<double> kapitza(int outputs, int steps_between, double every) {
  constexpr double L = 0.2;
  constexpr double A = 0.02;
  const double w = 2.0 * std::numbers::pi * 30.0;
  using State = std::array<double, 2>;
  const auto rate = [&](double t, const State& y) {
    return State{y[1], (kGravity - A * w * w * std::sin(w * t)) * std::sin(y[0]) / L};
  };
  const auto moved = [](const State& y, double h, const State& f) {
    return State{y[0] + h * f[0], y[1] + h * f[1]};
  };
  State y{0.2, 0.0};
  std::vector<double> q{y[0]};
  const double h = every / steps_between;
  for (int i = 0; i < outputs; ++i) {
    for (int k = 0; k < steps_between; ++k) {
      const double t = every * i + h * k;
      const auto a = rate(t, y);
      const auto b = rate(t + 0.5 * h, moved(y, 0.5 * h, a));
      const auto c = rate(t + 0.5 * h, moved(y, 0.5 * h, b));
      const auto d = rate(t + h, moved(y, h, c));
      for (std::size_t n = 0; n < 2; ++n) y[n] += h / 6.0 * (a[n] + 2.0 * (b[n] + c[n]) + d[n]);
    }
    q.push_back(y[0]);
  }
  return q;
}

TEST_P(Driven, PendulumMovesAsItsOwnEquation) {
  constexpr double kEvery = 0.02;
  const auto expected = kapitza(100, 4000, kEvery);
  const auto coarser = kapitza(100, 2000, kEvery);
  const auto recording =
      run(shipped("pendulum_on_moving_pivot"), formulation(), 1e-12, 2.0, kEvery);
  const auto q = column(recording, "q.pivot");
  ASSERT_EQ(q.size(), expected.size());
  double largest = 0.0;
  double own = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    largest = std::max(largest, std::abs(q[i] - expected[i]));
    own = std::max(own, std::abs(coarser[i] - expected[i]));
  }
  std::printf("%s: differs by %.2g rad; steps twice as long change %.2g\n", formulation(), largest,
              own);
  EXPECT_LE(own, 1e-11);
  EXPECT_LE(largest, 1e-9);
}

TEST_P(Driven, GearsSwingTogether) {
  const auto recording = run(shipped("gear_pair"), formulation(), 1e-12, 10.0, 0.05);
  const auto swing = [](double t) { return 1.5 * std::cos(2.0 * t); };
  const double first = error(recording, "q.shaft_1", swing);
  const double second = error(recording, "shaft_2.q", [&](double t) { return -0.5 * swing(t); });
  std::printf("%s: %.2g and %.2g rad\n", formulation(), first, second);
  EXPECT_LE(first, 1e-9);
  EXPECT_LE(second, 1e-9);
}

// tan b = cos(beta) tan a, b' / a' = cos(beta) / (cos^2 a + cos^2 beta sin^2 a).
TEST_P(Driven, CrossTurnsTheOutputUnevenly) {
  const auto recording = run(shipped("cardan_shaft"), formulation(), 1e-12, 3.0, 0.01);
  const auto a = column(recording, "q.input");
  const auto a_rate = column(recording, "v.input");
  const auto b = column(recording, "output.q");
  const auto b_rate = column(recording, "output.v");
  double angle = 0.0;
  double ratio = 0.0;
  double invariant = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double s = std::sin(a[i]);
    const double c = std::cos(a[i]);
    const double r = 0.8 / (c * c + 0.64 * s * s);
    // Zero where tan b = 0.8 tan a, whatever the branch.
    angle = std::max(angle, std::abs(std::sin(b[i]) * c - 0.8 * std::cos(b[i]) * s));
    ratio = std::max(ratio, std::abs(b_rate[i] / a_rate[i] - r));
    invariant = std::max(invariant, std::abs(a_rate[i] - 10.0 * std::sqrt(2.64 / (2.0 + r * r))));
  }
  std::printf("%s: angle %.2g, ratio of rates %.2g, rate of the input %.2g rad/s\n", formulation(),
              angle, ratio, invariant);
  EXPECT_LE(angle, 1e-12);
  EXPECT_LE(ratio, 1e-12);
  EXPECT_LE(invariant, 1e-9);
}

TEST_P(Driven, YokeMovesHarmonically) {
  const auto recording = run(shipped("scotch_yoke"), formulation(), 1e-12, 2.0, 0.01);
  const std::array errors{
      error(recording, "q.guide", [](double t) { return 0.1 * std::cos(10.0 * t); }),
      error(recording, "v.guide", [](double t) { return -std::sin(10.0 * t); }),
      error(recording, "pin.force.x", [](double t) { return 5.0 * std::cos(10.0 * t); }),
      error(recording, "pin.force.y", [](double) { return 0.0; }),
      error(recording, "pin.moment", [](double) { return 0.0; }),
      error(recording, "guide.force.y", [](double) { return 0.5 * kGravity; }),
      error(recording, "drive.drive", [](double t) { return 0.25 * std::sin(20.0 * t); })};
  std::printf("%s: q %.2g, v %.2g, force %.2g, %.2g, moment %.2g, guide %.2g, drive %.2g\n",
              formulation(), errors[0], errors[1], errors[2], errors[3], errors[4], errors[5],
              errors[6]);
  for (const double e : errors) EXPECT_LE(e, 1e-11);
}

// Constant acceleration: the integrator is exact but for rounding.
TEST_P(Driven, PressSinksEvenly) {
  const auto recording = run(shipped("screw_press"), formulation(), 1e-12, 3.0, 0.05);
  const double nut = error(recording, "q.nut", [](double t) { return -19.62 * t * t; });
  const double guide = error(recording, "platen.q", [](double t) { return -0.3924 * t * t; });
  const double rate = error(recording, "platen.v", [](double t) { return -0.7848 * t; });
  std::printf("%s: nut %.2g rad, guide %.2g m, %.2g m/s\n", formulation(), nut, guide, rate);
  EXPECT_LE(nut, 1e-10);
  EXPECT_LE(guide, 1e-11);
  EXPECT_LE(rate, 1e-11);
}

// A mimicking joint far out on a chain, a slider after a pin, a chain of couplings.
TEST_P(Driven, CouplingsHold) {
  Mechanism mechanism;
  mechanism.name = "mimicry";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -kGravity, 0.0};
  std::string parent = kGround;
  for (int b = 0; b < 5; ++b) {
    BodyDescription body;
    body.name = "B" + std::to_string(b);
    body.mass = 1.0 - 0.1 * b;
    body.com = {0.2, 0.05, 0.0};
    body.inertia(2, 2) = 0.02;
    mechanism.add(body);
    JointDescription joint;
    joint.name = "J" + std::to_string(b);
    joint.type = b == 3 ? JointType::kPrismatic : JointType::kRevolute;
    joint.parent = parent;
    joint.child = body.name;
    if (b > 0) joint.at_parent.position = {0.4, 0.0, 0.0};
    if (b == 1) joint.initial_q = Eigen::VectorXd(Eigen::VectorXd::Constant(1, 0.4));
    mechanism.add(joint);
    parent = body.name;
  }
  mechanism.add(Coupling{"a", "J2", "J1", -0.7, 0.3, {}});
  mechanism.add(Coupling{"b", "J3", "J0", 0.15, -0.1, {}});  // m/rad
  mechanism.add(Coupling{"c", "J4", "J2", 1.3, 0.0, {}});
  const auto recording = run(Model(mechanism), formulation(), 1e-9, 3.0, 0.01);
  EXPECT_EQ(recording.summary.model.degrees_of_freedom, 2);
  double worst = 0.0;
  double worst_rate = 0.0;
  double motion = 0.0;
  for (const auto& coupling : mechanism.couplings) {
    const auto q_i = column(recording, "q." + coupling.joint);
    const auto q_j = column(recording, "q." + coupling.to);
    const auto v_i = column(recording, "v." + coupling.joint);
    const auto v_j = column(recording, "v." + coupling.to);
    for (std::size_t k = 0; k < q_i.size(); ++k) {
      worst = std::max(worst, std::abs(q_i[k] - coupling.offset - coupling.ratio * q_j[k]));
      worst_rate = std::max(worst_rate, std::abs(v_i[k] - coupling.ratio * v_j[k]));
      motion = std::max(motion, std::abs(q_i[k] - q_i[0]));
    }
  }
  std::printf("%s: missed by %.2g, rates by %.2g, of a motion of %.2g; energy %.2g\n",
              formulation(), worst, worst_rate, motion,
              recording.summary.energy.max_relative_error);
  EXPECT_LE(worst, 1e-13);
  EXPECT_LE(worst_rate, 1e-12);
  EXPECT_GT(motion, 0.5);
  EXPECT_LE(recording.summary.energy.max_relative_error, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Formulations, Driven, testing::Values("hdca", "recursive"));

}  // namespace
}  // namespace hamiltree
