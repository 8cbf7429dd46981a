// The files that are held against other readers: those of tests/io/models and, where it is given,
// of the corpus.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace hamiltree::test {

inline std::vector<std::filesystem::path> oracle_files(const std::vector<std::string>& extensions) {
  std::vector<std::filesystem::path> files;
  for (const std::string folder : {HAMILTREE_TEST_MODELS, HAMILTREE_MODEL_CORPUS}) {
    if (folder.empty()) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const auto extension = entry.path().extension().string();
      if (std::ranges::find(extensions, extension) != extensions.end()) files.push_back(entry);
    }
  }
  std::ranges::sort(files);
  return files;
}

inline std::string name_of_file(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.parent_path().filename().string() + "_" +
                     info.param.filename().string() + "_" + std::to_string(info.index);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

}  // namespace hamiltree::test
