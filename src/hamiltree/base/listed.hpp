// Several words as one.
#pragma once

#include <string>
#include <vector>

namespace hamiltree {

// "a, b, c"
inline std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace hamiltree
