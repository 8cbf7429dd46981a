// States to be timed at, and the momenta that go with them.
#pragma once

#include <cstddef>
#include <vector>

#include "benchmarks/peers/engine.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::benchmarks {

// The first is the one that the joints prescribe. Of a tree the others are drawn at random: angles
// up to 1.5 rad from it, rates up to 1 rad/s. With loops there is only the first. Where joints do
// not say where they are, the states are those of a motion from the start, over half a second.
std::vector<EngineState> draw_states(const Model& model, std::size_t count);

// The joints' momenta in that motion, without impulses in loops.
std::vector<double> momenta_of(const Model& model, const EngineState& state);

}  // namespace hamiltree::benchmarks
