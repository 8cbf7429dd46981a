// Text files that are part of the program, see cmake/embed.cmake.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hamiltree {

inline std::string embedded_text(std::span<const std::string_view> pieces) {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

}  // namespace hamiltree
