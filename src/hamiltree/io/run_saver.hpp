// RunSaver: the tables of a run in its folder, which grow on the disk as samples and steps come,
// and its checkpoints. docs/formats/checkpoint.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "hamiltree/base/checksum.hpp"
#include "hamiltree/base/folder_lock.hpp"
#include "hamiltree/io/saved_run.hpp"

namespace hamiltree {

// Lines of text that are appended to a file. All throw std::runtime_error that names the path and
// the reason.
class GrowingTable {
 public:
  void create(const std::filesystem::path& path, const std::string& head);
  // Cuts off the file behind the part that was saved.
  void continue_at(const std::filesystem::path& path, const SavedTable& saved);
  void add(const std::string& line);
  // All so far, when it is on the disk.
  SavedTable saved();
  // Gives it its name.
  void publish(const std::filesystem::path& path);

 private:
  void open(bool anew);
  void check();

  std::filesystem::path path_;
  std::ofstream out_;
  std::size_t rows_ = 0, bytes_ = 0;
  Checksum checksum_;
};

// Two of them in one folder would write their lines into the same tables: as long as one lives,
// another is refused, by std::runtime_error: at the start where the folder is there, else in
// begin().
class RunSaver final : public Recorder {
 public:
  explicit RunSaver(std::filesystem::path folder);
  // Goes on behind a run that was saved in the folder.
  void go_on(const SavedRun& run);
  // Whether there are tables.
  bool is_begun() const { return is_begun_; }

  // Makes the folder, or removes what was saved there by an earlier run, unless it goes on.
  void begin(const RecordingHeader& header) override;
  void sample(const Sample& sample) override;
  void step(const StepRecord& step) override;
  void finish(const Summary&) override {}

  // A checkpoint on top of the tables so far. What had been saved before can be resumed until this
  // one is on the disk.
  void save(SavedRun run);

  // Makes trajectory.csv and steps.csv of the tables, which the saver then has no more.
  void publish();

 private:
  void take_new_folder();

  std::filesystem::path folder_;
  bool is_there_ = false;  // the folder, before the run
  FolderLock lock_;        // from the time on at which the folder is there
  RecordingHeader header_;
  GrowingTable samples_, steps_;
  std::vector<double> row_;
  bool is_begun_ = false;
};

}  // namespace hamiltree
