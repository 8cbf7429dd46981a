// Places for files of this process alone: other tests run at the same time.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

namespace hamiltree::test {

inline std::filesystem::path own_path(const std::string& name) {
  return std::filesystem::temp_directory_path() /
         ("hamiltree_" + std::to_string(getpid()) + "_" + name);
}

}  // namespace hamiltree::test
