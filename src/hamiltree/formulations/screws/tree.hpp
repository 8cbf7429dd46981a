// A tree of pins as links in screw frames, compiled from a System.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "hamiltree/formulations/screws/link.hpp"
#include "hamiltree/model/system.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree::screws {

struct Tree {
  std::vector<Link<double>> links;   // depth first: a link that continues follows its own
  std::vector<int> body;             // of the System
  std::vector<double> sign, offset;  // theta = sign q + offset
  int branchings = 0;                // links with several children
  std::array<double, 3> gravity{};   // m/s^2, world
};

// Nothing if some joint is no plain pin: another type, reversed, driven, with armature or closing a
// loop, or if bodies need ballast.
std::optional<Tree> make_tree(const System<Spatial<double>>& system);

}  // namespace hamiltree::screws
