#include "hamiltree/sweep/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <system_error>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/import/suggestion.hpp"

namespace hamiltree {
namespace {

struct Function {
  std::string_view name;
  double (*of)(double);
};

constexpr std::array<Function, 7> kFunctions{{{"sqrt", [](double x) { return std::sqrt(x); }},
                                              {"exp", [](double x) { return std::exp(x); }},
                                              {"log", [](double x) { return std::log(x); }},
                                              {"sin", [](double x) { return std::sin(x); }},
                                              {"cos", [](double x) { return std::cos(x); }},
                                              {"tan", [](double x) { return std::tan(x); }},
                                              {"abs", [](double x) { return std::abs(x); }}}};

constexpr int kMaxDepth = 100;  // of brackets

}  // namespace

// Recursive descent: sum -> product -> sign -> power -> atom.
class ExpressionParser {
 public:
  using Code = Expression::Code;

  ExpressionParser(std::string_view text, const std::vector<std::string>& names)
      : text_(text), names_(names) {}

  std::vector<Expression::Operation> parse() {
    sum();
    if (next() != '\0') fail("does not go on with \"" + std::string(1, next()) + "\"");
    return std::move(program_);
  }

 private:
  void sum() {
    product();
    for (char c = next(); c == '+' || c == '-'; c = next()) {
      ++at_;
      product();
      add(c == '+' ? Code::kAdd : Code::kSubtract);
    }
  }
  void product() {
    sign();
    for (char c = next(); c == '*' || c == '/'; c = next()) {
      ++at_;
      sign();
      add(c == '*' ? Code::kMultiply : Code::kDivide);
    }
  }
  void sign() {
    if (++depth_ > kMaxDepth) fail("is nested too deeply");
    if (next() == '-') {
      ++at_;
      sign();
      add(Code::kMinus);
    } else {
      power();
    }
    --depth_;
  }
  void power() {
    atom();
    if (next() != '^') return;
    ++at_;
    sign();
    add(Code::kPower);
  }
  void atom() {
    const char c = next();
    if (c == '(') {
      bracket();
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') {
      number();
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word();
    } else {
      fail(c == '\0' ? "ends too early" : "does not go on with \"" + std::string(1, c) + "\"");
    }
  }
  void bracket() {
    ++at_;
    sum();
    if (next() != ')') fail("has an open bracket");
    ++at_;
  }
  void number() {
    double value = 0.0;
    const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (read.ec != std::errc()) fail("has a number that cannot be read");
    at_ = static_cast<std::size_t>(read.ptr - text_.data());
    program_.push_back({Code::kNumber, value});
  }
  void word() {
    const auto start = at_;
    const auto in_word = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    const auto name = text_.substr(start, at_ - start);
    if (next() == '(') {
      const auto* function = std::ranges::find(kFunctions, name, &Function::name);
      if (function == kFunctions.end()) fail("has no function \"" + std::string(name) + "\"");
      bracket();
      program_.push_back(
          {Code::kFunction, 0.0, static_cast<std::size_t>(function - kFunctions.begin())});
    } else if (const auto found = std::ranges::find(names_, name); found != names_.end()) {
      program_.push_back({Code::kName, 0.0, static_cast<std::size_t>(found - names_.begin())});
    } else if (name == "pi") {
      program_.push_back({Code::kNumber, std::numbers::pi});
    } else {
      fail("has an unknown name \"" + std::string(name) + "\"" + suggestion(name, names_, "names"));
    }
  }

  char next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void add(Code code) { program_.push_back({code}); }
  [[noreturn]] void fail(const std::string& why) const {
    throw UsageError("\"" + std::string(text_) + "\" " + why);
  }

  std::string_view text_;
  const std::vector<std::string>& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<Expression::Operation> program_;
};

Expression::Expression(std::string_view text, const std::vector<std::string>& names)
    : program_(ExpressionParser(text, names).parse()) {}

bool Expression::uses(std::size_t name) const {
  return std::ranges::any_of(program_, [&](const Operation& operation) {
    return operation.code == Code::kName && operation.index == name;
  });
}

double Expression::value(std::span<const double> values) const {
  std::vector<double> stack;
  const auto pop = [&] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const auto& operation : program_) {
    switch (operation.code) {
      case Code::kNumber:
        stack.push_back(operation.number);
        continue;
      case Code::kName:
        stack.push_back(values[operation.index]);
        continue;
      case Code::kMinus:
        stack.back() = -stack.back();
        continue;
      case Code::kFunction:
        stack.back() = kFunctions[operation.index].of(stack.back());
        continue;
      default:
        break;
    }
    const double right = pop();
    double& left = stack.back();
    if (operation.code == Code::kAdd) left += right;
    if (operation.code == Code::kSubtract) left -= right;
    if (operation.code == Code::kMultiply) left *= right;
    if (operation.code == Code::kDivide) left /= right;
    if (operation.code == Code::kPower) left = std::pow(left, right);
  }
  return stack.back();
}

}  // namespace hamiltree
