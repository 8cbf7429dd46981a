#include "hamiltree/io/export/document/document.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "hamiltree/base/text.hpp"

namespace hamiltree {
namespace {

constexpr int kDigits = 3;
constexpr double kWholeBelow = 1e7;

}  // namespace

std::string to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kFails:
      return "does not hold";
    default:
      return "not decided";
  }
}

DataTable to_table(const std::vector<Regenerated>& items) {
  DataTable table{"",
                  "What the paper shows, and whether it was made again here",
                  {{"item", ""}, {"shows", ""}, {"regenerated", ""}, {"where, or why not", ""}},
                  {}};
  for (const auto& item : items)
    table.rows.push_back({item.item, item.what, item.done ? "yes" : "no", item.where});
  return table;
}

std::string short_text(double value) {
  if (!std::isfinite(value) || (value == std::floor(value) && std::abs(value) < kWholeBelow))
    return to_text(value == 0.0 ? 0.0 : value);
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::general, kDigits);
  std::string text(buffer.data(), result.ptr);
  // 1e-09 is 1e-9
  const auto e = text.find('e');
  if (e != std::string::npos && text.size() > e + 2 && text[e + 2] == '0') text.erase(e + 2, 1);
  return text;
}

}  // namespace hamiltree
