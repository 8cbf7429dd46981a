// JSON files that a run or a sweep leaves, read back.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace hamiltree {

// Throws std::runtime_error, without the file's name, for what is no JSON, nests too deep or is too
// large.
nlohmann::ordered_json read_json(const std::filesystem::path& file);

}  // namespace hamiltree
