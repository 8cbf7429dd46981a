// A run that can be taken up again: what `hamiltree simulate --checkpoint` leaves in its folder
// while it goes on. docs/formats/checkpoint.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/checkpoint.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// The model as it was read, whatever becomes of its file, and where the run stands.
struct SavedRun {
  std::string model_file, model_text;
  std::vector<std::string> overrides;  // "path=value"
  Checkpoint checkpoint;
  std::size_t samples = 0, steps = 0;  // how many had been recorded

  Model model() const;
};

// Keeps a run in its folder: checkpoint.json, which is replaced as a whole, and tables of the
// samples and steps so far, which grow.
class RunSaver {
 public:
  explicit RunSaver(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // `so_far` must continue what the last call was given. Throws std::runtime_error that names the
  // path and the reason; what had been saved before can then still be resumed.
  void save(SavedRun run, const Recording& so_far);

 private:
  std::filesystem::path folder_;
  std::size_t samples_ = 0, steps_ = 0;  // in the tables
  bool started_ = false;
};

// Throws std::runtime_error where there is none or it cannot be read.
SavedRun load_run(const std::filesystem::path& folder);
// What had been recorded when the run was saved.
Recording load_recording(const SavedRun& run, const Model& model,
                         const std::filesystem::path& folder);

// Once a run is complete nothing is left to take up.
void remove_saved_run(const std::filesystem::path& folder);

}  // namespace hamiltree
