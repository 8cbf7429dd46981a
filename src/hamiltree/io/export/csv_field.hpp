// One field of a CSV file as RFC 4180 wants it: in quotes where it holds a comma, a quote or a line
// break.
#pragma once

#include <string>

namespace hamiltree {

inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

}  // namespace hamiltree
