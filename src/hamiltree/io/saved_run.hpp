// A run that can be taken up again: what `hamiltree simulate --checkpoint` leaves in its folder
// while it goes on. docs/formats/checkpoint.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/checksum.hpp"
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
  struct Table {
    std::size_t rows = 0, bytes = 0;
    Checksum checksum;
  };
  std::optional<std::size_t> continued_at(const Table& table) const;
  SavedTable save_table(const char* name, Table& table, std::size_t rows,
                        const std::function<void(std::ostream&)>& write) const;

  std::filesystem::path folder_;
  Table samples_, steps_;
  bool started_ = false;
};

// Whether the folder holds a run that can be taken up.
bool has_saved_run(const std::filesystem::path& folder);
// Throws std::runtime_error where there is none, or it is not what was written.
SavedRun load_run(const std::filesystem::path& folder);
// The recording at the time when the run was saved. Throws as load_run().
Recording load_recording(const SavedRun& run, const Model& model,
                         const std::filesystem::path& folder);

// Once a run is complete nothing is left to take up.
void remove_saved_run(const std::filesystem::path& folder);

}  // namespace hamiltree
