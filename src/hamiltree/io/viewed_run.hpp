// The visible part of a run in its folder, complete or not: the data of its report, or of the
// checkpoint where it stands. docs/formats/recording.md.
#pragma once

#include <filesystem>
#include <string>

namespace hamiltree {

// The data of a folder, or of a report.html itself; safe between <script> tags. A run that has a
// checkpoint goes on, or was interrupted: its status is "unfinished". Throws std::runtime_error
// that names the path where there is no run or it cannot be read.
std::string viewed_data(const std::filesystem::path& run);

// Another text whenever the data are others.
std::string viewed_tag(const std::filesystem::path& run);

}  // namespace hamiltree
