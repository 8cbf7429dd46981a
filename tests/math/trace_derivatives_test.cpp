// Derivatives of traced programs, against dual numbers through the same operations.
#include "hamiltree/math/trace_derivatives.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>
#include <vector>

#include "hamiltree/math/dual.hpp"

namespace hamiltree {
namespace {

constexpr int kInputs = 4;
constexpr std::uint64_t kSeed = 17;
const std::vector<Traced> kAlong{0.5, -2.0, 0.0, 3.0};

// Every operation that there is; also selections between comparisons.
template <class Scalar>
std::array<Scalar, 3> outputs(const std::array<Scalar, kInputs>& x) {
  using std::abs;
  using std::atan2;
  using std::cos;
  using std::sin;
  using std::sqrt;
  using std::tanh;
  const Scalar sum = x[0] * x[1] - x[2] / (Scalar(3.0) + x[3] * x[3]);
  const Scalar root = sqrt(Scalar(2.0) + sin(sum) * cos(x[2]));
  const Scalar angle = atan2(x[1] + tanh(x[0]), Scalar(1.5) - x[3]);
  const Scalar chosen = select(x[0] < x[3], root * x[2], -angle);
  const Scalar held = select(Scalar(0.25) <= abs(x[1]), chosen / root, chosen * chosen);
  return {held + abs(sum), root - angle, Scalar(7.0)};
}

TEST(TraceDerivatives, AreThoseOfDualNumbers) {
  Trace program;
  {
    const TraceScope scope(program);
    std::array<Traced, kInputs> x;
    for (auto& each : x) each = program.input("x");
    for (const auto& y : outputs(x)) program.output("y", y);
  }
  Trace derivatives;
  {
    const TraceScope scope(derivatives);
    const auto inputs = inputs_like(program, derivatives);
    const auto result = differentiate(program, inputs);
    ASSERT_EQ(result.by_input.size(), 3u);
    for (std::size_t row = 0; row < 3; ++row) {
      derivatives.output("y", result.outputs[row]);
      for (const auto& entry : result.by_input[row]) derivatives.output("dy", entry);
    }
    for (const auto& entry : push_forward(program, inputs, kAlong)) derivatives.output("dy", entry);
  }
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (int sample = 0; sample < 200; ++sample) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", sample " + std::to_string(sample));
    std::array<double, kInputs> at{};
    for (auto& each : at) each = uniform(random);
    const auto found = derivatives.evaluate(at);
    std::array<double, 3> along{};
    for (std::size_t input = 0; input < kInputs; ++input) {
      std::array<Dual, kInputs> x;
      for (std::size_t i = 0; i < kInputs; ++i) x[i] = {at[i], i == input ? 1.0 : 0.0};
      const auto exact = outputs(x);
      for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_NEAR(found[row * (kInputs + 1)], exact[row].value, 1e-13);
        EXPECT_NEAR(found[row * (kInputs + 1) + 1 + input], exact[row].derivative,
                    1e-12 * (1.0 + std::abs(exact[row].derivative)));
        along[row] += exact[row].derivative * kAlong[input].constant_value();
      }
    }
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_NEAR(found[3 * (kInputs + 1) + row], along[row], 1e-11 * (1.0 + std::abs(along[row])));
    }
  }
}

// An output that does not depend on an input has no derivative, and costs nothing.
TEST(TraceDerivatives, OfConstantsFold) {
  Trace program, derivatives;
  {
    const TraceScope scope(program);
    const Traced x = program.input("x"), y = program.input("y");
    program.output("z", x * 3.0 + sin(y));
  }
  const TraceScope scope(derivatives);
  const auto result = differentiate(program, inputs_like(program, derivatives));
  EXPECT_EQ(result.by_input[0][0].constant_value(), 3.0);
  EXPECT_FALSE(result.by_input[0][1].is_constant());
}

}  // namespace
}  // namespace hamiltree
