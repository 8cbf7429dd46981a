// The elements of SDF that stand for themselves: poses, inertias, the axes of joints.
#pragma once

#include <optional>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::sdf {

// The minor number of a version: 10 of "1.10".
struct Version {
  int minor = 0;
};
Version read_version(const XmlElement& root, ImportLog& log);

// The content of <pose>, with its rotation_format and degrees.
Frame read_pose(const XmlElement& pose);
// The same of the child <pose>, none where it is missing.
Frame read_own_pose(const XmlElement& element);

// true, false, 1 or 0 in the child of this name.
bool read_flag(const XmlElement& element, const char* child, bool fallback);
double read_number(const XmlElement& element, const char* child, double fallback);

// Mass, centre and inertia of <inertial>; what is missing is 1 kg and 1 kg m^2 about each axis.
void read_inertial(const XmlElement& link, BodyDescription& body, ImportLog& log);

// Advance of a screw, m/rad.
double read_pitch(const XmlElement& joint, Version version);

// <limit> and <dynamics> of an <axis> of a joint with one degree of freedom; a ball takes only the
// damping.
void read_axis_forces(const XmlElement& axis, JointDescription& joint, bool stops,
                      Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::sdf
