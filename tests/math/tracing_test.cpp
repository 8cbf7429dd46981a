#include "hamiltree/math/tracing.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace hamiltree {
namespace {

// No kernel can branch on a Traced.
template <class T>
concept CanBranch = requires(const T a, const T b) {
  a < b ? 1 : 0;
};
static_assert(CanBranch<double> && !CanBranch<Traced>);
static_assert(!std::is_convertible_v<TracedMask, bool>);
static_assert(!std::is_constructible_v<bool, TracedMask>);
static_assert(!std::is_constructible_v<bool, Traced>);
static_assert(!std::is_convertible_v<double, TracedMask>);
static_assert(sizeof(Traced) <= 16 && std::is_trivially_copyable_v<Traced>);

class Tracing : public ::testing::Test {
 protected:
  // The operations that f(x, y) needs.
  OperationCount count(const std::function<Traced(Traced, Traced)>& f) {
    return trace_of(f).count();
  }
  double value(const std::function<Traced(Traced, Traced)>& f, double x, double y) {
    return trace_of(f).evaluate(std::array{x, y})[0];
  }
  std::size_t size(const std::function<Traced(Traced, Traced)>& f) { return trace_of(f).size(); }

  static Trace trace_of(const std::function<Traced(Traced, Traced)>& f) {
    Trace trace;
    const TraceScope scope(trace);
    const Traced x = trace.input("x");
    const Traced y = trace.input("y");
    trace.output("f", f(x, y));
    return trace;
  }
};

TEST_F(Tracing, ConstantsNeedNoScope) {
  const Traced a = sqrt(Traced(2.0)) * 3 - Traced(1.0) / 4;
  ASSERT_TRUE(a.is_constant());
  EXPECT_EQ(to_double(a), std::sqrt(2.0) * 3.0 - 0.25);
  EXPECT_EQ(to_double(select(Traced(1.0) < 2.0, 5.0, 6.0)), 5.0);
  EXPECT_EQ(to_double(abs(sin(Traced(-1.0)))), std::sin(1.0));
}

TEST_F(Tracing, FoldsByStructure) {
  const std::size_t inputs_only = 1;
  EXPECT_EQ(size([](Traced x, Traced) { return 1.0 * x; }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced) { return x / 1.0; }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced) { return 0.0 + x; }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced) { return x - 0.0; }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced) { return -(-x); }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced) { return -1.0 * (-x); }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced y) { return x + 0.0 * y; }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced y) { return select(x < y, x, x); }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced y) { return select(Traced(1.0) < 2.0, x, y); }), inputs_only);
  EXPECT_EQ(size([](Traced x, Traced y) { return select(x < x, y, x); }), inputs_only);
  EXPECT_EQ(value([](Traced x, Traced) { return x - x; }, 3.0, 0.0), 0.0);
  EXPECT_EQ(value([](Traced x, Traced) { return 0.0 / x; }, 3.0, 0.0), 0.0);
  EXPECT_EQ(value([](Traced x, Traced) { return 0.0 - x; }, 3.0, 0.0), -3.0);
}

TEST_F(Tracing, DrawsSignsOut) {
  const OperationCount two{.additions = 1, .multiplications = 1};
  EXPECT_EQ(count([](Traced x, Traced y) { return x + (-x) * y; }), two);
  EXPECT_EQ(count([](Traced x, Traced y) { return x * y - (-y) * (-x); }), OperationCount{});
  EXPECT_EQ(count([](Traced x, Traced y) { return (x - y) * (y - x); }), two);
  EXPECT_EQ(count([](Traced x, Traced y) { return (2.0 * x) / (-2.0 * x) + y; }),
            (OperationCount{.additions = 1, .multiplications = 1, .divisions = 1}));
  EXPECT_EQ(value([](Traced x, Traced y) { return (x - y) * (y - x); }, 5.0, 2.0), -9.0);
  EXPECT_EQ(value([](Traced x, Traced y) { return (-x) - (-y); }, 5.0, 2.0), -3.0);
  EXPECT_EQ(value([](Traced x, Traced y) { return (-x) + (-y); }, 5.0, 2.0), -7.0);
  EXPECT_EQ(value([](Traced x, Traced y) { return (-x) - y; }, 5.0, 2.0), -7.0);
  EXPECT_EQ(value([](Traced x, Traced y) { return (-x) / (-3.0 * y); }, 6.0, 2.0), 1.0);
  EXPECT_EQ(value([](Traced x, Traced) { return sin(-x) / sin(x) + cos(-x) / cos(x); }, 1., 0.),
            0.);
  EXPECT_EQ(value([](Traced x, Traced) { return abs(-x); }, -4.0, 0.0), 4.0);
}

TEST_F(Tracing, SharesEqualOperations) {
  EXPECT_EQ(count([](Traced x, Traced y) { return (x + y) * (y + x); }),
            (OperationCount{.additions = 1, .multiplications = 1}));
  EXPECT_EQ(count([](Traced x, Traced y) { return sin(x * y) + sin(y * x); }),
            (OperationCount{.additions = 1, .multiplications = 1, .trigonometric = 1}));
  EXPECT_EQ(count([](Traced x, Traced y) { return x / y + y / x; }),
            (OperationCount{.additions = 1, .divisions = 2}));
}

