// All joint types, and the one switch that turns a JointType into code.
#pragma once

#include <type_traits>
#include <utility>

#include "hamiltree/model/joints/cylindrical.hpp"
#include "hamiltree/model/joints/fixed.hpp"
#include "hamiltree/model/joints/free.hpp"
#include "hamiltree/model/joints/helical.hpp"
#include "hamiltree/model/joints/pin_in_slot.hpp"
#include "hamiltree/model/joints/planar_joint.hpp"
#include "hamiltree/model/joints/prismatic.hpp"
#include "hamiltree/model/joints/revolute.hpp"
#include "hamiltree/model/joints/spherical.hpp"
#include "hamiltree/model/joints/translational.hpp"
#include "hamiltree/model/joints/universal.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/system.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree {

// Calls f with the joint struct of this type, for example f(Revolute<Space>{}); only a helical one
// holds a number, its pitch. The type must exist in the space. Always inlined, or each caller would
// call a copy of its own, of which the linker may take one that is not compiled for speed.
template <class Space, class F>
[[gnu::always_inline]] inline decltype(auto) visit_joint(JointType type, double pitch, F&& f) {
  if constexpr (!Space::kIsPlanar) {
    switch (type) {
      case JointType::kHelical:
        return std::forward<F>(f)(Helical<Space>{pitch});
      case JointType::kUniversal:
        return std::forward<F>(f)(Universal<Space>{});
      case JointType::kCylindrical:
        return std::forward<F>(f)(Cylindrical<Space>{});
      case JointType::kSpherical:
        return std::forward<F>(f)(Spherical<Space>{});
      case JointType::kPlanar:
        return std::forward<F>(f)(PlanarJoint<Space>{});
      case JointType::kTranslational:
        return std::forward<F>(f)(Translational<Space>{});
      default:
        break;
    }
  }
  switch (type) {
    case JointType::kRevolute:
      return std::forward<F>(f)(Revolute<Space>{});
    case JointType::kPrismatic:
      return std::forward<F>(f)(Prismatic<Space>{});
    case JointType::kPinInSlot:
      return std::forward<F>(f)(PinInSlot<Space>{});
    case JointType::kFixed:
      return std::forward<F>(f)(Fixed<Space>{});
    default:
      break;
  }
  return std::forward<F>(f)(Free<Space>{});
}

// The same over double, in a space by its name.
template <class F>
[[gnu::always_inline]] inline decltype(auto) visit_joint(JointType type, SpaceKind space,
                                                         const F& f) {
  return space == SpaceKind::kPlanar ? visit_joint<Planar<double>>(type, 1.0, f)
                                     : visit_joint<Spatial<double>>(type, 1.0, f);
}

// Calls f with the struct of a joint of a System.
template <class Space, class F>
[[gnu::always_inline]] inline decltype(auto) visit_joint(const Joint<Space>& joint, F&& f) {
  return visit_joint<Space>(joint.type, joint.pitch, std::forward<F>(f));
}

// Numbers of coordinates, velocities and constraint rows of a joint type.
struct JointSize {
  int coordinates = 0, velocities = 0, constraints = 0;
};

// The type must exist in the space.
inline JointSize joint_size(JointType type, SpaceKind space) {
  return visit_joint(type, space, []<class J>(const J&) {
    return JointSize{J::kCoordinates, J::kVelocities, J::kConstraints};
  });
}

}  // namespace hamiltree
