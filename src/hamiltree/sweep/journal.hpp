// Journal: the finished samples of a sweep on the disk while it goes on. Every thread of every rank
// appends to a file of its own, a record at a time; what was appended stays, however the program
// ends, and half a record at the end of a file counts as none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace hamiltree {

struct SampleRecord {
  std::uint64_t sample = 0;
  std::vector<double> parameters, outputs;
  std::vector<double> trajectory;  // rows of all columns; empty unless they are kept
  std::string failure;             // why there are no outputs; empty: there are
};

class JournalWriter {
 public:
  // For a name that is not there yet.
  explicit JournalWriter(const std::filesystem::path& file);
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;
  ~JournalWriter();

  // Throws std::runtime_error that names the file and the reason.
  void append(const SampleRecord& record);

 private:
  std::filesystem::path path_;
  int file_;
};

// All records in the journals of a folder, found by their samples.
class JournalIndex {
 public:
  // Throws std::runtime_error for a file that cannot be read.
  JournalIndex(const std::filesystem::path& folder, std::size_t samples);

  bool has(std::size_t sample) const { return places_[sample].size > 0; }
  std::size_t count() const { return count_; }
  // The number that no journal of the folder begins with.
  int next_session() const { return next_session_; }
  SampleRecord read(std::size_t sample);

 private:
  struct Place {
    std::uint64_t offset = 0;
    std::uint32_t size = 0, file = 0;
  };

  void add_file(const std::filesystem::path& file);

  struct File {
    std::filesystem::path path;
    std::ifstream in;
  };
  std::vector<File> files_;
  std::vector<Place> places_;
  std::size_t count_ = 0;
  int next_session_ = 0;
};

std::filesystem::path journal_path(const std::filesystem::path& folder, int session, int rank,
                                   int thread);
void remove_journals(const std::filesystem::path& folder);

}  // namespace hamiltree
