// What a study's document says, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <variant>
#include <vector>

#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree::test {

// The only statement whose text has these words.
inline Statement statement(const Document& document, std::string_view words) {
  std::vector<Statement> found;
  for (const auto& block : document.blocks) {
    const auto* statements = std::get_if<std::vector<Statement>>(&block);
    if (!statements) continue;
    for (const auto& s : *statements) {
      if (s.text.find(words) != std::string::npos) found.push_back(s);
    }
  }
  EXPECT_EQ(found.size(), 1U) << words;
  return found.empty() ? Statement{} : found.front();
}

// Empty, and a failure, if there is none of this name.
inline DataTable table(const Document& document, std::string_view name) {
  for (const auto& block : document.blocks) {
    const auto* table = std::get_if<DataTable>(&block);
    if (table && table->name == name) return *table;
  }
  ADD_FAILURE() << "no table " << name;
  return {};
}

inline Figure figure(const Document& document, std::string_view name) {
  for (const auto& block : document.blocks) {
    const auto* figure = std::get_if<Figure>(&block);
    if (figure && figure->name == name) return *figure;
  }
  ADD_FAILURE() << "no figure " << name;
  return {};
}

inline double number(const Cell& cell) { return std::get<double>(cell); }

// Every item of the paper is regenerated, but for these.
inline void expect_regenerated(const Document& document,
                               const std::vector<std::string>& but_for = {}) {
  std::vector<std::string> missing;
  std::size_t items = 0;
  for (const auto& block : document.blocks) {
    const auto* regenerated = std::get_if<std::vector<Regenerated>>(&block);
    if (!regenerated) continue;
    for (const auto& item : *regenerated) {
      ++items;
      EXPECT_FALSE(item.where.empty()) << item.item;
      if (!item.done) missing.push_back(item.item);
    }
  }
  EXPECT_GT(items, 0U);
  EXPECT_EQ(missing, but_for);
}

}  // namespace hamiltree::test
