// Mechanisms that stand beside one another, as one.
#pragma once

#include <string>
#include <variant>

#include "hamiltree/model/force_ends.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

// Adds another mechanism to one, each of its names behind a prefix. Gravity stays as it is.
inline void put_beside(Mechanism& whole, const Mechanism& other, const std::string& prefix) {
  const auto rename = [&](std::string& name) {
    if (name != kGround) name = prefix + name;
  };
  for (auto body : other.bodies) {
    rename(body.name);
    whole.add(body);
  }
  for (auto joint : other.joints) {
    rename(joint.name), rename(joint.parent), rename(joint.child);
    whole.add(joint);
  }
  for (auto coupling : other.couplings) {
    rename(coupling.name), rename(coupling.joint), rename(coupling.to);
    whole.add(coupling);
  }
  for (auto force : other.forces) {
    std::visit(
        [&]<class Force>(Force& f) {
          if constexpr (requires { f.name; }) rename(f.name);
        },
        force);
    for_each_joint_name(force, rename);
    for_each_body_name(force, rename);
    whole.add(force);
  }
}

}  // namespace hamiltree::test
