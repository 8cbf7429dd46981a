// A file that is written under a temporary name and then renamed: no reader ever meets half of it.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace hamiltree {

// Under a temporary name beside its place; gone again unless published. Throws std::runtime_error
// that names the path and the reason.
class PendingFile {
 public:
  PendingFile(std::filesystem::path path, std::string_view text);
  PendingFile(std::filesystem::path path, const std::function<void(std::ostream&)>& write);
  // Written by a library of its own, under the temporary name.
  PendingFile(std::filesystem::path path,
              const std::function<void(const std::filesystem::path& temporary)>& write);
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile();

  void publish();

 private:
  explicit PendingFile(std::filesystem::path path);
  void write_all(const std::function<void(std::ostream&)>& write) const;
  void discard() const noexcept;

  std::filesystem::path path_, temporary_;
};

// All that was written to the file is on the disk when this returns; throws as above.
void sync(const std::filesystem::path& file);

// Leftovers of killed programs, of files that should have got this name.
void remove_pending(const std::filesystem::path& path);

// Makes the folder where it is missing, and says whether it has; throws as above.
bool make_folder(const std::filesystem::path& folder);

}  // namespace hamiltree
