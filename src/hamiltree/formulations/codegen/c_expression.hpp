// Expression: C text with what it takes to put it into a larger one.
#pragma once

#include <string>

#include "hamiltree/math/trace.hpp"

namespace hamiltree::codegen {

enum class Precedence { kConditional, kCompare, kAdd, kMultiply, kUnary, kPrimary };

struct Expression {
  std::string text;
  Precedence precedence = Precedence::kPrimary;
};

// A number as a C literal of type double that reads back to the same bits.
Expression c_number(double value);

// One operation on operands that are there. A comparison, and the first operand of a selection, is
// a condition.
Expression c_operation(TraceOp op, const Expression& a, const Expression& b = {},
                       const Expression& c = {});

// The value 1 or 0 of a condition, and the condition that a number is not 0.
Expression value_of_condition(const Expression& condition);
Expression condition_of_value(const Expression& value);

}  // namespace hamiltree::codegen
