// A folder that this process keeps to itself, against all that ask in the same way, until the lock
// is destroyed or the process ends, however it does. It leaves no file. Some file systems of
// networks know no such locks: there nothing is kept, and nothing refused.
#pragma once

#include <filesystem>

namespace hamiltree {

class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Does nothing where the folder is held already, or is not there. Throws std::runtime_error where
  // another lock holds it.
  void hold(const std::filesystem::path& folder);

 private:
  int file_ = -1;
};

}  // namespace hamiltree