TEST_F(Tracing, LeavesOutWhatNoOutputNeeds) {
  Trace trace;
  const TraceScope scope(trace);
  const Traced x = trace.input("x");
  const Traced unused = sin(x) * 3.0;
  trace.output("y", x * 2.0);
  EXPECT_FALSE(unused.is_constant());
  EXPECT_EQ(trace.count(), (OperationCount{.multiplications = 1}));
  EXPECT_EQ(trace.size(), 3U);
  EXPECT_EQ(trace.live_nodes().size(), 3U);
  EXPECT_EQ(trace.nodes().size(), 6U);
  trace.output("constant", 4.0);
  EXPECT_EQ(trace.evaluate(std::array{1.5}), (std::vector{3.0, 4.0}));
  EXPECT_EQ(trace.outputs()[1].name, "constant");
}

TEST_F(Tracing, ComparesLikeDoubles) {
  const auto code = [](Traced x, Traced y) {
    return select(x < y, 1.0, 0.0) + select(x <= y, 2.0, 0.0) + select(x > y, 4.0, 0.0) +
           select(x >= y, 8.0, 0.0) + select(!(x < y), 16.0, 0.0) +
           select(x < y && 0.0 < x, 32.0, 0.0) + select(x < y || 0.0 < x, 64.0, 0.0);
  };
  const auto expected = [](double x, double y) {
    return (x < y ? 1 : 0) + (x <= y ? 2 : 0) + (x > y ? 4 : 0) + (x >= y ? 8 : 0) +
           (!(x < y) ? 16 : 0) + (x < y && 0.0 < x ? 32 : 0) + (x < y || 0.0 < x ? 64 : 0);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double x : {-1.0, 0.0, 2.0, nan}) {
    for (const double y : {-1.0, 1.0, 2.0, nan}) EXPECT_EQ(value(code, x, y), expected(x, y));
  }
}

TEST_F(Tracing, BothSidesOfASelectAreNeeded) {
  const auto code = [](Traced x, Traced y) { return select(x < y, sqrt(x), x * y); };
  EXPECT_EQ(
      count(code),
      (OperationCount{.multiplications = 1, .square_roots = 1, .comparisons = 1, .selects = 1}));
  EXPECT_EQ(value(code, 4.0, 5.0), 2.0);
  EXPECT_EQ(value(code, 5.0, 4.0), 20.0);
}

TEST_F(Tracing, DepthIsTheLongestPath) {
  Trace balanced;
  Trace serial;
  const auto inputs = [](Trace& trace) {
    std::vector<Traced> x;
    for (int i = 0; i < 16; ++i) x.push_back(trace.input(std::to_string(i)));
    return x;
  };
  {
    const TraceScope scope(balanced);
    std::vector<Traced> x = inputs(balanced);
    for (std::size_t n = x.size(); n > 1; n /= 2) {
      for (std::size_t i = 0; i < n / 2; ++i) x[i] = x[2 * i] + x[2 * i + 1];
    }
    balanced.output("sum", -x[0]);  // a sign is free
  }
  {
    const TraceScope scope(serial);
    Traced sum = 0.0;
    for (const Traced& x : inputs(serial)) sum += x;
    serial.output("sum", sum);
  }
  EXPECT_EQ(balanced.depth(), 4U);
  EXPECT_EQ(serial.depth(), 15U);
  EXPECT_EQ(balanced.count(), serial.count());
}

TEST_F(Tracing, RefusesMisuse) {
  Trace trace;
  Trace other;
  const Traced x = trace.input("x");
  const Traced y = other.input("y");
  EXPECT_THROW(static_cast<void>(x + 1.0), std::logic_error);  // no scope
  EXPECT_THROW(trace.output("y", y), std::logic_error);
  EXPECT_THROW(static_cast<void>(to_double(x)), std::logic_error);
  const TraceScope scope(trace);
  EXPECT_THROW(static_cast<void>(x + y), std::logic_error);
  EXPECT_THROW(static_cast<void>(-y), std::logic_error);
  {
    const TraceScope inner(other);
    EXPECT_THROW(static_cast<void>(x * 2.0), std::logic_error);
  }
  EXPECT_NO_THROW(static_cast<void>(x * 2.0));
  EXPECT_THROW(static_cast<void>(trace.evaluate({})), std::invalid_argument);
}

TEST_F(Tracing, TracesTheStructureOfSkewMatrices) {
  Trace trace;
  const TraceScope scope(trace);
  const Traced zero = 0.0;
  const Traced x = trace.input("x");
  const Traced y = trace.input("y");
  const Traced z = trace.input("z");
  Eigen::Matrix<Traced, 3, 3> l;
  l << zero, -z, y, z, zero, -x, -y, x, zero;
  const Eigen::Matrix<Traced, 3, 3> square = l * l.transpose();
  for (int i = 0; i < 9; ++i) trace.output("l", square(i));
  // Three squares, three products, three sums.
  EXPECT_EQ(trace.count(), (OperationCount{.additions = 3, .multiplications = 6}));
  EXPECT_EQ(trace.depth(), 2U);
}

}  // namespace
}  // namespace hamiltree
