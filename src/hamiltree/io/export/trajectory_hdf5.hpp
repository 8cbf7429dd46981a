// A recording as an HDF5 file. Data sets: docs/formats/trajectory.md.
#pragma once

#include <filesystem>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Replaces a file of this name. Throws UsageError without HDF5, std::runtime_error that names the
// file, and std::invalid_argument where a sample does not fit the header.
void write_hdf5(const Recording& recording, const std::filesystem::path& path);

}  // namespace hamiltree
