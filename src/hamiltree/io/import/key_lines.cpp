#include "hamiltree/io/import/key_lines.hpp"

#include <toml++/toml.h>

#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/checks.hpp"
#include "hamiltree/model/validate.hpp"

namespace hamiltree {
namespace {

int first_line(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

// Of "drive.duration", as far as it is there; 0 where not even "drive" is.
int line_of_key(const toml::table& table, std::string_view key) {
  const auto dot = key.find('.');
  const toml::node* node = table.get(key.substr(0, dot));
  if (node == nullptr) return 0;
  const auto* inner = node->as_table();
  const int deeper =
      inner == nullptr || dot == key.npos ? 0 : line_of_key(*inner, key.substr(dot + 1));
  return deeper > 0 ? deeper : first_line(*node);
}

// In the element itself, or in a table in it, as damping is in `damper` of a joint; first in the
// one that begins at `line`.
int line_in_element(const toml::table& element, int line, std::string_view key) {
  int found = line_of_key(element, key);
  for (const auto& [name, node] : element) {
    const auto* inner = node.as_table();
    const int there = inner == nullptr ? 0 : line_of_key(*inner, key);
    if (there > 0 && (found == 0 || first_line(node) == line)) found = there;
  }
  return found;
}

bool begins_at(const toml::table& element, int line) {
  if (first_line(element) == line) return true;
  for (const auto& [name, node] : element) {
    if (node.is_table() && first_line(node) == line) return true;
  }
  return false;
}

// 0 where the key has no place of its own.
int find_line(const toml::table& document, int line, std::string_view key) {
  for (const auto& [kind, node] : document) {
    const auto* elements = node.as_array();
    if (elements == nullptr) continue;
    for (const auto& one : *elements) {
      const auto* element = one.as_table();
      if (element != nullptr && begins_at(*element, line))
        return line_in_element(*element, line, key);
    }
  }
  return line_of_key(document, key);
}

}  // namespace

void check_with_lines(const Mechanism& mechanism, std::string_view text, const std::string& file) {
  try {
    validate(mechanism);
  } catch (const RefusedElement& refused) {
    const auto document = parse_toml(text, file);
    const int line = find_line(document, refused.where().line, refused.key());
    if (refused.where().file != file || line == 0) throw;
    refuse({file, line}, refused.element(), refused.why(), refused.key());
  }
}

}  // namespace hamiltree
