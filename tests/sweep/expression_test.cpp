#include "hamiltree/sweep/expression.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "hamiltree/base/error.hpp"

namespace hamiltree::test {
namespace {

const std::vector<std::string> kNames{"m", "l_1"};
constexpr std::array kValues{2.0, 3.0};

double value(std::string_view text) { return Expression(text, kNames).value(kValues); }

std::string refusal(std::string_view text) {
  try {
    value(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(Expression, ComputesAsIsWritten) {
  EXPECT_EQ(value("m * l_1^2 / 12"), 1.5);
  EXPECT_EQ(value("1 - 2 - 3"), -4.0);
  EXPECT_EQ(value("12 / 3 / 2"), 2.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("2^-2"), 0.25);
  EXPECT_EQ(value(" ( 1+2 )*-m"), -6.0);
  EXPECT_EQ(value("1.5e-1"), 0.15);
  EXPECT_EQ(value("cos(pi)"), std::cos(std::numbers::pi));
  EXPECT_EQ(value("sqrt(abs(0 - 9)) + exp(0) + log(1) + sin(0) + tan(0)"), 4.0);
}

TEST(Expression, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("m *"), "\"m *\" ends too early");
  EXPECT_EQ(refusal("(m"), "\"(m\" has an open bracket");
  EXPECT_EQ(refusal("m m"), "\"m m\" does not go on with \"m\"");
  EXPECT_EQ(refusal("l_2 + 1"), "\"l_2 + 1\" has an unknown name \"l_2\", did you mean \"l_1\"?");
  EXPECT_EQ(refusal("cosh(m)"), "\"cosh(m)\" has no function \"cosh\"");
  EXPECT_EQ(refusal("2 $ 3"), "\"2 $ 3\" does not go on with \"$\"");
  EXPECT_EQ(refusal(""), "\"\" ends too early");
  EXPECT_NE(refusal(std::string(1000, '(')), "");
}

}  // namespace
}  // namespace hamiltree::test
