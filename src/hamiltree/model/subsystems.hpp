// Subsystems of a Model: groups of bodies that nothing but the ground connects, so that each moves
// as if the others were not there.
#pragma once

#include <optional>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

struct Subsystem {
  Model model;
  // Numbers in the whole of its coordinates, velocities, rows of Phi and joints.
  std::vector<int> coordinates, velocities, rows, joints;
};

// The subsystem of each body, counted from 0 in the order of their first bodies.
std::vector<int> subsystem_numbers(const Model& model);

// The subsystem, or several as one, of the bodies (in the whole's order) that are chosen. Nothing
// if the whole's tables are not those of its mechanism: its loops are opened, or parameters
// changed.
std::optional<Subsystem> make_subsystem(const Model& whole, const std::vector<bool>& chosen);

}  // namespace hamiltree
