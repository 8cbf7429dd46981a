// A run that can be taken up again: what `hamiltree simulate --checkpoint` leaves in its folder
// while it goes on. docs/formats/checkpoint.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/io/controller/controllers_state.hpp"
#include "hamiltree/io/looks.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/checkpoint.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// The part of a table that belongs to a checkpoint: the table itself may have grown further.
struct SavedTable {
  std::size_t rows = 0;
  std::size_t bytes = 0;
  std::string checksum;  // of these bytes
};

// The model as it was read, whatever becomes of its file, and where the run stands.
struct SavedRun {
  std::string model_file, model_text;
  std::vector<std::string> overrides;  // "path=value"
  Checkpoint checkpoint;
  SavedTable samples = {}, steps = {};  // what had been recorded
  std::optional<ControllersState> controllers = {};
  bool hdf5 = false;  // results are written as an HDF5 file too

  Model model() const;
  ModelLooks looks(bool files_elsewhere) const;
};

// Tables of the samples and steps so far, in the folder of a run that goes on (run_saver.hpp).
inline constexpr const char* kSavedSamplesFile = "checkpoint.csv";
inline constexpr const char* kSavedStepsFile = "checkpoint_steps.csv";

// checkpoint.json, which is replaced as a whole. Throws std::runtime_error that names the path and
// the reason; what had been saved before can then still be resumed.
void write_checkpoint(const SavedRun& run, const std::filesystem::path& folder);

// Whether the folder holds a run that can be taken up.
bool has_saved_run(const std::filesystem::path& folder);
// Throws std::runtime_error where it does, which says how the run goes on, and what else can be
// done.
void check_holds_no_saved_run(const std::filesystem::path& folder,
                              const std::string& otherwise = {});
// Throws std::runtime_error where there is none, or it is not what was written.
SavedRun load_run(const std::filesystem::path& folder);
// A run that is killed while its results are written has tables that have their last names already:
// they get back those under which they are gone on with. Throws as load_run().
void recover_tables(const SavedRun& run, const std::filesystem::path& folder);
// Tells the recorder, line by line, what had been recorded when the run was saved. Throws as
// load_run().
void replay_recording(const SavedRun& run, const Model& model, const std::filesystem::path& folder,
                      Recorder& recorder);
Recording load_recording(const SavedRun& run, const Model& model,
                         const std::filesystem::path& folder);

// Once a run is complete nothing is left to take up.
void remove_saved_run(const std::filesystem::path& folder);

}  // namespace hamiltree
