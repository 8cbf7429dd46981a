// An HDF5 file of tables of numbers and lists of names. Part of the build where the library was
// found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Whether this build has the library; check_hdf5() throws UsageError where it has not.
bool has_hdf5();
void check_hdf5();

// Names of data sets may lead through groups, "outputs/values". All throw std::runtime_error that
// names the file.
class Hdf5File {
 public:
  // Replaces a file of this name.
  explicit Hdf5File(const std::filesystem::path& path);
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  ~Hdf5File();

  // A table of as many columns, row by row. What is appended is there once the file is closed.
  void start_table(const std::string& name, std::size_t columns);
  void append_row(const std::string& name, std::span<const double> row);
  void write(const std::string& name, const std::vector<std::uint64_t>& numbers);
  void write(const std::string& name, const std::vector<std::string>& texts);
  // NAME/columns and NAME/units.
  void write_channels(const std::string& name, const std::vector<Channel>& channels);
  void close();

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace hamiltree
