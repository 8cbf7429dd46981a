// Names in the order in which people count: "pin_2" before "pin_10".
#pragma once

#include <cstddef>
#include <string_view>

namespace hamiltree {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Digits next to each other are compared as a whole number, all else by its bytes.
inline bool is_counted_before(std::string_view a, std::string_view b) {
  const std::string_view first = a, second = b;
  const auto take_number = [](std::string_view& text) {
    while (!text.empty() && text.front() == '0') text.remove_prefix(1);
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    const auto number = text.substr(0, digits);
    text.remove_prefix(digits);
    return number;
  };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto x = take_number(a);
      const auto y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return first < second;  // "pin_01" and "pin_1"
}

}  // namespace hamiltree
