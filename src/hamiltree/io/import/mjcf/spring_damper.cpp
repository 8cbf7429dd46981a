#include "hamiltree/io/import/mjcf/spring_damper.hpp"

#include <cmath>

#include "hamiltree/io/import/joint_parts.hpp"
#include "hamiltree/io/import/mjcf/free_inertias.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/model/checks.hpp"

namespace hamiltree::mjcf {

void add_spring_dampers(const Settings& settings, const Tree& tree, Mechanism& mechanism) {
  if (tree.spring_dampers.empty()) return;
  const FreeInertias inertias(tree, mechanism);
  const auto joints = number_by_name(mechanism.joints);
  for (const auto& [name, time_constant, damping_ratio, rest] : tree.spring_dampers) {
    const std::size_t j = joints.at(name);
    const auto& joint = mechanism.joints[j];
    const double inertia = inertias.of(j);
    if (inertia == 0.0) {
      refuse(joint.where, titled("joint", name), "its springdamper needs mass that it moves");
    }
    const double stiffness = inertia / std::pow(time_constant * damping_ratio, 2);
    if (!settings.disabled.contains("spring")) {
      add_spring(mechanism, joint, stiffness, rest);
    }
    if (!settings.disabled.contains("damper")) {
      add_damping(mechanism, joint, 2.0 * inertia / time_constant);
    }
  }
}

}  // namespace hamiltree::mjcf
