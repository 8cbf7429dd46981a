#include "hamiltree/io/export/gltf_file.hpp"

#include <stdexcept>

#include "hamiltree/io/export/mesh_data.hpp"
#include "hamiltree/io/import/json_file.hpp"
#include "hamiltree/io/import/named_file.hpp"
#include "hamiltree/io/import/read_text.hpp"

namespace hamiltree {
namespace {

// Names may have letters as %20.
std::string decoded(const std::string& uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto digits = uri.substr(i + 1, 2);
    if (uri[i] == '%' && digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos &&
        digits.size() == 2) {
      text += static_cast<char>(std::stoi(digits, nullptr, 16));
      i += 2;
    } else {
      text += uri[i];
    }
  }
  return text;
}

}  // namespace

std::string read_whole_gltf(const std::filesystem::path& path, const ImportOptions& options) {
  std::string bytes = read_text(path);
  if (bytes.starts_with("glTF")) return bytes;  // binary, with its numbers at its end
  auto file = parse_json(bytes);
  if (!file.is_object() || !file.contains("buffers") || !file["buffers"].is_array()) return bytes;
  bool names_others = false;
  for (auto& buffer : file["buffers"]) {
    if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
    const auto uri = buffer["uri"].get<std::string>();
    if (uri.starts_with("data:")) continue;
    names_others = true;
    try {
      const auto inner = named_file(path, decoded(uri), options);
      buffer["uri"] = "data:application/octet-stream;base64," + to_base64(read_text(inner));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("names \"" + uri + "\", which " + error.what());
    }
  }
  if (!names_others) return bytes;
  return file.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace hamiltree
