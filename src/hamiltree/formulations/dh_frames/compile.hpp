// From a System to a tree of revolutes in DH frames.
#pragma once

#include <optional>

#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::dh_frames {

// In radii of gyration: a common normal whose foot is further from a revolute costs digits, and the
// revolute gets a general placement, which costs operations.
inline constexpr double kFarFoot = 5.0;

// Bodies on revolutes, the first of them on the ground or, in space, floating. Nothing if some
// joint is another, or reversed, driven, with armature or closing a loop, or if bodies need
// ballast.
template <class Space>
std::optional<Tree> make_tree(const System<Space>& system, double far_foot = kFarFoot);

// The same of a model.
std::optional<Tree> tree_of(const Model& model);

}  // namespace hamiltree::dh_frames
