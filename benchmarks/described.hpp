// A Model as other engines are told about it.
#pragma once

#include <optional>

#include "benchmarks/peers/engine.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::benchmarks {

// Mechanisms of pins and, in space, free joints in the world's frame, with nothing acting on them
// but gravity; nothing of other joints. A planar model is laid into the plane z = 0.
std::optional<EngineMechanism> describe(const Model& model);

}  // namespace hamiltree::benchmarks
