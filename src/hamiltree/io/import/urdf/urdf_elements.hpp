// The elements of URDF that stand for themselves: frames, links, joints.
#pragma once

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::urdf {

inline constexpr const char* kWorld = "world";

// The frame that `xyz` and `rpy` of an element say; zero where they are missing.
Frame read_pose(const XmlElement& element);
// The same of the child <origin>, none where it is missing.
Frame read_origin(const XmlElement& element);

// The engine's name of a link: the world is the ground, and "ground" becomes "ground_link".
std::string body_name(const std::string& link);

BodyDescription read_link(const XmlElement& link);

// The type by its word, for <joint>, <loop_joint> and <loop>, or for Drake's <drake:joint>.
JointType read_type(const XmlElement& joint);

// Turns the joint's frames so that its own axis is that of <axis>, (1, 0, 0) where that is missing;
// nothing for types without an axis.
void read_axis(const XmlElement& element, JointDescription& joint);

// <dynamics>, <limit> and the like of a joint that is complete otherwise.
void read_forces(const XmlElement& element, const JointDescription& joint, Mechanism& mechanism,
                 ImportLog& log);

}  // namespace hamiltree::urdf
