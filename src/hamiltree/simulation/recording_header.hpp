// The header of a recording: names, units and shapes of everything that is recorded of a Model.
#pragma once

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

RecordingHeader make_header(const Model& model);

}  // namespace hamiltree
