#include "hamiltree/io/import/json_file.hpp"

#include <stdexcept>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/read_text.hpp"

namespace hamiltree {

nlohmann::ordered_json read_json(const std::filesystem::path& file) {
  return parse_json(read_text(file, kRunFileSize));
}

nlohmann::ordered_json parse_json(const std::string& text) {
  using Json = nlohmann::ordered_json;
  const auto shallow = [](int depth, Json::parse_event_t, const Json&) {
    if (depth > static_cast<int>(kDepth.value)) {
      throw std::runtime_error("values nest deeper than " + to_text(kDepth));
    }
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace hamiltree
