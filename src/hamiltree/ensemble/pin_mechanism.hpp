// PinMechanism: bodies on pins under gravity as numbers for lanes: a tree in space or in the plane,
// and in the plane also loops that pins close.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "hamiltree/formulations/screws/tree.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

// A pin in the plane: where it is in the body further in, and how the next body's axes are turned
// from that one's at q = 0.
struct PlanarPin {
  int inboard = 0;
  double x = 0.0, y = 0.0, cosine = 1.0, sine = 0.0;
};

// A pin that closes a loop: its place in both bodies, of which one may be the ground.
struct ClosingPin {
  int parent = 0, child = 0;
  std::array<double, 2> at_parent{}, at_child{};
};

struct PinMechanism {
  screws::Tree tree;                 // without the pins that close loops
  std::vector<PlanarPin> pins;       // of each body; only with loops
  std::vector<ClosingPin> closings;  // of the loops
};

// Nothing where a mechanism is another: with other joints, drives, couplings, bodies without
// inertia, redundant loops. Forces are not looked at.
std::optional<PinMechanism> pin_mechanism(const Model& model);

// Whether two of them run through the very same code, so that neither feels the other beside it.
bool are_alike(const PinMechanism& one, const PinMechanism& other);

}  // namespace hamiltree
