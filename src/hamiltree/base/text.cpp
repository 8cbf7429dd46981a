#include "hamiltree/base/text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace hamiltree {

std::string to_text(double value) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string to_short(double value) {
  constexpr int kDigits = 3;
  constexpr double kPlainFrom = 1e3, kPlainTo = 1e6, kWholeTo = 1e7;
  std::array<char, 32> buffer{};
  const double size = std::abs(value);
  const bool whole =
      (size >= kPlainFrom && size < kPlainTo) || (value == std::floor(value) && size < kWholeTo);
  const auto result = whole ? std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                            value + 0.0, std::chars_format::fixed, 0)
                            : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::general, kDigits);
  std::string text(buffer.data(), result.ptr);
  // 1e-09 is 1e-9
  const auto e = text.find('e');
  if (e != std::string::npos && text.size() == e + 4 && text[e + 2] == '0') text.erase(e + 2, 1);
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace hamiltree
