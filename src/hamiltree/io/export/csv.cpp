#include "hamiltree/io/export/csv.hpp"

#include <ostream>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/columns.hpp"
#include "hamiltree/io/export/csv_field.hpp"
#include "hamiltree/io/export/fit.hpp"

namespace hamiltree {
void write_csv_row(std::span<const double> row, std::ostream& out) {
  std::string line;
  for (const double value : row) line += (line.empty() ? "" : ",") + to_text(value);
  out << line << '\n';
}

void write_csv(const Recording& recording, std::ostream& out,
               std::optional<std::size_t> continued_at) {
  check_fit(recording);
  if (!continued_at) {
    std::string line;
    for (const auto& column : columns_of(recording.header))
      line += (line.empty() ? "" : ",") + csv_field(column.name);
    out << line << '\n';
  }
  std::vector<double> row;
  for (std::size_t i = continued_at.value_or(0); i < recording.samples.size(); ++i) {
    row.clear();
    append_row(recording.header, recording.samples[i], row);
    write_csv_row(row, out);
  }
}

void write_steps_csv(const Recording& recording, std::ostream& out,
                     std::optional<std::size_t> continued_at) {
  if (!continued_at) out << "t,size,order\n";
  for (std::size_t i = continued_at.value_or(0); i < recording.steps.size(); ++i) {
    const auto& step = recording.steps[i];
    out << to_text(step.t) << ',' << to_text(step.size) << ',' << step.order << '\n';
  }
}

}  // namespace hamiltree
