#include "hamiltree/math/tracing.hpp"

#include <stdexcept>
#include <utility>

namespace hamiltree {

// Helpers of the operators below for Traced, TracedMask and the current Trace.
class TraceBuilder {
 public:
  static Trace& trace() {
    if (Trace::current() == nullptr)
      throw std::logic_error("an operation on Traced values outside of a TraceScope");
    return *Trace::current();
  }

  // The node of a value, made now if it is a constant.
  static TraceIndex index_of(Trace& trace, const Traced& x) {
    if (x.is_constant()) return trace.constant(x.constant_);
    if (x.trace_ != trace.id()) throw std::logic_error("a Traced value of another Trace");
    return x.node_;
  }

  static Traced at(const Trace& trace, TraceIndex node) {
    Traced x;
    x.node_ = node;
    x.trace_ = trace.id();
    return x;
  }

  static Traced record(TraceOp op, const Traced& a) {
    if (a.is_constant()) return apply_operation(op, a.constant_);
    return at(trace(), trace().node(op, index_of(trace(), a)));
  }

  static Traced record(TraceOp op, const Traced& a, const Traced& b) {
    if (a.is_constant() && b.is_constant()) return apply_operation(op, a.constant_, b.constant_);
    const TraceIndex left = index_of(trace(), a);
    return at(trace(), trace().node(op, left, index_of(trace(), b)));
  }

  static Traced record_select(const Traced& flag, const Traced& x, const Traced& y) {
    if (flag.is_constant()) return flag.constant_ != 0.0 ? x : y;
    if (is_same(x, y)) return x;
    const TraceIndex a = index_of(trace(), flag);
    const TraceIndex b = index_of(trace(), x);
    return at(trace(), trace().node(TraceOp::kSelect, a, b, index_of(trace(), y)));
  }

  static bool is(const Traced& x, double value) { return x.is_constant() && x.constant_ == value; }
  static bool is_same(const Traced& x, const Traced& y) {
    if (x.is_constant() || y.is_constant()) return x.is_constant() && is(y, x.constant_);
    return x.trace_ == y.trace_ && x.node_ == y.node_;
  }

  // True for -y and for negative constants; x becomes y or the constant's magnitude.
  static bool take_sign(Traced& x) {
    if (x.is_constant()) {
      if (!(x.constant_ < 0.0)) return false;
      x.constant_ = -x.constant_;
      return true;
    }
    const TraceNode& node = trace().nodes()[index_of(trace(), x)];
    if (node.op != TraceOp::kNegate) return false;
    x = at(trace(), node.a);
    return true;
  }

  // The difference that is there already.
  static bool exists(const Traced& a, const Traced& b) {
    const TraceIndex left = index_of(trace(), a);
    return trace().find(TraceOp::kSubtract, left, index_of(trace(), b)).has_value();
  }

