#include "hamiltree/io/export/csv.hpp"

#include <ostream>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/columns.hpp"
#include "hamiltree/io/export/csv_field.hpp"
#include "hamiltree/io/export/fit.hpp"

namespace hamiltree {

std::string csv_head(const RecordingHeader& header) {
  std::string line;
  for (const auto& column : columns_of(header))
    line += (line.empty() ? "" : ",") + csv_field(column.name);
  return line + '\n';
}

std::string csv_row(std::span<const double> row) {
  std::string line;
  for (const double value : row) line += (line.empty() ? "" : ",") + to_text(value);
  return line + '\n';
}

std::string csv_row(const StepRecord& step) {
  return to_text(step.t) + ',' + to_text(step.size) + ',' + std::to_string(step.order) + '\n';
}

void write_csv(const Recording& recording, std::ostream& out) {
  check_fit(recording);
  out << csv_head(recording.header);
  std::vector<double> row;
  for (const auto& sample : recording.samples) {
    row.clear();
    append_row(recording.header, sample, row);
    out << csv_row(row);
  }
}

void write_steps_csv(const Recording& recording, std::ostream& out) {
  out << kStepsCsvHead;
  for (const auto& step : recording.steps) out << csv_row(step);
}

}  // namespace hamiltree
