#include "hamiltree/formulations/codegen/c_expression.hpp"

#include <cmath>
#include <stdexcept>

#include "hamiltree/base/text.hpp"

namespace hamiltree::codegen {
namespace {

std::string at_least(const Expression& x, Precedence precedence) {
  return x.precedence >= precedence ? x.text : "(" + x.text + ")";
}

std::string above(const Expression& x, Precedence precedence) {
  return x.precedence > precedence ? x.text : "(" + x.text + ")";
}

// Sums and products are not associative: what stands on the right keeps its parentheses.
Expression binary(const Expression& a, const char* sign, const Expression& b, Precedence own) {
  return {at_least(a, own) + sign + above(b, own), own};
}

Expression call(const char* function, const std::string& arguments) {
  return {std::string(function) + "(" + arguments + ")", Precedence::kPrimary};
}

}  // namespace

Expression c_number(double value) {
  if (std::isnan(value)) return {"NAN", Precedence::kPrimary};
  std::string text = std::isinf(value) ? "INFINITY" : to_text(std::abs(value));
  if (text.find_first_of(".eIN") == std::string::npos) text += ".0";
  if (!std::signbit(value)) return {text, Precedence::kPrimary};
  return {"-" + text, Precedence::kUnary};
}

Expression c_operation(TraceOp op, const Expression& a, const Expression& b, const Expression& c) {
  switch (op) {
    case TraceOp::kAdd:
      return binary(a, " + ", b, Precedence::kAdd);
    case TraceOp::kSubtract:
      return binary(a, " - ", b, Precedence::kAdd);
    case TraceOp::kMultiply:
      return binary(a, " * ", b, Precedence::kMultiply);
    case TraceOp::kDivide:
      return binary(a, " / ", b, Precedence::kMultiply);
    case TraceOp::kNegate:
      return {"-" + above(a, Precedence::kUnary), Precedence::kUnary};
    case TraceOp::kAbs:
      return call("fabs", a.text);
    case TraceOp::kSqrt:
      return call("sqrt", a.text);
    case TraceOp::kSin:
      return call("sin", a.text);
    case TraceOp::kCos:
      return call("cos", a.text);
    case TraceOp::kTanh:
      return call("tanh", a.text);
    case TraceOp::kAtan2:
      return call("atan2", a.text + ", " + b.text);
    case TraceOp::kLess:
      return binary(a, " < ", b, Precedence::kCompare);
    case TraceOp::kLessEqual:
      return binary(a, " <= ", b, Precedence::kCompare);
    case TraceOp::kSelect:
      return {above(a, Precedence::kConditional) + " ? " + above(b, Precedence::kConditional) +
                  " : " + above(c, Precedence::kConditional),
              Precedence::kConditional};
    case TraceOp::kConstant:
    case TraceOp::kInput:
      break;
  }
  throw std::logic_error("a constant or an input is not an operation");
}

Expression value_of_condition(const Expression& condition) {
  return {above(condition, Precedence::kConditional) + " ? 1.0 : 0.0", Precedence::kConditional};
}

Expression condition_of_value(const Expression& value) {
  return {above(value, Precedence::kCompare) + " != 0.0", Precedence::kCompare};
}

}  // namespace hamiltree::codegen
