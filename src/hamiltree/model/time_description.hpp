// Functions of time as a description says them, s(t) with two derivatives; time_function.hpp has
// what kernels evaluate.
#pragma once

#include <array>
#include <optional>
#include <variant>
#include <vector>

namespace hamiltree {

struct Polynomial {
  std::vector<double> coefficients;  // c0 + c1 t + c2 t^2 + ...
};
struct Sine {
  double constant = 0.0, amplitude = 0.0;
  double frequency = 0.0;  // Hz
  double phase = 0.0;      // rad; constant + amplitude sin(2 pi frequency t + phase)
};
// From one value to another with zero rate and acceleration at both ends (a quintic).
struct SmoothStep {
  double from = 0.0, to = 0.0;
  double start = 0.0, duration = 1.0;  // s
};
// A cubic spline through the values, with the given rates at its ends; before and after the table
// the function goes on at these rates.
struct Table {
  std::vector<double> times;  // s, ascending, at least two
  std::vector<double> values;
  double start_rate = 0.0, end_rate = 0.0;
};
using TimeFunction = std::variant<Polynomial, Sine, SmoothStep, Table>;

// A vector that changes in time; a component without a function is zero.
struct TimeVector {
  std::optional<TimeFunction> x, y, z;
};

// The components of a TimeVector by their names in files and messages.
struct TimeVectorPart {
  const char* name;
  std::optional<TimeFunction> TimeVector::*function;
};
inline constexpr std::array<TimeVectorPart, 3> kTimeVectorParts{
    {{"x", &TimeVector::x}, {"y", &TimeVector::y}, {"z", &TimeVector::z}}};

}  // namespace hamiltree
