// Words of formats that may be written in capitals.
#pragma once

#include <cctype>
#include <string>

namespace hamiltree {

inline std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace hamiltree
