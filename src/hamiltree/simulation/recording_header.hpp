// The header of a recording: names, units and shapes of everything that is recorded of a Model.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

RecordingHeader make_header(const Model& model);

// Whether each channel of the sensors is an angle that jumps by a turn: of bodies in the plane,
// and of joints that close loops unless their turns are counted.
std::vector<bool> angles_within_half_a_turn(const Model& model, bool counts_turns);

// "q.A, rad": names with units, for people.
std::vector<std::string> channel_labels(const std::vector<Channel>& channels);

}  // namespace hamiltree
