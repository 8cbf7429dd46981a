// <joint> and <freejoint> of MJCF.
#pragma once

#include <optional>

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// Where a joint stands: between the bodies, of which the child's frame is X in the parent's at the
// start, within a <frame> that is X_frame in the child.
struct Between {
  std::string name, parent, child;
  Frame X, X_frame;
};

// `springdamper`: spring and damper by what they make of the inertia that the joint moves.
struct SpringDamper {
  double time = 0.0;   // s, in which what swings dies down to 1/e
  double ratio = 0.0;  // of damping
};
std::optional<SpringDamper> spring_damper(const XmlElement& element);

// As MuJoCo has it, of the inertia at the reference pose, kg m^2 or kg: time = 2 I / d and
// ratio = d / (2 sqrt(I k)).
void add_spring_damper(const SpringDamper& wanted, double inertia, double rest,
                       const Settings& settings, const JointDescription& joint,
                       Mechanism& mechanism);

// The joint, its default class already applied. Its forces go to the mechanism, the joint itself is
// given back.
JointDescription read_joint(const XmlElement& element, const Between& between,
                            const Settings& settings, Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::mjcf
