// Expression: arithmetic of named numbers, as in "m * l^2 / 12".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hamiltree {

// + - * / ^ (from the right), brackets, pi, numbers, names, and sqrt, exp, log, sin, cos, tan, abs
// of one argument.
class Expression {
 public:
  // Throws UsageError that quotes the text and says what is wrong, for unknown names too.
  Expression(std::string_view text, const std::vector<std::string>& names);

  static Expression of_name(std::size_t index) { return Expression(index); }

  bool uses(std::size_t name) const;

  // With a value for each name.
  double value(std::span<const double> values) const;

 private:
  friend class ExpressionParser;

  enum class Code {
    kNumber,
    kName,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kPower,
    kMinus,
    kFunction
  };
  // Instructions of a program for a stack of numbers.
  struct Operation {
    Code code;
    double number = 0.0;
    std::size_t index = 0;  // of a name or a function
  };

  explicit Expression(std::size_t index) : program_{{Code::kName, 0.0, index}} {}

  std::vector<Operation> program_;
};

}  // namespace hamiltree
