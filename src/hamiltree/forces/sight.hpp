// Sight: the bodies and joints of a System that someone looks at, as forces do.
#pragma once

#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/force_ends.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

struct Sight {
  std::vector<int> bodies;  // their poses and motions, inboard ones first
  std::vector<int> frames;  // of joints; forces look at those that are driven or close loops
  std::vector<int> joints;  // of the tree, by the state alone
};

template <class Space>
Sight sight_of_forces(const System<Space>& system) {
  std::vector<bool> bodies(at(system.body_count()), false), joints(at(system.joint_count()), false);
  const auto on_body = [&](int body) {
    if (body != kNone) bodies[at(body)] = true;
  };
  const auto on_joint = [&](int j, Uses) {
    joints[at(j)] = true;
    if (system.joint(j).has_velocity()) return;
    on_body(system.joint(j).child);
    on_body(system.joint(j).parent);
  };
  system.for_each_force([&](const auto& element) {
    for_each_end(element, on_body, on_joint);
    if constexpr (requires { element.directory; }) {  // it may look at any joint
      for (int j = system.body_count(); j < system.joint_count(); ++j) on_joint(j, Uses::kPosition);
    }
  });
  Sight sight;
  for (int b = 0; b < system.body_count(); ++b)
    if (bodies[at(b)]) sight.bodies.push_back(b);
  for (int j = 0; j < system.joint_count(); ++j)
    if (joints[at(j)]) (system.joint(j).has_velocity() ? sight.joints : sight.frames).push_back(j);
  return sight;
}

}  // namespace hamiltree
