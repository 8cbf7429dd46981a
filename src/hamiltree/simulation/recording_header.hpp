// The header of a recording: names, units and shapes of everything that is recorded of a Model.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

RecordingHeader make_header(const Model& model);

// "q.A, rad": names with units, for people.
std::vector<std::string> channel_labels(const std::vector<Channel>& channels);

}  // namespace hamiltree
