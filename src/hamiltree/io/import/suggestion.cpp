#include "hamiltree/io/import/suggestion.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/listed.hpp"

namespace hamiltree {
namespace {

// Optimal string alignment distance, row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

// Longer words are names of elements made by a program; nobody mistypes those.
constexpr std::size_t kLongestWord = 64;

constexpr std::size_t kLongestList = 16;

}  // namespace

std::string closest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  if (word.size() > kLongestWord) return best;
  std::size_t best_distance = kLongestWord;
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t d = edit_distance(word, candidate);
    if (3 * d <= std::max(word.size(), candidate.size()) && d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known,
                       std::string_view what) {
  const std::string near = closest(word, known);
  if (!near.empty()) return ", did you mean \"" + near + "\"?";
  if (known.empty() || known.size() > kLongestList) return {};
  return "; known " + std::string(what) + " are " + listed(known);
}

}  // namespace hamiltree
