// Lists as text.
#pragma once

#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"

namespace hamiltree {

// "a, b, c"
inline std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// "1 0.5 2", each number as of to_text().
template <class Numbers>
std::string listed_numbers(const Numbers& numbers, const char* separator = " ") {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : separator) + to_text(x);
  return text;
}

}  // namespace hamiltree
