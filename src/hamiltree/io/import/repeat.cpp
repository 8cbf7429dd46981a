#include "hamiltree/io/import/repeat.hpp"

#include <charconv>
#include <optional>
#include <stdexcept>

namespace hamiltree {
namespace {

// The number added to the index by "i", "i+K" or "i-K"; K has at most nine digits.
std::optional<std::int64_t> parse_place(std::string_view inside) {
  if (inside == "i") return 0;
  if (inside.size() < 3 || inside.size() > 11 || inside[0] != 'i') return std::nullopt;
  if (inside[1] != '+' && inside[1] != '-') return std::nullopt;
  std::int64_t offset = 0;
  const char* end = inside.data() + inside.size();
  if (inside[2] == '-') return std::nullopt;
  const auto result = std::from_chars(inside.data() + 2, end, offset);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return inside[1] == '-' ? -offset : offset;
}

}  // namespace

bool has_place(std::string_view text) {
  for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close == text.npos) return false;
    if (parse_place(text.substr(open + 1, close - open - 1))) return true;
  }
  return false;
}

std::string fill_places(std::string_view text, std::int64_t index) {
  std::string filled;
  while (true) {
    const std::size_t open = text.find('{');
    filled += text.substr(0, open);
    if (open == text.npos) return filled;
    const std::size_t close = text.find('}', open);
    const std::string_view place = text.substr(open, close == text.npos ? close : close - open + 1);
    const auto offset =
        close == text.npos ? std::nullopt : parse_place(place.substr(1, place.size() - 2));
    if (!offset) {
      throw std::invalid_argument("\"" + std::string(place) +
                                  "\" is none of {i}, {i+K}, {i-K} with a whole number K");
    }
    filled += std::to_string(index + *offset);
    text.remove_prefix(close + 1);
  }
}

}  // namespace hamiltree
