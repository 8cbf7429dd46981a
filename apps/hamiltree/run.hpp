// One run, from the start or taken up again: integrates, keeps checkpoints, writes and prints what
// happened.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "hamiltree/io/controller/controllers.hpp"
#include "hamiltree/io/run_saver.hpp"
#include "hamiltree/io/saved_run.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "options.hpp"

namespace hamiltree::app {

struct OutputArguments {
  std::optional<std::string> folder;
  bool hdf5 = false, json = false, quiet = false;
  bool files_elsewhere = false;  // meshes of the report
};

// --hdf5, --json and --quiet.
void add_output_flags(CLI::App& command, OutputArguments& output);

// Thrown after a run whose summary names a gate that it failed.
struct GateFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Thrown after a sweep that has no sample to show for.
struct AllSamplesFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Refuses a folder that could not be written to, before anything is simulated. Creates nothing.
void check_folder(const std::filesystem::path& folder);

// A run takes long: it is not replaced by accident. Throws std::runtime_error that says what to do
// instead.
void check_holds_no_run(const std::filesystem::path& folder, const std::string& instead);

// Calls integrate, which moves the simulation and tells the recorder, on top of what had been
// recorded before where it is resumed; `run` says of what and by what options. Samples go to the
// disk as they come, by the saver, which is there if there is a folder. Throws SimulationError,
// GateFailed, Interrupted, and std::runtime_error for files that cannot be written. After a
// SimulationError and a failed gate what was reached has been written; after an interruption a
// checkpoint, if there is a folder and the controllers' states can be saved.
void carry_out(Simulation& simulation, const SavedRun& run, bool is_resumed, double until,
               const OutputArguments& output, RunSaver* saver,
               std::optional<double> checkpoint_every,
               const std::function<void(Recorder&)>& integrate,
               const std::shared_ptr<Controllers>& controllers = nullptr);

// This program runs files of controllers.
std::vector<std::string> controller_command();

}  // namespace hamiltree::app
