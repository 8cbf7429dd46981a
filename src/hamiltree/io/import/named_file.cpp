#include "hamiltree/io/import/named_file.hpp"

#include <algorithm>
#include <system_error>

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

// Both without symbolic links.
bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto [in_folder, in_file] = std::ranges::mismatch(folder, file);
  return in_folder == folder.end() && in_file != file.end();
}

fs::path folder_of(const fs::path& file) {
  return file.parent_path().empty() ? fs::path(".") : file.parent_path();
}

}  // namespace

fs::path named_file(const fs::path& model, const std::string& name, const ImportOptions& options) {
  if (name.find("://") != std::string::npos) {
    throw std::runtime_error("is an address, only files are read");
  }
  const fs::path path = folder_of(model) / name;
  std::error_code error;
  const fs::path found = fs::canonical(path, error);
  if (error) throw std::runtime_error("cannot be read");
  const bool inside = lies_in(found, fs::canonical(folder_of(model), error)) ||
                      lies_in(found, folder_of(fs::canonical(model, error)));
  if (!inside && !options.files_elsewhere) {
    throw std::runtime_error("lies outside of the model's folder (--files-elsewhere reads it)");
  }
  if (!fs::is_regular_file(found)) throw std::runtime_error("is no ordinary file");
  return path;
}

}  // namespace hamiltree
