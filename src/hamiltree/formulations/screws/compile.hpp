// From a System to a tree of links in screw frames.
#pragma once

#include <optional>

#include "hamiltree/formulations/screws/tree.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::screws {

// In radii of gyration: a common normal whose foot is further from a pin costs digits, and the link
// gets a general placement, which costs operations.
inline constexpr double kFarFoot = 5.0;

// Nothing if some joint is no plain pin: another type, reversed, driven, with armature or closing a
// loop, or if bodies need ballast.
std::optional<Tree> make_tree(const System<Spatial<double>>& system, double far_foot = kFarFoot);

// The same of a model on which nothing acts but gravity.
std::optional<Tree> tree_under_gravity(const Model& model);

}  // namespace hamiltree::screws
