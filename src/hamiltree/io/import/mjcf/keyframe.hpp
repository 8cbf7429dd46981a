// <keyframe> of MJCF: where the mechanism starts, if the user asks for one.
#pragma once

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// The keyframe of this name, or of this number, from 0, if it has no name. Throws UsageError where
// there is none.
XmlElement find_key(const XmlElement& root, const std::string& name);

// Makes the coordinates of the keyframe of this name the guesses of the joints and, in a model
// without equalities, its velocities theirs. Throws UsageError where there is none, ModelError
// where it has other than one number for each coordinate or velocity.
void start_from_keyframe(const XmlElement& root, const std::string& name, const Tree& tree,
                         Mechanism& mechanism, ImportLog& log);

}  // namespace hamiltree::mjcf
