#include "hamiltree/io/import/toml_reader.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "hamiltree/base/limits.hpp"
#include "hamiltree/io/import/option_error.hpp"
#include "hamiltree/io/import/repeat.hpp"
#include "hamiltree/io/import/suggestion.hpp"
#include "hamiltree/io/import/toml_nesting.hpp"

namespace hamiltree {
namespace {

const char* type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

std::string between_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

TomlReader::TomlReader(const toml::table& table, std::string file, std::string element,
                       std::optional<std::int64_t> repeat_index)
    : table_(&table),
      file_(std::move(file)),
      element_(std::move(element)),
      repeat_index_(repeat_index) {
  known_.reserve(8);  // most tables have no more
}

bool TomlReader::has(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_->contains(key);
}

bool TomlReader::has_number(std::string_view key) { return has(key) && require(key).is_number(); }

bool TomlReader::has_rows(std::string_view key) {
  const auto* array = has(key) ? require(key).as_array() : nullptr;
  return array != nullptr && !array->empty() && array->front().is_array();
}

std::string TomlReader::text(std::string_view key) { return to_word(require(key), key); }

bool TomlReader::boolean_or(std::string_view key, bool fallback) {
  if (!has(key)) return fallback;
  const toml::node& node = require(key);
  const auto* value = node.as_boolean();
  if (value == nullptr) fail_type(key, "true or false", node);
  return value->get();
}

std::vector<std::string> TomlReader::texts(std::string_view key) {
  const toml::node& node = require(key);
  const auto* array = node.as_array();
  if (array == nullptr) fail_type(key, "an array of strings", node);
  std::vector<std::string> words;
  for (const auto& word : *array) words.push_back(to_word(word, key));
  return words;
}

std::string TomlReader::text_as_it_stands(std::string_view key) {
  return as_it_stands(require(key), key);
}

std::string TomlReader::as_it_stands(const toml::node& node, std::string_view key) const {
  const auto* value = node.as_string();
  if (value == nullptr) fail_type(key, "a string", node);
  const std::string& text = value->get();
  if (text.empty()) fail(key, full(key) + " is empty");
  if (text.size() > kStringLength.value) {
    fail(key, full(key) + " is longer than " + to_text(kStringLength) + ", in bytes");
  }
  return text;
}

std::string TomlReader::to_word(const toml::node& node, std::string_view key) const {
  const std::string text = as_it_stands(node, key);
  if (!repeat_index_) {
    if (has_place(text)) fail(key, full(key) + " " + between_quotes(text) + " needs repeat = N");
    return text;
  }
  try {
    return fill_places(text, *repeat_index_);
  } catch (const std::invalid_argument& error) {
    fail(key, full(key) + ": " + error.what());
  }
}

std::int64_t TomlReader::integer(std::string_view key) {
  const toml::node& node = require(key);
  const auto* value = node.as_integer();
  if (value == nullptr) fail_type(key, "a whole number", node);
  return value->get();
}

bool TomlReader::boolean(std::string_view key) {
  const auto& node = require(key);
  if (!node.is_boolean()) fail_type(key, "true or false", node);
  return node.ref<bool>();
}

double TomlReader::number(std::string_view key) { return to_number(require(key), key); }

double TomlReader::positive(std::string_view key) {
  const double value = number(key);
  if (!(value > 0.0)) fail(key, full(key) + " must be more than 0");
  return value;
}

double TomlReader::number_or(std::string_view key, double fallback) {
  return has(key) ? number(key) : fallback;
}

Eigen::VectorXd TomlReader::numbers(std::string_view key) {
  return to_numbers(require_array(key), key);
}

Eigen::VectorXd TomlReader::numbers(std::string_view key,
                                    const std::vector<Eigen::Index>& lengths) {
  const toml::array& array = require_array(key);
  const auto length = static_cast<Eigen::Index>(array.size());
  if (std::find(lengths.begin(), lengths.end(), length) == lengths.end()) {
    std::string wanted;
    for (const auto n : lengths) wanted += (wanted.empty() ? "" : " or ") + std::to_string(n);
    fail(key, full(key) + " needs " + wanted + (wanted == "1" ? " number" : " numbers") + ", has " +
                  std::to_string(length));
  }
  return to_numbers(array, key);
}

Eigen::VectorXd TomlReader::number_or_numbers(std::string_view key, Eigen::Index length) {
  if (length != 1 || require(key).is_array()) return numbers(key, {length});
  return Eigen::VectorXd::Constant(1, number(key));
}

std::optional<TomlReader> TomlReader::table(std::string_view key) {
  if (!has(key)) return std::nullopt;
  const toml::node& node = require(key);
  const auto* inner = node.as_table();
  if (inner == nullptr) fail_type(key, "a table", node);
  TomlReader reader(*inner, file_, element_, repeat_index_);
  reader.prefix_ = full(key) + ".";
  return reader;
}

std::vector<const toml::table*> TomlReader::tables(std::string_view key) {
  std::vector<const toml::table*> found;
  if (!has(key)) return found;
  const auto* array = require(key).as_array();
  const std::string sentence = full(key) + " must be written as [[" + full(key) + "]]";
  if (array == nullptr) fail(key, sentence);
  for (const toml::node& node : *array) {
    if (!node.is_table()) fail_at(node.source(), sentence);
    found.push_back(node.as_table());
  }
  return found;
}

std::vector<TomlReader> TomlReader::inner_tables(std::string_view key) {
  const toml::node& node = require(key);
  const auto* array = node.as_array();
  if (array == nullptr) fail_type(key, "an array of tables", node);
  std::vector<TomlReader> readers;
  for (const toml::node& one : *array) {
    if (!one.is_table()) fail_type(key, "an array of tables", one);
    readers.emplace_back(*one.as_table(), file_, element_, repeat_index_);
    readers.back().prefix_ = full(key) + "[" + std::to_string(readers.size()) + "].";
  }
  return readers;
}

void TomlReader::exclusive(std::initializer_list<std::string_view> keys) const {
  std::string_view first;
  for (const auto key : keys) {
    if (!table_->contains(key)) continue;
    if (!first.empty()) {
      fail(key, between_quotes(full(first)) + " and " + between_quotes(full(key)) +
                    " exclude each other");
    }
    first = key;
  }
}

void TomlReader::finish() const {
  for (const auto& [key, node] : *table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    fail_at(key.source(), "unknown key " + between_quotes(full(key.str())) +
                              suggestion(key.str(), known_, "keys"));
  }
}

SourceLocation TomlReader::where(std::string_view key) const {
  const toml::node* node = table_->get(key);
  return locate(node != nullptr ? node->source() : table_->source());
}

void TomlReader::fail(std::string_view key, const std::string& sentence) const {
  const toml::node* node = table_->get(key);
  fail_at(node != nullptr ? node->source() : table_->source(), sentence);
}

const toml::node& TomlReader::require(std::string_view key) {
  if (!has(key)) fail(key, full(key) + " is missing" + misspelt(key));
  return *table_->get(key);
}

// The nearest to `key` of the keys that are there and that no getter asked for.
std::string TomlReader::misspelt(std::string_view key) const {
  std::vector<std::string> others;
  for (const auto& [other, node] : *table_) {
    if (std::find(known_.begin(), known_.end(), other.str()) == known_.end()) {
      others.emplace_back(other.str());
    }
  }
  const std::string near = closest(key, others);
  return near.empty() ? near : ", did you mean it by " + between_quotes(near) + "?";
}

const toml::array& TomlReader::require_array(std::string_view key) {
  const toml::node& node = require(key);
  const auto* array = node.as_array();
  if (array == nullptr) fail_type(key, "an array of numbers", node);
  return *array;
}

void TomlReader::fail_unknown(std::string_view key, const std::string& word,
                              const std::vector<std::string>& known) const {
  fail(key, "unknown " + full(key) + " " + between_quotes(word) +
                suggestion(word, known, std::string(key) + (key.ends_with('s') ? "" : "s")));
}

double TomlReader::to_number(const toml::node& node, std::string_view key) const {
  if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
  const auto* value = node.as_floating_point();
  if (value == nullptr) fail_type(key, "a number", node);
  if (std::isnan(value->get())) fail_at(node.source(), full(key) + " is not a number (nan)");
  if (std::isinf(value->get())) fail_at(node.source(), full(key) + " is infinite");
  return value->get();
}

Eigen::VectorXd TomlReader::to_numbers(const toml::array& array, std::string_view key) const {
  Eigen::VectorXd values(static_cast<Eigen::Index>(array.size()));
  Eigen::Index i = 0;
  for (const toml::node& node : array) values(i++) = to_number(node, key);
  return values;
}

SourceLocation TomlReader::locate(const toml::source_region& source) const {
  if (source.path && *source.path != file_) return {*source.path, 0};
  return {file_, std::max(1, static_cast<int>(source.begin.line))};
}

void TomlReader::fail_type(std::string_view key, const std::string& wanted,
                           const toml::node& node) const {
  fail_at(node.source(), full(key) + " must be " + wanted + ", not " + type_name(node));
}

void TomlReader::fail_at(const toml::source_region& source, const std::string& sentence) const {
  const SourceLocation where = locate(source);
  const std::string named = element_.empty() ? sentence : element_ + ": " + sentence;
  if (where.line == 0) throw OptionError(where.file, named);
  throw ModelError(where, element_, named);
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  check_toml_nesting(text, file);
  try {
    return toml::parse(text, std::string_view(file));
  } catch (const toml::parse_error& error) {
    std::string_view description = error.description();
    constexpr std::string_view kOpening = "Error ";
    if (description.starts_with(kOpening)) description.remove_prefix(kOpening.size());
    const int line = std::max(1, static_cast<int>(error.source().begin.line));
    throw ModelError({file, line}, "", "syntax error " + std::string(description));
  }
}

}  // namespace hamiltree
