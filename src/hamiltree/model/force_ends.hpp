// The names that a force's description refers to, whatever its kind, for those who collect or
// change them.
#pragma once

#include <variant>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// f(name) for each body that it names as its own; the ground may be among them.
template <class Force, class F>
void for_each_body_name(Force& force, const F& f) {
  std::visit(
      [&](auto& x) {
        if constexpr (requires { x.body; }) f(x.body);
        if constexpr (requires { x.body_a; }) f(x.body_a), f(x.body_b);
        if constexpr (requires { x.points; }) {
          for (auto& point : x.points) f(point.body);
        }
      },
      force);
}

// f(name) for each joint.
template <class Force, class F>
void for_each_joint_name(Force& force, const F& f) {
  std::visit(
      [&](auto& x) {
        if constexpr (requires { x.joint; }) f(x.joint);
        if constexpr (requires { x.joints; }) {
          for (auto& joint : x.joints) f(joint);
        }
      },
      force);
}

}  // namespace hamiltree
