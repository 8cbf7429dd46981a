// JSON files: those that a run or a sweep leaves, and meshes.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace hamiltree {

// Both throw std::runtime_error, without the file's name, for what is no JSON, nests too deep or is
// too large.
nlohmann::ordered_json read_json(const std::filesystem::path& file);
nlohmann::ordered_json parse_json(const std::string& text);

}  // namespace hamiltree
