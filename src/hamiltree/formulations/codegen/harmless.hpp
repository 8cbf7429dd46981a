#pragma once

#include <string>

namespace hamiltree::codegen {

// Text that can do no harm in a comment or in a string: no comment ends, no trigraph, no escape.
inline std::string harmless(std::string text) {
  for (char& c : text) {
    const bool control = static_cast<unsigned char>(c) < ' ';
    if (control || c == '*' || c == '?' || c == '\\' || c == '"') c = '_';
  }
  return text;
}

}  // namespace hamiltree::codegen
