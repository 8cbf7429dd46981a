// <joint> and <freejoint> of MJCF.
#pragma once

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// Where a joint stands: between the bodies, of which the child's frame is X in the parent's at the
// start, within a <frame> that is X_frame in the child.
struct Between {
  std::string name, parent, child;
  Frame X, X_frame;
};

// Whether its spring and damper are said by `springdamper`.
bool has_spring_damper(const XmlElement& element);

// The joint, its default class already applied. Its forces go to the mechanism, the joint itself is
// given back.
JointDescription read_joint(const XmlElement& element, const Between& between,
                            const Settings& settings, Mechanism& mechanism);

}  // namespace hamiltree::mjcf
