// Tables of numbers under a line of names, as CSV.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hamiltree {

// The numbers of one line, or nothing if a field is none.
std::optional<std::vector<double>> parse_csv_numbers(std::string_view line);

struct CsvTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // as many as names, equally long

  // The column of this name; null if there is none.
  const std::vector<double>* find(std::string_view name) const;
};

// `name` is what messages call it. Throws std::runtime_error naming the line that is wrong.
CsvTable read_csv_table(std::istream& in, const std::string& name);

}  // namespace hamiltree
