// What forces do to bodies and joints, as the kernel knows poses and motions.
#pragma once

#include "hamiltree/forces/loads.hpp"
#include "hamiltree/forces/power.hpp"

namespace hamiltree::kernel {

// An instant at which the velocities of the tree's joints are known.
struct SolvedInstant : Instant<Spatial<double>> {
  const double* v;

  double rate(int j) const {
    const auto& joint = system.joint(j);
    return joint.has_velocity() ? v[joint.v] : Instant::rate(j);
  }
  void velocities(int j, double* u) const {
    const auto& joint = system.joint(j);
    if (!joint.has_velocity()) return Instant::velocities(j, u);
    for (int i = 0; i < joint.velocities; ++i) u[i] = v[joint.v + i];
  }
};

// Loads of forces of every kind but gravity, and their power if that is asked for.
void find_loads(const SolvedInstant& now, Loads<Spatial<double>>& loads, ForcePower<double>* power);

// p_dot of what of these loads acts along joints.
void add_joint_efforts(const System<Spatial<double>>& system, const Loads<Spatial<double>>& loads,
                       double* p_dot);

}  // namespace hamiltree::kernel
