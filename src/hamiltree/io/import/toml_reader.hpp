// TomlReader: one TOML table read key by key, each with its type, so that every mistake is reported
// with file, line and element, and a key that nobody asked for is found at the end.
//
// A value that was set from the command line carries the option's text as its source
// (overrides.hpp): what is wrong with it is an OptionError instead of a ModelError.
#pragma once

#include <toml++/toml.h>

#include <Eigen/Core>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/base/error.hpp"

namespace hamiltree {

class TomlReader {
 public:
  // `element` is how messages name the table, as in `body "crank"`; empty for a whole file.
  // `repeat_index` fills the places of repeat.hpp in every string.
  TomlReader(const toml::table& table, std::string file, std::string element,
             std::optional<std::int64_t> repeat_index = std::nullopt);

  void set_element(std::string element) { element_ = std::move(element); }
  SourceLocation where() const { return locate(table_->source()); }
  SourceLocation where(std::string_view key) const;  // of its value, or the table without one
  const std::string& element() const { return element_; }

  // Every getter throws when the value is missing, of another type, empty, or not finite.
  bool has(std::string_view key);
  // Fails where two of these keys are given, which say the same in other ways.
  void exclusive(std::initializer_list<std::string_view> keys) const;
  bool has_number(std::string_view key);  // and of this type
  bool has_rows(std::string_view key);    // and an array of arrays
  std::string text(std::string_view key);
  // A text about a model file, as a path in it, where places of repeated elements are no places.
  std::string text_as_it_stands(std::string_view key);
  std::vector<std::string> texts(std::string_view key);  // as many as there are
  bool boolean_or(std::string_view key, bool fallback);
  std::int64_t integer(std::string_view key);
  bool boolean(std::string_view key);
  double number(std::string_view key);
  double number_or(std::string_view key, double fallback);
  double positive(std::string_view key);          // a number more than 0
  Eigen::VectorXd numbers(std::string_view key);  // as many as there are
  Eigen::VectorXd numbers(std::string_view key, const std::vector<Eigen::Index>& lengths);
  Eigen::VectorXd number_or_numbers(std::string_view key, Eigen::Index length);

  // The table under `key`, if there; its keys are named `key.inner` in messages.
  std::optional<TomlReader> table(std::string_view key);
  // The tables of `[[key]]`, none if the key is missing.
  std::vector<const toml::table*> tables(std::string_view key);
  // The tables of the array under `key`, named `key[1]` and so on in messages.
  std::vector<TomlReader> inner_tables(std::string_view key);

  // The key as messages call it, as in `at_parent.position`.
  std::string full(std::string_view key) const { return prefix_ + std::string(key); }

  // Call last: refuses keys that no getter asked for.
  void finish() const;

  // Refuses the value of `key` (or the table, where the key is missing) with one sentence.
  [[noreturn]] void fail(std::string_view key, const std::string& sentence) const;
  // Refuses the word under `key`, which is none of those that are known.
  [[noreturn]] void fail_unknown(std::string_view key, const std::string& word,
                                 const std::vector<std::string>& known) const;

 private:
  const toml::node& require(std::string_view key);
  const toml::array& require_array(std::string_view key);
  std::string misspelt(std::string_view key) const;
  std::string as_it_stands(const toml::node& node, std::string_view key) const;
  std::string to_word(const toml::node& node, std::string_view key) const;  // places are filled
  double to_number(const toml::node& node, std::string_view key) const;
  Eigen::VectorXd to_numbers(const toml::array& array, std::string_view key) const;
  SourceLocation locate(const toml::source_region& source) const;
  [[noreturn]] void fail_type(std::string_view key, const std::string& wanted,
                              const toml::node& node) const;
  [[noreturn]] void fail_at(const toml::source_region& source, const std::string& sentence) const;

  const toml::table* table_;
  std::string file_;
  std::string element_;
  std::string prefix_;
  std::optional<std::int64_t> repeat_index_;
  std::vector<std::string> known_;
};

// `text` as TOML, its nodes marked with `file`; a syntax error is a ModelError with its line.
toml::table parse_toml(std::string_view text, const std::string& file);

}  // namespace hamiltree
