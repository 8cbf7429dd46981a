// From a System to a tree of links in screw frames.
#pragma once

#include <optional>

#include "hamiltree/formulations/screws/tree.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::screws {

// Nothing if some joint is no plain pin: another type, reversed, driven, with armature or closing a
// loop, or if bodies need ballast.
std::optional<Tree> make_tree(const System<Spatial<double>>& system);

// The same of a model on which nothing acts but gravity.
std::optional<Tree> tree_under_gravity(const Model& model);

}  // namespace hamiltree::screws
