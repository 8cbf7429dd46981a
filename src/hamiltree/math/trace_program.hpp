// TraceProgram: a Trace laid out to be evaluated many times, and differentiated both ways at the
// last evaluation: tangents of inputs are pushed to the outputs, cotangents of outputs are pulled
// back to the inputs. Operations are sums of products as far as may be (trace_sums.hpp), and those
// of one shape stand in one run, so that nothing is decided operation by operation.
//
// What depends on some inputs, the moving ones, stands apart from the rest, which stands still:
// evaluated at the same other inputs again, the rest is not, and cotangents can be pulled back to
// the moving inputs first and to all others once, later.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "hamiltree/math/trace_sums.hpp"

namespace hamiltree {

class TraceProgram {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  // By number, first to end - 1.
  struct Inputs {
    std::size_t first, end;
  };

  TraceProgram() = default;
  // To pull back cotangents of the first `early` outputs alone takes the operations alone that
  // these need.
  explicit TraceProgram(const Trace& trace, std::size_t early = kAll, Inputs moving = {0, 0});

  std::size_t outputs() const { return outputs_.size(); }

  // One value for each input, in order of creation.
  void evaluate(std::span<const double> inputs) { evaluate(inputs, true); }
  // The same for the early outputs alone, of which cotangents alone can be pulled back then.
  void evaluate_early(std::span<const double> inputs) { evaluate(inputs, false); }
  double output(std::size_t i) const { return values_[outputs_[i]]; }

  // The tangents of the outputs for those of the inputs.
  void push(std::span<const double> inputs, std::span<double> outputs);
  // inputs += the cotangents that those of the outputs mean for them; of the first `early` outputs
  // if there are no more.
  void pull(std::span<const double> outputs, std::span<double> inputs);
  // The same for the moving inputs alone. What the others feel is kept for the next pull(), and
  // added there.
  void pull_moving(std::span<const double> outputs, std::span<double> inputs);

 private:
  // Operations that stand still or move, needed by early outputs or only by late ones.
  static constexpr int kGroups = 4, kMoving = 2, kLate = 1;
  // Operations first to last - 1 in their order.
  struct Run {
    TraceOp op = TraceOp::kAdd;
    std::size_t first = 0, last = 0;
    // Of each sum, and where they begin; `first_other`: of other operations.
    std::size_t products = 0, multiples = 0;
    std::size_t first_product = 0, first_multiple = 0, first_other = 0;
  };
  // Of a sine or cosine, c: the other one of the same angle, or its own place where there is none.
  struct Operands {
    TraceIndex a, b, c;
  };
  class Layout;

  void evaluate(std::span<const double> inputs, bool with_late);
  void evaluate_group(int group);
  bool stands_still(std::span<const double> inputs) const;
  void seed(std::span<const double> outputs);
  void pull_group(int group);
  void clear_groups(int first, int end);
  void evaluate_run(const Run& run);
  void pull_run(const Run& run);
  void push_run(const Run& run);
  void pull_other(const Run& run);
  void push_other(const Run& run);

  std::size_t inputs_ = 0, early_outputs_ = 0;
  Inputs moving_{0, 0};
  std::vector<Run> runs_;
  std::array<std::size_t, kGroups + 1> group_runs_{}, group_places_{};  // where groups begin
  std::vector<TraceProduct> products_;
  std::vector<TraceMultiple> multiples_;
  std::vector<Operands> others_;
  std::vector<TraceIndex> outputs_;
  std::vector<double> values_, derivatives_;
  std::array<bool, 2> has_values_{};  // of what stands still: the early, the late
  bool keeps_ = false, keeps_late_ = false;
};

}  // namespace hamiltree
