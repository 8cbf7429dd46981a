#include "hamiltree/io/import/overrides.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/import/option_error.hpp"
#include "hamiltree/io/import/suggestion.hpp"
#include "hamiltree/io/import/toml_reader.hpp"

namespace hamiltree {
namespace {

const std::vector<std::string> kElementKinds{"body",       "joint",  "coupling", "force",
                                             "controller", "sensor", "event"};

struct Override {
  std::string option;             // "--set body.crank.mass=2", for messages
  std::vector<std::string> path;  // body, crank, mass
  std::string value;              // 2

  [[noreturn]] void fail(const std::string& sentence) const { throw OptionError(option, sentence); }
};

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.remove_suffix(1);
  }
  return text;
}

// Splits `a."b.c".d=value` into its path and its value.
Override split(const std::string& text, const std::string& option) {
  Override set{option, {""}, ""};
  char quote = 0;
  std::size_t i = 0;
  for (; i < text.size() && (quote != 0 || text[i] != '='); ++i) {
    const char c = text[i];
    if (quote != 0 ? c == quote : (c == '"' || c == '\'')) {
      quote = quote != 0 ? '\0' : c;
    } else if (quote == 0 && c == '.') {
      set.path.emplace_back();
    } else {
      set.path.back() += c;
    }
  }
  if (i == text.size()) set.fail("write path=value");
  for (std::string& part : set.path) {
    part = trimmed(part);
    if (part.empty()) set.fail("the path has an empty part");
  }
  set.value = trimmed(std::string_view(text).substr(i + 1));
  if (set.value.empty()) set.fail("the value is missing");
  if (set.value.find_first_of("\r\n") != std::string::npos) set.fail("the value has two lines");
  return set;
}

bool is_bare_word(std::string_view text) {
  const auto in_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  return std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), in_word);
}

// The value as a node whose source is the option.
toml::table parse_value(const Override& set) {
  try {
    return parse_toml("value = " + set.value, set.option);
  } catch (const ModelError&) {
    if (!is_bare_word(set.value)) set.fail(quoted(set.value) + " is not a TOML value");
    return parse_toml("value = \"" + set.value + "\"", set.option);
  }
}

// The table of `[[kind]]` with this name.
toml::table& find_element(toml::table& document, const Override& set) {
  const std::string& kind = set.path[0];
  if (set.path.size() < 3) set.fail("write " + kind + ".NAME.KEY=value");
  std::vector<std::string> names;
  if (toml::array* elements = document[kind].as_array()) {
    for (toml::node& node : *elements) {
      toml::table* element = node.as_table();
      const auto* name = element != nullptr ? element->get_as<std::string>("name") : nullptr;
      if (name == nullptr) continue;
      if (name->get() == set.path[1]) return *element;
      names.push_back(name->get());
    }
  }
  set.fail("no " + kind + " is named " + quoted(set.path[1]) +
           suggestion(set.path[1], names, "names"));
}

// The number of an entry of a list, counted from 0; nothing for another text.
std::optional<std::size_t> entry_number(const std::string& part, std::size_t size) {
  std::size_t entry = 0;
  const auto read = std::from_chars(part.data(), part.data() + part.size(), entry);
  const bool whole = read.ec == std::errc() && read.ptr == part.data() + part.size();
  return whole && entry < size ? std::optional(entry) : std::nullopt;
}

void write_value(toml::table& start, std::size_t depth, const Override& set);

// Writes an entry of a list, or what is in it: entries may be tables, as the points of a rope are.
void write_entry(toml::array& list, std::size_t depth, const Override& set) {
  const auto& part = set.path[depth];
  const auto entry = entry_number(part, list.size());
  if (!entry) {
    set.fail(quoted(set.path[depth - 1]) + " is a list of " + std::to_string(list.size()) +
             ", it has no entry " + quoted(part));
  }
  if (depth + 1 < set.path.size()) {
    toml::table* table = list.get(*entry)->as_table();
    if (table == nullptr) set.fail(quoted(part) + " is a value, it has no keys");
    return write_value(*table, depth + 1, set);
  }
  toml::table parsed = parse_value(set);
  const auto place = list.cbegin() + static_cast<std::ptrdiff_t>(*entry);
  list.insert(list.erase(place), std::move(*parsed.get("value")));
}

