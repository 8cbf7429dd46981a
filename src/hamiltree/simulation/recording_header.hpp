// The header of a recording: names, units and shapes of everything that is recorded of a Model.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Throws UsageError where two numbers would have the same name.
RecordingHeader make_header(const Model& model);

// Of joints that move, by their indices in the tables: "A", or "A.x" and so on where one has
// several coordinates, "A.vx" where it has several velocities.
std::vector<std::string> coordinate_names(const Model& model, const std::vector<int>& joints);
std::vector<std::string> velocity_names(const Model& model, const std::vector<int>& joints);

// How a channel of a sensor jumps while nothing does: angles by a turn, quaternions, of which both
// signs are the same rotation, to the other one. They do of bodies, and of joints that close loops
// unless their turns are counted.
enum class Jump { kNone, kByATurn, kToOtherSign };
// Of all channels of the sensors.
std::vector<Jump> jumps_of_sensors(const Model& model, bool counts_turns);

// "q.A, rad": names with units, for people.
std::vector<std::string> channel_labels(const std::vector<Channel>& channels);

}  // namespace hamiltree
