// Traces laid out as programs, against the traces themselves and their derivatives in closed form.
#include "hamiltree/math/trace_program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/math/tracing.hpp"

namespace hamiltree {
namespace {

constexpr std::size_t kProgramInputs = 6;
constexpr TraceProgram::Inputs kMoving{2, 4};
constexpr std::size_t kEarly = 2;

// Sums of products of many shapes, shared and not, of inputs that move and of others.
Trace random_trace(std::mt19937_64& random) {
  Trace trace;
  const TraceScope scope(trace);
  std::vector<Traced> x;
  for (std::size_t i = 0; i < kProgramInputs; ++i) x.push_back(trace.input("x"));
  const auto pick = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  const auto some = [&] { return x[pick(x.size())]; };
  for (int i = 0; i < 60; ++i) {
    Traced sum(0.25);
    const auto terms = 1 + pick(5);
    for (std::size_t k = 0; k < terms; ++k) {
      switch (pick(5)) {
        case 0:
          sum = sum + some() * some();
          break;
        case 1:
          sum = sum - some() * some();
          break;
        case 2:
          sum = -sum + Traced(0.75) * some();
          break;
        case 3:
          sum = some() - sum;
          break;
        default: {
          const Traced angle = some(), other = pick(2) == 0 ? angle : some();
          sum = sum + sin(angle) * cos(other) / (Traced(2.0) + some() * some());
        }
      }
    }
    x.push_back(tanh(sum));  // so that nothing grows
    if (pick(3) == 0) x.push_back(select(some() < some(), sum, -sum));
  }
  for (int i = 0; i < 5; ++i) trace.output("y", x[x.size() - 1 - pick(20)]);
  trace.output("y", x[3]);  // an input as it is
  return trace;
}

std::vector<double> some_numbers(std::size_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x(count);
  for (auto& each : x) each = uniform(random);
  return x;
}

double product(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

class RandomPrograms : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPrograms, GiveTheValuesOfTheirTraces) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  std::mt19937_64 random(GetParam());
  const auto trace = random_trace(random);
  TraceProgram program(trace, kEarly, kMoving);
  auto x = some_numbers(kProgramInputs, random);
  // All inputs change, those that move, the others.
  for (const std::size_t changed :
       {kProgramInputs, std::size_t{2}, std::size_t{3}, std::size_t{5}}) {
    if (changed < kProgramInputs) x[changed] += 0.125;
    program.evaluate(x);
    const auto expected = trace.evaluate(x);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(program.output(i), expected[i], 1e-13 * (1.0 + std::abs(expected[i]))) << i;
  }
}

TEST_P(RandomPrograms, PushWhatDifferencesShow) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  std::mt19937_64 random(GetParam());
  const auto trace = random_trace(random);
  TraceProgram program(trace, kEarly, kMoving);
  const auto x = some_numbers(kProgramInputs, random), along = some_numbers(kProgramInputs, random);
  constexpr double kStep = 1e-6;
  auto after = x, before = x;
  for (std::size_t i = 0; i < kProgramInputs; ++i) {
    after[i] += kStep * along[i];
    before[i] -= kStep * along[i];
  }
  const auto up = trace.evaluate(after), down = trace.evaluate(before);
  std::vector<double> pushed(program.outputs());
  program.evaluate(x);
  program.push(along, pushed);
  for (std::size_t i = 0; i < pushed.size(); ++i) {
    const double slope = (up[i] - down[i]) / (2.0 * kStep);
    EXPECT_NEAR(pushed[i], slope, 1e-6 * (1.0 + std::abs(slope))) << i;
  }
}

TEST_P(RandomPrograms, PullWhatTheyPushTransposed) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  std::mt19937_64 random(GetParam());
  TraceProgram program(random_trace(random), kEarly, kMoving);
  program.evaluate(some_numbers(kProgramInputs, random));
  const auto along = some_numbers(kProgramInputs, random);
  std::vector<double> pushed(program.outputs());
  program.push(along, pushed);
  const auto back = some_numbers(program.outputs(), random);
  for (const auto count : {kEarly, back.size()}) {
    const std::vector<double> some(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<double> pulled(kProgramInputs, 0.0);
    program.pull(some, pulled);
    const double there = product(some, pushed);
    EXPECT_NEAR(product(pulled, along), there, 1e-12 * (1.0 + std::abs(there)));
  }
}

