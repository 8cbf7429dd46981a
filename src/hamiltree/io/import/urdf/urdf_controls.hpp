// Motors of URDF, which <transmission> and <ros2_control> name and --control drives.
#pragma once

#include <string>

#include "hamiltree/io/import/xml/xml_element.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::urdf {

// Adds a servo for each joint that the file of controls names under [control], by its [gains]: with
// stiffness to a position, with damping alone to a velocity, without gains by an effort; within the
// effort of the joint's <limit>. Throws ModelError for a joint that is not there or has no motor
// with such an interface, and for what the file gets wrong.
void add_controls(const XmlElement& robot, const std::string& file, Mechanism& mechanism);

}  // namespace hamiltree::urdf
