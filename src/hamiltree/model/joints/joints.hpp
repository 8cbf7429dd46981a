// All joint types, and the one switch that turns a JointType into code.
#pragma once

#include <type_traits>
#include <utility>

#include "hamiltree/model/joints/fixed.hpp"
#include "hamiltree/model/joints/free.hpp"
#include "hamiltree/model/joints/prismatic.hpp"
#include "hamiltree/model/joints/revolute.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// Calls f with the stateless joint struct of this type, for example f(Revolute<Space>{}).
template <class Space, class F>
decltype(auto) visit_joint(JointType type, F&& f) {
  switch (type) {
    case JointType::kRevolute:
      return std::forward<F>(f)(Revolute<Space>{});
    case JointType::kPrismatic:
      return std::forward<F>(f)(Prismatic<Space>{});
    case JointType::kFixed:
      return std::forward<F>(f)(Fixed<Space>{});
    case JointType::kFree:
      break;
  }
  return std::forward<F>(f)(Free<Space>{});
}

// Numbers of coordinates, velocities and constraint rows of a joint type.
struct JointSize {
  int coordinates = 0, velocities = 0, constraints = 0;
};

template <class Space>
JointSize joint_size(JointType type) {
  return visit_joint<Space>(type, []<class J>(J) {
    return JointSize{J::kCoordinates, J::kVelocities, J::kConstraints};
  });
}

}  // namespace hamiltree
