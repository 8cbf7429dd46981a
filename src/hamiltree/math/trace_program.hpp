// TraceProgram: a Trace laid out to be evaluated many times, and differentiated both ways at the
// last evaluation: tangents of inputs are pushed to the outputs, cotangents of outputs are pulled
// back to the inputs. Operations of one kind that do not need each other stand in one run, so that
// nothing is decided operation by operation.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "hamiltree/math/trace.hpp"

namespace hamiltree {

class TraceProgram {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  TraceProgram() = default;
  // Operations that the first `early` outputs need come first: to pull back cotangents of these
  // outputs alone takes them alone.
  explicit TraceProgram(const Trace& trace, std::size_t early = kAll);

  std::size_t outputs() const { return outputs_.size(); }

  // One value for each input, in order of creation.
  void evaluate(std::span<const double> inputs);
  double output(std::size_t i) const { return values_[outputs_[i]]; }

  // The tangents of the outputs for those of the inputs.
  void push(std::span<const double> inputs, std::span<double> outputs);
  // inputs += the cotangents that those of the outputs mean for them; of the first `early` outputs
  // if there are no more.
  void pull(std::span<const double> outputs, std::span<double> inputs);

 private:
  // Operations first to last - 1 in their order.
  struct Run {
    TraceOp op;
    std::size_t first, last;
  };

  void pull_run(const Run& run);
  void push_run(const Run& run);

  std::size_t inputs_ = 0, first_ = 0;  // of inputs; number of the first operation
  std::size_t early_outputs_ = 0, early_runs_ = 0;
  std::vector<TraceIndex> a_, b_, c_;  // operands by operation
  std::vector<Run> runs_;
  std::vector<TraceIndex> outputs_;
  std::vector<double> values_, derivatives_;
};

}  // namespace hamiltree
