// The ways in which URDF files close loops beside a second parent: <loop_joint> as of
// RigidBodyDynamics.jl, <loop> and <coupling> of URDF+ [Chignoli2024], <mimic>, and a YAML file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/io/import/xml/xml_element.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::urdf {

// Where links are at q = 0, against the root of their tree.
using PosesAtZero = std::map<std::string, Frame>;

// Over the first joint of each link. Links that are parents of each other have no place.
PosesAtZero poses_at_zero(const Mechanism& mechanism);

// Lets the search for a closed start begin at q = 0 of the tree, whichever joint of a loop is cut:
// a ball that closes it has not turned there, another joint that is closed there guesses its
// coordinates.
void start_at_zero(const PosesAtZero& at_zero, JointDescription& joint);

// <loop_joint><link1/><link2/></loop_joint> and <loop><predecessor/><successor/></loop>.
void read_loop_joint(const XmlElement& element, const PosesAtZero& at_zero, Mechanism& mechanism,
                     ImportLog& log);
void read_loop(const XmlElement& element, const PosesAtZero& at_zero, Mechanism& mechanism,
               ImportLog& log);

// q = multiplier q_of_the_other + offset
void read_mimic(const XmlElement& mimic, const JointDescription& joint, Mechanism& mechanism,
                ImportLog& log);

using InboardJoints = std::map<std::string, std::size_t>;  // of each link, its first in the file
InboardJoints inboard_joints(const Mechanism& mechanism);

// q_successor = ratio q_predecessor: how far the two links have turned against the one where their
// ways to the root part. To be read when all joints are there.
void read_coupling(const XmlElement& element, const InboardJoints& inboard, Mechanism& mechanism);

// closed_loop: [[a, b], ...] and type: ['6d', ...]: the frames of a and b, links or joints,
// coincide ('6d') or have their origins in common ('3d').
void read_closed_loops(const std::filesystem::path& yaml, const PosesAtZero& at_zero,
                       Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::urdf
