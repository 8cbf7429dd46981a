#include "hamiltree/io/import/csv_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "hamiltree/base/text.hpp"

namespace hamiltree {
namespace {

// The fields of one line; quotes as RFC 4180 wants them.
std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

std::optional<std::vector<double>> parse_csv_numbers(std::string_view line) {
  std::vector<double> numbers;
  for (;;) {
    const auto comma = line.find(',');
    const auto value = parse_number(line.substr(0, comma));
    if (!value) return std::nullopt;
    numbers.push_back(*value);
    if (comma == std::string_view::npos) return numbers;
    line.remove_prefix(comma + 1);
  }
}

const std::vector<double>* CsvTable::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

CsvTable read_csv_table(std::istream& in, const std::string& name) {
  const auto refuse = [&](std::size_t line, const std::string& why) {
    throw std::runtime_error(name + ":" + std::to_string(line) + ": " + why);
  };
  CsvTable table;
  std::string line;
  if (!std::getline(in, line)) refuse(1, "a line of names is missing");
  table.names = split(line);
  table.columns.resize(table.names.size());
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    const auto row = parse_csv_numbers(line);
    if (!row) refuse(number, "holds what is no number");
    if (row->size() != table.names.size())
      refuse(number, "does not have " + std::to_string(table.names.size()) + " columns");
    for (std::size_t i = 0; i < row->size(); ++i) table.columns[i].push_back((*row)[i]);
  }
  return table;
}

}  // namespace hamiltree
