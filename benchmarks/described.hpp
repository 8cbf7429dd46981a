// A Model as other engines are told about it.
#pragma once

#include <optional>
#include <vector>

#include "benchmarks/peers/engine.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::benchmarks {

// A tree of pins, slides, universal joints and balls, none of them turned round, and free joints
// in the world's frame, whose loops are closed by balls or by pins between parallel pins (at q),
// with forces along joints; nothing of others. A planar model is laid into the plane z = 0.
std::optional<EngineMechanism> describe(const Model& model, const std::vector<double>& q);

// Pins and free joints, without armature.
bool has_pins_only(const EngineMechanism& mechanism);

}  // namespace hamiltree::benchmarks
