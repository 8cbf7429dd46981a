// Breakpoints: times at which functions of time in a description set in, end or bend. Steps that
// end there, and not beyond, miss nothing between them, however long the steps of a motion at rest
// have become.
#pragma once

#include <vector>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

class Breakpoints {
 public:
  Breakpoints() = default;  // none
  explicit Breakpoints(const Mechanism& mechanism);

  // Where a step from `now` ends that would go on to `stop`, both in s: at the next breakpoint, or
  // at `stop`. One that is a rounding error from either is no place to end.
  double end_of_step(double now, double stop) const;
  const std::vector<double>& times() const { return times_; }  // s, ascending

 private:
  std::vector<double> times_;  // s, ascending
};

}  // namespace hamiltree