// Also where what moves, or all, has changed since all outputs were evaluated.
TEST_P(RandomPrograms, EvaluateEarlyOutputsAlone) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  std::mt19937_64 random(GetParam());
  const auto trace = random_trace(random);
  TraceProgram program(trace, kEarly, kMoving), whole(trace, kEarly, kMoving);
  auto x = some_numbers(kProgramInputs, random);
  const auto early = some_numbers(kEarly, random), all = some_numbers(program.outputs(), random);
  const auto expect_same_pull = [&](const std::vector<double>& outputs) {
    std::vector<double> pulled(kProgramInputs, 0.0), expected(kProgramInputs, 0.0);
    program.pull(outputs, pulled);
    whole.pull(outputs, expected);
    EXPECT_EQ(pulled, expected);
  };
  for (const std::size_t changed : {kMoving.first, std::size_t{0}}) {
    program.evaluate(x);
    x[changed] += 0.125;
    program.evaluate_early(x);
    whole.evaluate(x);
    for (std::size_t i = 0; i < kEarly; ++i) EXPECT_EQ(program.output(i), whole.output(i)) << i;
    expect_same_pull(early);
    x[kMoving.first] += 0.125;
    program.evaluate(x);  // the late ones, of which none is known
    whole.evaluate(x);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(program.output(i), whole.output(i)) << i;
    expect_same_pull(all);
  }
}

// First to the inputs that move, of some outputs; then to all, of early ones beside.
TEST_P(RandomPrograms, PullInTwoPartsWhatTheyPullAtOnce) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  std::mt19937_64 random(GetParam());
  TraceProgram program(random_trace(random), kEarly, kMoving);
  program.evaluate(some_numbers(kProgramInputs, random));
  const auto all = some_numbers(program.outputs(), random), early = some_numbers(kEarly, random);
  for (const auto count : {kEarly, all.size()}) {
    const std::vector<double> some(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<double> of_some(kProgramInputs, 0.0), of_early(kProgramInputs, 0.0);
    program.pull(some, of_some);
    program.pull(early, of_early);
    std::vector<double> moving(kProgramInputs, 0.0), pulled(kProgramInputs, 0.0);
    program.pull_moving(some, moving);
    program.pull(early, pulled);
    for (std::size_t i = 0; i < kProgramInputs; ++i) {
      const bool moves = kMoving.first <= i && i < kMoving.end;
      EXPECT_NEAR(moving[i], moves ? of_some[i] : 0.0, 1e-12 * (1.0 + std::abs(of_some[i]))) << i;
      const double expected = of_early[i] + (moves ? 0.0 : of_some[i]);
      EXPECT_NEAR(pulled[i], expected, 1e-12 * (1.0 + std::abs(expected))) << i;
    }
    std::vector<double> again(kProgramInputs, 0.0);
    program.pull(early, again);
    EXPECT_EQ(again, of_early);  // nothing is kept any more
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms,
                         testing::Range(std::uint64_t{1}, std::uint64_t{51}));

// (x y - 2 x + z) is one sum; what another needs too is not part of it.
TEST(TraceSums, TakeInWhatTheyAloneNeed) {
  Trace trace;
  const TraceScope scope(trace);
  const Traced x = trace.input("x"), y = trace.input("y"), z = trace.input("z");
  const Traced shared = x * z;
  trace.output("", x * y - Traced(2.0) * x + z);
  trace.output("", shared + y);
  trace.output("", shared * z);
  const auto sums = sums_of(trace, [](TraceIndex, TraceIndex) { return true; });
  ASSERT_EQ(sums.size(), 4u);
  std::size_t products = 0, multiples = 0;
  for (const auto& sum : sums) {
    products += sum.products.size();
    multiples += sum.multiples.size();
  }
  EXPECT_EQ(products, 3u);
  EXPECT_EQ(multiples, 4u);
  EXPECT_EQ(sums_of(trace, [](TraceIndex, TraceIndex) { return false; }).size(), 7u);
}

}  // namespace
}  // namespace hamiltree
