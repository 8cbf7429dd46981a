// The visible part of a run in its folder, complete or not: the data of its report, or of the
// checkpoint where it stands. docs/formats/recording.md.
#pragma once

#include <filesystem>
#include <string>

namespace hamiltree {

// The data of a folder, or of a report.html itself; safe between <script> tags. A run that has a
// checkpoint goes on, or was interrupted: its status is "unfinished", and its meshes may lie
// elsewhere than in the model's folder if that is said. Throws std::runtime_error that names the
// path where there is no run or it cannot be read.
std::string viewed_data(const std::filesystem::path& run, bool files_elsewhere = false);

// Another text whenever the data are others.
std::string viewed_tag(const std::filesystem::path& run);

}  // namespace hamiltree
