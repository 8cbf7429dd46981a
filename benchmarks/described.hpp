// A Model as other engines are told about it.
#pragma once

#include <optional>
#include <vector>

#include "benchmarks/peers/engine.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::benchmarks {

// A tree of pins, slides, universal joints and balls, and free joints in the world's frame, whose
// loops are closed by balls or by pins (at q): these hold one point together where all pins of the
// loop are parallel, else two. Its forces are not described: a state has them as efforts. Nothing
// of others. A planar model is laid into the plane z = 0.
std::optional<EngineMechanism> describe(const Model& model, const std::vector<double>& q);

// Pins and free joints, without armature.
bool has_pins_only(const EngineMechanism& mechanism);

}  // namespace hamiltree::benchmarks
