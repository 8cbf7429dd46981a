// JSON written straight into one string: for documents of millions of numbers.
#pragma once

#include <Eigen/Core>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

namespace hamiltree {

inline constexpr int kDigits = 9;  // significant ones

// Numbers that are not finite become null.
inline void append_number(double value, std::string& out, int digits = kDigits) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::general, digits);
  out.append(buffer.data(), end.ptr);
}

inline void append_string(const std::string& text, std::string& out) {
  out += nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

// `,\n"name":`
inline void append_key(const char* name, std::string& out) {
  out += ",\n\"";
  out += name;
  out += "\":";
}

// [f(0), f(1), ...] with f appending one element.
template <class AppendElement>
void append_list(std::size_t size, std::string& out, AppendElement&& append_element) {
  out += '[';
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) out += ',';
    append_element(i);
  }
  out += ']';
}

inline void append_vector(const Eigen::Vector3d& r, std::string& out) {
  append_list(3, out, [&](std::size_t i) { append_number(r[static_cast<Eigen::Index>(i)], out); });
}

}  // namespace hamiltree
