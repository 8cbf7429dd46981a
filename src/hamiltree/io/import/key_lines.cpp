#include "hamiltree/io/import/key_lines.hpp"

#include <toml++/toml.h>

#include <charconv>
#include <cstddef>
#include <system_error>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/import/option_error.hpp"
#include "hamiltree/io/import/overrides.hpp"
#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/checks.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/model/validate.hpp"
#include "hamiltree/simulation/watched_events.hpp"

namespace hamiltree {
namespace {

int first_line(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

// The node of a number in a list, from 1; null if it is none.
const toml::node* find_number(const toml::array& list, std::string_view number) {
  std::size_t i = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), i);
  return error == std::errc{} && i > 0 ? list.get(i - 1) : nullptr;
}

// The node of a key such as "drive.duration" or "points.2.ratio", the second of them, or of "drive"
// if it ends there; null if there is neither.
const toml::node* find_key(const toml::table& table, std::string_view key) {
  const toml::node* node = nullptr;
  for (std::size_t first = 0, dot = 0; dot != key.npos; first = dot + 1) {
    dot = key.find('.', first);
    const auto word = key.substr(first, dot - first);
    const toml::node* deeper = nullptr;
    if (node == nullptr) {
      deeper = table.get(word);
    } else if (const auto* inner = node->as_table()) {
      deeper = inner->get(word);
    } else if (const auto* list = node->as_array()) {
      deeper = find_number(*list, word);
    }
    if (deeper == nullptr) break;
    node = deeper;
  }
  return node;
}

// Two points of a rope may be given as two ends.
std::string_view key_of_end(std::string_view key) {
  if (key == "points.1.body") return "body_a";
  return key == "points.2.body" ? "body_b" : "";
}

// In the element itself, or in a table in it, as damping is in `damper` of a joint; first in the
// one that begins at `line`.
const toml::node* find_in_element(const toml::table& element, int line, std::string_view key) {
  const toml::node* found = find_key(element, key);
  if (found == nullptr) found = find_key(element, key_of_end(key));
  for (const auto& [name, node] : element) {
    const auto* inner = node.as_table();
    const toml::node* there = inner == nullptr ? nullptr : find_key(*inner, key);
    if (there != nullptr && (found == nullptr || first_line(node) == line)) found = there;
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

// Null where the key has no place of its own.
const toml::node* find(const toml::table& document, int line, std::string_view key) {
  for (const auto& [kind, node] : document) {
    const auto* elements = node.as_array();
    if (elements == nullptr) continue;
    for (const auto& one : *elements) {
      const auto* element = one.as_table();
      if (element != nullptr && begins_at(*element, line))
        return find_in_element(*element, line, key);
    }
  }
  return find_key(document, key);
}

}  // namespace

void check_with_lines(const Mechanism& mechanism, std::string_view text, const std::string& file,
                      const std::vector<std::string>& overrides) {
  try {
    validate(mechanism);
    if (!mechanism.events.empty()) watched_events(Model(mechanism), true);
  } catch (const RefusedElement& refused) {
    const auto& from = refused.where().file;
    if (from.empty()) throw;
    const auto sentence = refused.element() + ": " + refused.why();
    if (from != file) throw OptionError(from, sentence);  // the element was set as a whole
    auto document = parse_toml(text, file);
    apply_overrides(document, overrides);
    const toml::node* key = find(document, refused.where().line, refused.key());
    if (key == nullptr) throw;
    if (const auto& source = *key->source().path; source != file)
      throw OptionError(source, sentence);
    refuse({file, first_line(*key)}, refused.element(), refused.why(), refused.key());
  }
}

}  // namespace hamiltree
