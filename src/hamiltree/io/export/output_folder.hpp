// The folder that a run leaves behind: summary.json, trajectory.csv, steps.csv,
// report.html.
#pragma once

#include <filesystem>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Makes the folder where it is missing and writes the four files. All are written under temporary
// names first, then renamed, summary.json last: no reader ever meets half a file, and a summary
// says that its set is whole. Throws std::runtime_error that names the path and the reason.
void write_output_folder(const Recording& recording, const std::filesystem::path& folder);

}  // namespace hamiltree
