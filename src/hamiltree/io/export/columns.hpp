// The columns of a trajectory: every recorded number of a sample in one row, whatever the file.
#pragma once

#include <vector>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Names and units, docs/formats/trajectory.md; the first is t.
std::vector<Channel> columns_of(const RecordingHeader& header);

// The numbers of one sample in this order, appended.
void append_row(const RecordingHeader& header, const Sample& sample, std::vector<double>& row);

}  // namespace hamiltree
