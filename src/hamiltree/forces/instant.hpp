// Instant: what forces know. A system, placed and moved, at a time; and the three kinds of force,
// of which power (power.hpp) keeps the account.
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree {

template <class Space>
struct Instant {
  using Scalar = typename Space::Scalar;

  const System<Space>& system;
  const Kinematics<Space>& kin;
  const Scalar& t;
  const Scalar* q;            // of the state
  const Scalar* v = nullptr;  // its velocities; null: as the bodies move

  // For a joint written with one degree of freedom.
  Scalar position(int j) const { return joint_position(system, kin, q, j); }
  Scalar rate(int j) const {
    const auto& joint = system.joint(j);
    return v != nullptr && joint.has_velocity() ? v[joint.v] : joint_rate(system, kin, j);
  }

  // All of those of any joint that is not driven.
  void coordinates(int j, Scalar* x) const {
    const auto& joint = system.joint(j);
    if (joint.has_velocity()) {
      for (int i = 0; i < joint.coordinates; ++i) x[i] = q[joint.q + i];
      return;
    }
    visit_joint<Space>(
        joint, [&](const auto& type) { type.coordinates(relative_pose(system, kin, j), x); });
  }
  void velocities(int j, Scalar* u) const {
    const auto& joint = system.joint(j);
    if (v != nullptr && joint.has_velocity()) {
      for (int i = 0; i < joint.velocities; ++i) u[i] = v[joint.v + i];
      return;
    }
    const auto V = seen_motion(system, kin, j);
    for (int i = 0; i < joint.velocities; ++i) u[i] = V(joint.free[at(i)]);
  }
};

// Every element has, in its own file,
//   exert(element, instant, sink)      what it does: sink.effort(kind, joint, effort) along a
//   joint,
//                                      sink.pair(parent, child, x, parts, wrench_of) for +F on the
//                                      child and -F on the parent (kNone: the ground), both at the
//                                      point x, with F the sum of wrench_of(value) of its parts
//   stored_energy(element, instant)    J, if it has a potential
// for an Instant, if it acts along joints for whatever has their position(j) and rate(j), and
//   is_conservative(element)           whether that is all there is to it
enum class ForceKind {
  kConservative,  // minus the gradient of a potential
  kApplied,       // from outside: may give energy or take it
  kDissipative    // only ever takes energy
};

// A part of a force, of one kind: a wrench, or a number or vector that a linear function makes one
// of.
template <class Value>
struct ForcePart {
  ForceKind kind;
  Value value;
};

// The sum of an array of parts.
template <class Parts>
auto sum_of(const Parts& parts) {
  auto sum = parts.front().value;
  for (std::size_t i = 1; i < parts.size(); ++i) sum += parts[i].value;
  return sum;
}

}  // namespace hamiltree
