// Instant: what forces know. A system, placed and moved, at a time; and the three kinds of force,
// of which power (power.hpp) keeps the account.
#pragma once

#include "hamiltree/model/loops.hpp"

namespace hamiltree {

template <class Space>
struct Instant {
  using Scalar = typename Space::Scalar;

  const System<Space>& system;
  const Kinematics<Space>& kin;
  const Scalar& t;
  const Scalar* q;  // of the state

  // Of a joint written with one degree of freedom.
  Scalar position(int j) const { return joint_position(system, kin, q, j); }
  Scalar rate(int j) const { return joint_rate(system, kin, j); }
};

// Every element has, in its own file,
//   exert(element, instant, sink)      what it does: sink.effort(kind, joint, effort) along a
//   joint,
//                                      sink.pair(kind, parent, child, x, F) for +F on the child and
//                                      -F on the parent (kNone: the ground), both at the point x
//   stored_energy(element, instant)    J, if it has a potential
//   is_conservative(element)           whether that is all there is to it
enum class ForceKind {
  kConservative,  // minus the gradient of a potential
  kApplied,       // from outside: may give energy or take it
  kDissipative    // only ever takes energy
};

}  // namespace hamiltree
