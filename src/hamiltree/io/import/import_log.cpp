#include "hamiltree/io/import/import_log.hpp"

namespace hamiltree {

void ImportLog::warn(const SourceLocation& where, const std::string& sentence) {
  if (strict_) throw ModelError(where, "", sentence + " (--strict)");
  const auto [same, is_new] = by_sentence_.emplace(sentence, warnings_.size());
  if (is_new) {
    warnings_.push_back({where, sentence});
  } else {
    ++warnings_[same->second].further;
  }
}

std::vector<std::string> ImportLog::lines() const {
  std::vector<std::string> lines;
  for (const auto& warning : warnings_) {
    lines.push_back(
        "warning: " + to_prefix(warning.where) + warning.sentence +
        (warning.further == 0 ? "" : " (and " + std::to_string(warning.further) + " more)"));
  }
  std::string list;
  for (const auto& [element, count] : ignored_) {
    list += (list.empty() ? "" : ", ") + std::to_string(count) + " " + element;
  }
  if (!list.empty()) lines.push_back("not needed for the motion and ignored: " + list);
  lines.insert(lines.end(), notes_.begin(), notes_.end());
  return lines;
}

}  // namespace hamiltree
