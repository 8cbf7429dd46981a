// A Model as other engines are told about it.
#pragma once

#include "benchmarks/peers/engine.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::benchmarks {

// Of pins and free joints, with nothing acting on them but gravity. A planar model is laid into the
// plane z = 0. Throws std::logic_error for anything else.
EngineMechanism describe(const Model& model);

}  // namespace hamiltree::benchmarks