// Follows the keys that are there, then writes what is left of the path and the value.
void write_value(toml::table& start, std::size_t depth, const Override& set) {
  toml::table* table = &start;
  for (; depth + 1 < set.path.size(); ++depth) {
    toml::node* next = table->get(set.path[depth]);
    if (next == nullptr) break;
    if (next->is_array()) return write_entry(*next->as_array(), depth + 1, set);
    if (!next->is_table()) set.fail(quoted(set.path[depth]) + " is a value, it has no keys");
    table = next->as_table();
  }
  toml::table parsed = parse_value(set);
  for (std::size_t i = set.path.size() - 1; i > depth; --i) {
    // Rename `value` to the last key and wrap it, keeping the option as the source of both.
    toml::table outer = parse_toml("value = {}", set.option);
    outer["value"].as_table()->insert_or_assign(
        toml::key(set.path[i], parsed.begin()->first.source()), std::move(*parsed.get("value")));
    parsed = std::move(outer);
  }
  table->insert_or_assign(toml::key(set.path[depth], parsed.begin()->first.source()),
                          std::move(*parsed.get("value")));
}

bool is_element(const Override& set) {
  return std::find(kElementKinds.begin(), kElementKinds.end(), set.path.front()) !=
         kElementKinds.end();
}

// The present value at the path; null where there is none.
toml::node* find_value(toml::table& document, const Override& set) {
  toml::node* node = is_element(set) ? &find_element(document, set) : &document;
  for (std::size_t i = is_element(set) ? 2 : 0; i < set.path.size() && node != nullptr; ++i) {
    const auto& part = set.path[i];
    if (auto* table = node->as_table()) {
      node = table->get(part);
    } else if (auto* list = node->as_array()) {
      node = list->get(entry_number(part, list->size()).value_or(list->size()));
    } else {
      return nullptr;
    }
  }
  return node;
}

void apply(toml::table& document, const Override& set) {
  const std::string& first = set.path.front();
  if (is_element(set)) {
    write_value(find_element(document, set), 2, set);
    return;
  }
  if (set.path.size() > 1 && !document[first].is_array()) {
    set.fail("nothing is called " + quoted(first) + suggestion(first, kElementKinds, "elements"));
  }
  write_value(document, 0, set);
}

}  // namespace

struct NumberAt::Path : Override {};

NumberAt::NumberAt(const std::string& path)
    : path_(std::make_unique<Path>(Path{split(path + "=0.0", path)})) {}
NumberAt::NumberAt(NumberAt&&) noexcept = default;
NumberAt::~NumberAt() = default;

// The node that stands at the path since the first time keeps its source.
void NumberAt::set(toml::table& document, double number) {
  const auto own = [&]() -> toml::value<double>* {
    auto* node = find_value(document, *path_);
    auto* value = node == nullptr ? nullptr : node->as_floating_point();
    const auto* source = value == nullptr ? nullptr : value->source().path.get();
    return source != nullptr && *source == path_->option ? value : nullptr;
  };
  if (own() == nullptr) apply(document, *path_);
  **own() = number;
}

bool NumberAt::leads_to_a_number(toml::table& document) const {
  const auto* node = find_value(document, *path_);
  if (node != nullptr && (node->is_string() || node->is_boolean()))
    path_->fail(quoted(path_->path.back()) + " is no number");
  return node != nullptr && node->is_floating_point();
}

void apply_overrides(toml::table& document, const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) apply(document, split(text, "--set " + text));
}

}  // namespace hamiltree
