#include "hamiltree/io/load.hpp"

#include "hamiltree/io/import/native.hpp"

namespace hamiltree {

Model load(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return Model(read_native(file, overrides));
}

}  // namespace hamiltree
