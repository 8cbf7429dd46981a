// Checks that targets share.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::fuzz {

// A promise that was not kept.
inline void require(bool kept, const std::string& promise) {
  if (!kept) throw std::logic_error(promise);
}

// A folder of this process, empty at first, for what is read from files.
const std::filesystem::path& folder();
void write(const std::filesystem::path& file, std::string_view bytes);

// Whether a native text may ask for more elements than a fuzzer has time for.
bool repeats_often(std::string_view text);

// Compiles what was read. What is accepted can be written, and reads back with the same elements.
void check_mechanism(const Mechanism& mechanism);

}  // namespace hamiltree::fuzz
