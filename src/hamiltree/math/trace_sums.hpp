// The operations of a Trace as sums of products, as far as they are such: terms that one sum alone
// needs are part of it, and need no place of their own.
#pragma once

#include <functional>
#include <vector>

#include "hamiltree/math/trace.hpp"

namespace hamiltree {

// A term of a sum: sign a b.
struct TraceProduct {
  TraceIndex a = 0, b = 0;
  double sign = 1.0;
};
// A term of a sum: factor a.
struct TraceMultiple {
  TraceIndex a = 0;
  double factor = 1.0;
};

struct TraceOperation {
  TraceOp op = TraceOp::kAdd;  // kAdd: the sum; else the operation on a, b, c
  TraceIndex node = 0;         // whose value it is
  TraceIndex a = 0, b = 0, c = 0;
  std::vector<TraceProduct> products;
  std::vector<TraceMultiple> multiples;
};

// Whether two nodes may be part of one sum.
using MayJoin = std::function<bool(TraceIndex, TraceIndex)>;

// The operations that outputs need, in an order of evaluation.
std::vector<TraceOperation> sums_of(const Trace& trace, const MayJoin& may_join);

}  // namespace hamiltree
