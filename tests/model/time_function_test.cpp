// Functions of time: values and two rates against closed forms, against differences and, for what
// is made of pieces, across the joints between them.
#include "hamiltree/model/time_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/math/tracing.hpp"

namespace hamiltree {
namespace {

constexpr double kPi = std::numbers::pi;

const Polynomial kPolynomial{{0.5, -2.0, 0.3, 0.7}};
const Sine kSine{0.2, 1.5, 0.8, 0.4};
const SmoothStep kStep{-1.0, 2.0, 0.5, 1.6};
const Table kTable{{-0.5, 0.1, 0.9, 1.2, 2.5}, {1.0, -0.3, 0.4, 0.6, -1.0}, 0.7, -0.2};

const std::vector<std::pair<std::string, TimeFunction>> kAll{
    {"polynomial", kPolynomial}, {"sine", kSine}, {"smooth_step", kStep}, {"table", kTable}};

void expect_near(const TimeValue<double>& actual, const TimeValue<double>& expected, double error) {
  EXPECT_NEAR(actual.value, expected.value, error);
  EXPECT_NEAR(actual.rate, expected.rate, error);
  EXPECT_NEAR(actual.acceleration, expected.acceleration, error);
}

// The rates are derivatives, at times between the ends of pieces and beyond them. Central
// differences of width h err by h^2 s'''/6 and by 1e-16/h: at most 3e-9 here.
TEST(TimeFunctions, RatesAreDerivatives) {
  constexpr double h = 1e-5;
  for (const auto& [name, description] : kAll) {
    const PiecewiseSine s(description);
    for (const double t : {-1.0, -0.2, 0.3, 0.7, 1.0, 1.7, 2.3, 3.0}) {
      SCOPED_TRACE(name + " at " + std::to_string(t));
      EXPECT_NEAR((s(t + h).value - s(t - h).value) / (2.0 * h), s(t).rate, 2e-8);
      EXPECT_NEAR((s(t + h).rate - s(t - h).rate) / (2.0 * h), s(t).acceleration, 2e-8);
    }
  }
}

TEST(TimeFunctions, Polynomials) {
  const PiecewiseSine s{TimeFunction(kPolynomial)};
  expect_near(s(0.0), {0.5, -2.0, 0.6}, 0.0);
  expect_near(s(2.0), {0.5 - 4.0 + 1.2 + 5.6, -2.0 + 1.2 + 8.4, 0.6 + 8.4}, 1e-14);
  expect_near(s(-1.0), {0.5 + 2.0 + 0.3 - 0.7, -2.0 - 0.6 + 2.1, 0.6 - 4.2}, 1e-14);
  expect_near(PiecewiseSine{TimeFunction(Polynomial{{3.0}})}(7.0), {3.0, 0.0, 0.0}, 0.0);
}

TEST(TimeFunctions, Sines) {
  const PiecewiseSine s{TimeFunction(kSine)};
  const double omega = 2.0 * kPi * 0.8;
  for (const double t : {0.0, 0.3, -4.0}) {
    const double angle = omega * t + 0.4;
    expect_near(s(t),
                {0.2 + 1.5 * std::sin(angle), 1.5 * omega * std::cos(angle),
                 -1.5 * omega * omega * std::sin(angle)},
                1e-13);
  }
}

TEST(TimeFunctions, AreStillByDefault) { expect_near(PiecewiseSine()(1.0), {}, 0.0); }

TEST(TimeFunctions, SmoothStepsRestAtTheirEnds) {
  const PiecewiseSine s{TimeFunction(kStep)};
  for (const double t : {-10.0, 0.0, 0.5}) expect_near(s(t), {-1.0, 0.0, 0.0}, 0.0);
  for (const double t : {2.1, 3.0, 10.0}) expect_near(s(t), {2.0, 0.0, 0.0}, 0.0);
  // Arriving, and half-way: the value in the middle, the rate 15/8 of the mean, no acceleration.
  expect_near(s(std::nextafter(2.1, 0.0)), {2.0, 0.0, 0.0}, 1e-13);
  expect_near(s(1.3), {0.5, 15.0 / 8.0 * 3.0 / 1.6, 0.0}, 1e-14);
}

TEST(TimeFunctions, TablesGoThroughTheirValues) {
  const PiecewiseSine s{TimeFunction(kTable)};
  for (std::size_t i = 0; i < kTable.times.size(); ++i) {
    EXPECT_NEAR(s(kTable.times[i]).value, kTable.values[i], 1e-15) << i;
  }
}

TEST(TimeFunctions, TablesAreSmoothAtTheirKnots) {
  const PiecewiseSine s{TimeFunction(kTable)};
  for (std::size_t i = 1; i + 1 < kTable.times.size(); ++i) {
    SCOPED_TRACE(i);
    expect_near(s(std::nextafter(kTable.times[i], -10.0)), s(kTable.times[i]), 1e-13);
  }
}

TEST(TimeFunctions, TablesGoOnAtTheirEndRates) {
  const PiecewiseSine s{TimeFunction(kTable)};
  expect_near(s(-1.5), {1.0 - 0.7, 0.7, 0.0}, 1e-15);
  expect_near(s(4.5), {-1.0 - 0.4, -0.2, 0.0}, 1e-15);
  EXPECT_NEAR(s(-0.5).rate, 0.7, 1e-15);
  EXPECT_NEAR(s(std::nextafter(2.5, 0.0)).rate, -0.2, 1e-14);
}

// A clamped spline through values of a cubic is that cubic, whatever the knots.
TEST(TimeFunctions, TablesOfACubicAreTheCubic) {
  const PiecewiseSine cubic{TimeFunction(kPolynomial)};
  for (const std::size_t count : {2U, 3U, 4U, 9U}) {
    Table table;
    for (std::size_t i = 0; i < count; ++i) {
      const double u = static_cast<double>(i) / static_cast<double>(count - 1);
      table.times.push_back(-1.0 + 3.0 * u * u);
      table.values.push_back(cubic(table.times.back()).value);
    }
    table.start_rate = cubic(-1.0).rate;
    table.end_rate = cubic(2.0).rate;
    const PiecewiseSine s{TimeFunction(table)};
    SCOPED_TRACE(count);
    for (double t = -1.0; t < 2.0; t += 0.1) expect_near(s(t), cubic(t), 1e-11);
  }
}

// A trace cannot choose a piece, and must agree with what does; at the joints of pieces too.
TEST(TimeFunctions, TracesComputeTheSame) {
  for (const auto& [name, description] : kAll) {
    const PiecewiseSine s(description);
    Trace trace;
    {
      const TraceScope scope(trace);
      const auto traced = s(trace.input("t"));
      trace.output("value", traced.value);
      trace.output("rate", traced.rate);
      trace.output("acceleration", traced.acceleration);
    }
    for (const double t : {-1.0, -0.5, 0.1, 0.5, 0.7, 1.2, 2.1, 2.5, 3.0}) {
      SCOPED_TRACE(name + " at " + std::to_string(t));
      const auto result = trace.evaluate(std::vector{t});
      expect_near(s(t), {result[0], result[1], result[2]}, 1e-14);
    }
  }
}

}  // namespace
}  // namespace hamiltree
