// Finds what a Document says.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/io/export/document/document.hpp"

namespace hamiltree::test {

// The first block of a kind that `matches`.
template <class Part, class Matches>
const Part* find_part(const Document& document, const Matches& matches) {
  for (const auto& block : document.blocks) {
    const auto* part = std::get_if<Part>(&block);
    if (part != nullptr && matches(*part)) return part;
  }
  return nullptr;
}

inline const DataTable& table(const Document& document, const std::string& name) {
  const auto* found =
      find_part<DataTable>(document, [&](const DataTable& t) { return t.name == name; });
  if (found == nullptr) throw std::out_of_range("no table " + name);
  return *found;
}
inline const Figure& figure(const Document& document, const std::string& name) {
  const auto* found = find_part<Figure>(document, [&](const Figure& f) { return f.name == name; });
  if (found == nullptr) throw std::out_of_range("no figure " + name);
  return *found;
}
// Whose text or source contains the words.
inline const Statement& statement(const Document& document, const std::string& words) {
  for (const auto& block : document.blocks) {
    const auto* statements = std::get_if<std::vector<Statement>>(&block);
    if (statements == nullptr) continue;
    for (const auto& s : *statements) {
      if ((s.source + ": " + s.text).find(words) != std::string::npos) return s;
    }
  }
  throw std::out_of_range("no statement with " + words);
}

inline double number(const DataTable& table, std::size_t row, std::size_t column) {
  return std::get<double>(table.rows.at(row).at(column));
}
inline std::string word(const DataTable& table, std::size_t row, std::size_t column) {
  return std::get<std::string>(table.rows.at(row).at(column));
}
// The first row whose first cells are these.
template <class... Words>
std::size_t row_of(const DataTable& table, const Words&... words) {
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::size_t column = 0;
    if ((... && (table.rows[r].at(column++) == Cell(words)))) return r;
  }
  throw std::out_of_range("no such row in table " + table.name);
}

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

// The duties of every document: rows as wide as their table, curves with values, names told apart.
inline void expect_well_formed(const Document& document) {
  std::vector<std::string> names;
  for (const auto& block : document.blocks) {
    if (const auto* t = std::get_if<DataTable>(&block)) {
      names.push_back("table " + t->name);
      for (const auto& row : t->rows) EXPECT_EQ(row.size(), t->columns.size()) << t->name;
    }
    if (const auto* f = std::get_if<Figure>(&block)) {
      names.push_back("figure " + f->name);
      for (const auto& curve : f->curves) {
        EXPECT_FALSE(curve.x.empty()) << f->name << " " << curve.label;
        EXPECT_EQ(curve.x.size(), curve.y.size()) << f->name << " " << curve.label;
      }
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(names[i], names[k]);
  }
}

}  // namespace hamiltree::test
