// What <gazebo> of URDF adds to a robot in the words of SDF, as Gazebo does when it makes a model
// of the file: joints, most often to close loops, and links.
#pragma once

#include <map>
#include <string>

#include "hamiltree/io/import/imported_looks.hpp"
#include "hamiltree/io/import/urdf/urdf_loops.hpp"

namespace hamiltree::urdf {

// Whether the children of this <gazebo> are parts of the model, not of a link or a joint.
bool is_of_model(const XmlElement& gazebo);

// Adds the joints and links of every <gazebo> without `reference`. The frame of the model is that
// of the root; joints are closed at q = 0. Gives the links and where they are then.
std::map<std::string, Frame> read_gazebo(const XmlElement& robot, const PosesAtZero& at_zero,
                                         Mechanism& mechanism, ImportedLooks& looks,
                                         ImportLog& log);

}  // namespace hamiltree::urdf
