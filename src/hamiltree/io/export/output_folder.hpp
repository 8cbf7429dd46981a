// The folder that a run leaves behind: summary.json, trajectory.csv, steps.csv,
// report.html.
#pragma once

#include <array>
#include <filesystem>
#include <functional>

#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// The last says that the others are whole.
inline constexpr std::array kRunFiles{"report.html", "trajectory.csv", "steps.csv", "trajectory.h5",
                                      "summary.json"};

struct LeftOut;  // thin_recording.hpp

// Makes the folder where it is missing and writes the four files, on request trajectory.h5 too. All
// are written under temporary names first, then renamed, summary.json last: no reader ever meets
// half a file, and a summary says that its set is whole. Model and looks are for the report, see
// to_report(). Throws std::runtime_error that names the path and the reason.
void write_output_folder(const Recording& recording, const std::filesystem::path& folder,
                         const Model* model = nullptr, bool hdf5 = false,
                         const ModelLooks& looks = {});

// The same where the tables have been written as samples came: publish_tables() gives them their
// names. The recording is then that of the report, which may have been thinned; HDF5 takes all.
void write_output_folder(const Recording& recording, const std::filesystem::path& folder,
                         const Model* model, bool hdf5, const std::function<void()>& publish_tables,
                         const ModelLooks& looks = {}, const LeftOut* left_out = nullptr);

}  // namespace hamiltree
