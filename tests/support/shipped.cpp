#include "support/shipped.hpp"

#include <filesystem>

#include "hamiltree/io/load.hpp"

namespace hamiltree::test {

Model shipped(const std::string& name, const std::vector<std::string>& overrides) {
  return load(std::filesystem::path(HAMILTREE_MECHANISMS) / name / "model.toml", overrides);
}

}  // namespace hamiltree::test
