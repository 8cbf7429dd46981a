#include "hamiltree/formulations/kernel/loads_of_forces.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"

namespace hamiltree::kernel {
void find_loads(const Instant<Spatial<double>>& now, Loads<Spatial<double>>& loads,
                ForcePower<double>* power) {
  std::ranges::fill(loads.effort, 0.0);
  for (auto& load : loads.body) load.setZero();
  if (power != nullptr) *power = {};
  exert_forces(now, &loads, power);
}

void add_joint_efforts(const System<Spatial<double>>& system, const Loads<Spatial<double>>& loads,
                       double* p_dot) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.has_velocity() && joint.along != kNone) p_dot[joint.v] += loads.effort[at(b)];
  }
}

}  // namespace hamiltree::kernel
