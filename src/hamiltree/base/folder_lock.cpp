#include "hamiltree/base/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>

namespace hamiltree {

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

void FolderLock::hold(const std::filesystem::path& folder) {
  if (file_ >= 0) return;
  file_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  close(file_);
  file_ = -1;
  throw std::runtime_error("another process is writing into " + folder.string());
}

}  // namespace hamiltree
