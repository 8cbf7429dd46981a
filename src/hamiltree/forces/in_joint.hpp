// What the stop and the friction of a joint with several degrees of freedom exert: a joint with one
// has them as efforts along it, which its wrench holds.
#pragma once

#include "hamiltree/forces/ball_stop.hpp"
#include "hamiltree/forces/body_friction.hpp"

namespace hamiltree {

// A sink (instant.hpp) of forces between the bodies of one joint.
template <class Space>
struct SumInJoint {
  typename Space::Force force = Space::Force::Zero();

  template <class Parts, class WrenchOf>
  void pair(int, int, const typename Space::Position&, const Parts& parts,
            const WrenchOf& wrench_of) {
    force += wrench_of(sum_of(parts));
  }
};

// On the child of a joint, at the origin of its frame there, world axes.
template <class Space>
typename Space::Force force_in_joint(const System<Space>& system, const Kinematics<Space>& kin,
                                     int j) {
  SumInJoint<Space> sum;
  const typename Space::Scalar at_no_time(0);  // they depend on none
  const Instant<Space> now{system, kin, at_no_time, nullptr};
  const auto add = [&](const auto& forces) {
    for (const auto& force : forces) {
      if (force.in_joint == j) exert(force, now, sum);
    }
  };
  add(system.ball_stops);
  add(system.body_frictions);
  return sum.force;
}

extern template Planar<double>::Force force_in_joint(const System<Planar<double>>&,
                                                     const Kinematics<Planar<double>>&, int);
extern template Spatial<double>::Force force_in_joint(const System<Spatial<double>>&,
                                                      const Kinematics<Spatial<double>>&, int);

}  // namespace hamiltree
