// EightStates: rates of eight states of a model at once, one in each lane.
#pragma once

#include "hamiltree/math/pack.hpp"

namespace hamiltree {

class EightStates {
 public:
  virtual ~EightStates() = default;

  // v, q_dot and p_dot of (q, p). No lane feels another.
  // The lanes, bit by bit, that must be computed one by one: their results are of no use.
  virtual unsigned rate(double t, const Pack* q, const Pack* p, Pack* v, Pack* q_dot,
                        Pack* p_dot) = 0;
  // After a step: closes the loops by one Newton step that moves the masses least, and makes the
  // momenta those of the same motion without impulses in the loops. Lanes, bit by bit, that are
  // left as they were.
  virtual unsigned close_loops(double t, Pack* q, Pack* p) = 0;
};

}  // namespace hamiltree
