// Places for files of this process alone: other tests run at the same time.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace hamiltree::test {

// No folder is made for a slash in the name, as those of tests with parameters have.
inline std::filesystem::path own_path(std::string name) {
  std::ranges::replace(name, '/', '_');
  return std::filesystem::temp_directory_path() /
         ("hamiltree_" + std::to_string(getpid()) + "_" + name);
}

}  // namespace hamiltree::test
