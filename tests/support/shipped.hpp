// The models of mechanisms/, by the names of their folders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hamiltree/io/load.hpp"

namespace hamiltree::test {

inline Model shipped(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return load(std::filesystem::path(HAMILTREE_MECHANISMS) / name / "model.toml", overrides);
}

}  // namespace hamiltree::test