  static TracedMask mask(const Traced& flag) { return TracedMask(flag); }
  static const Traced& flag(const TracedMask& mask) { return mask.flag_; }
};

namespace {

// Takes the signs out of both factors or operands of a quotient; true if one is left over.
bool take_signs(Traced& a, Traced& b) {
  const bool sign_a = TraceBuilder::take_sign(a);
  const bool sign_b = TraceBuilder::take_sign(b);
  return sign_a != sign_b;
}

}  // namespace

Traced Trace::input(std::string name) {
  const TraceIndex node =
      intern({TraceOp::kInput, static_cast<TraceIndex>(inputs_.size()), 0, 0, 0.0});
  inputs_.push_back({std::move(name), node});
  return TraceBuilder::at(*this, node);
}

void Trace::output(std::string name, const Traced& value) {
  outputs_.push_back({std::move(name), TraceBuilder::index_of(*this, value)});
}

double Traced::constant_value() const {
  if (!is_constant()) throw std::logic_error("a Traced node has no value before evaluation");
  return constant_;
}

Traced operator-(const Traced& a) {
  if (a.is_constant()) return -a.constant_;
  Traced x = a;
  if (TraceBuilder::take_sign(x)) return x;
  return TraceBuilder::record(TraceOp::kNegate, a);
}

Traced operator+(const Traced& a, const Traced& b) {
  if (TraceBuilder::is(a, 0.0)) return b;
  if (TraceBuilder::is(b, 0.0)) return a;
  if (a.is_constant() && b.is_constant()) return a.constant_ + b.constant_;
  Traced x = a;
  Traced y = b;
  if (TraceBuilder::take_sign(y)) return a - y;
  if (TraceBuilder::take_sign(x)) return b - x;
  return TraceBuilder::record(TraceOp::kAdd, a, b);
}

Traced operator-(const Traced& a, const Traced& b) {
  if (TraceBuilder::is(a, 0.0)) return -b;
  if (TraceBuilder::is(b, 0.0)) return a;
  if (a.is_constant() && b.is_constant()) return a.constant_ - b.constant_;
  if (TraceBuilder::is_same(a, b)) return 0.0;
  Traced x = a;
  Traced y = b;
  if (TraceBuilder::take_sign(y)) return a + y;
  if (TraceBuilder::take_sign(x)) return -(x + b);
  if (TraceBuilder::exists(b, a)) return -TraceBuilder::record(TraceOp::kSubtract, b, a);
  return TraceBuilder::record(TraceOp::kSubtract, a, b);
}

Traced operator*(const Traced& a, const Traced& b) {
  if (a.is_constant() && b.is_constant()) return a.constant_ * b.constant_;
  if (TraceBuilder::is(a, 0.0) || TraceBuilder::is(b, 0.0)) return 0.0;
  Traced x = a;
  Traced y = b;
  if (take_signs(x, y)) return -(x * y);
  if (TraceBuilder::is(x, 1.0)) return y;
  if (TraceBuilder::is(y, 1.0)) return x;
  return TraceBuilder::record(TraceOp::kMultiply, x, y);
}

Traced operator/(const Traced& a, const Traced& b) {
  if (a.is_constant() && b.is_constant()) return a.constant_ / b.constant_;
  if (TraceBuilder::is(a, 0.0)) return 0.0;
  Traced x = a;
  Traced y = b;
  if (take_signs(x, y)) return -(x / y);
  if (TraceBuilder::is(y, 1.0)) return x;
  return TraceBuilder::record(TraceOp::kDivide, x, y);
}

TracedMask operator<(const Traced& a, const Traced& b) {
  if (TraceBuilder::is_same(a, b)) return false;
  return TraceBuilder::mask(TraceBuilder::record(TraceOp::kLess, a, b));
}
TracedMask operator<=(const Traced& a, const Traced& b) {
  return TraceBuilder::mask(TraceBuilder::record(TraceOp::kLessEqual, a, b));
}
TracedMask operator>(const Traced& a, const Traced& b) { return b < a; }
TracedMask operator>=(const Traced& a, const Traced& b) { return b <= a; }

TracedMask operator!(const TracedMask& m) {
  return TraceBuilder::mask(TraceBuilder::record_select(TraceBuilder::flag(m), 0.0, 1.0));
}
TracedMask operator&&(const TracedMask& m, const TracedMask& n) {
  return TraceBuilder::mask(
      TraceBuilder::record_select(TraceBuilder::flag(m), TraceBuilder::flag(n), 0.0));
}
TracedMask operator||(const TracedMask& m, const TracedMask& n) {
  return TraceBuilder::mask(
      TraceBuilder::record_select(TraceBuilder::flag(m), 1.0, TraceBuilder::flag(n)));
}

Traced select(const TracedMask& mask, const Traced& x, const Traced& y) {
  return TraceBuilder::record_select(TraceBuilder::flag(mask), x, y);
}

Traced abs(const Traced& a) {
  Traced x = a;
  TraceBuilder::take_sign(x);
  return TraceBuilder::record(TraceOp::kAbs, x);
}
Traced sqrt(const Traced& a) { return TraceBuilder::record(TraceOp::kSqrt, a); }
Traced sin(const Traced& a) {
  if (a.is_constant()) return TraceBuilder::record(TraceOp::kSin, a);
  Traced x = a;
  if (TraceBuilder::take_sign(x)) return -sin(x);
  return TraceBuilder::record(TraceOp::kSin, a);
}
Traced cos(const Traced& a) {
  Traced x = a;
  TraceBuilder::take_sign(x);
  return TraceBuilder::record(TraceOp::kCos, x);
}
Traced tanh(const Traced& a) {
  if (a.is_constant()) return TraceBuilder::record(TraceOp::kTanh, a);
  Traced x = a;
  if (TraceBuilder::take_sign(x)) return -tanh(x);
  return TraceBuilder::record(TraceOp::kTanh, a);
}
Traced atan2(const Traced& y, const Traced& x) {
  return TraceBuilder::record(TraceOp::kAtan2, y, x);
}

Traced apply_operation(TraceOp op, const Traced& a, const Traced& b, const Traced& c) {
  if (op == TraceOp::kSelect) return TraceBuilder::record_select(a, b, c);
  return operand_count(op) == 1 ? TraceBuilder::record(op, a) : TraceBuilder::record(op, a, b);
}

TracedMask mask_of(const Traced& flag) { return TraceBuilder::mask(flag); }

}  // namespace hamiltree
