// ComparedRun: a run to be compared with others, as it left its folder or still stands in memory.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hamiltree/io/import/csv_table.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

struct ComparedRun {
  std::string label;                         // each run's own
  std::string summary;                       // JSON, docs/formats/summary.md
  CsvTable trajectory;                       // docs/formats/trajectory.md
  std::map<std::string, std::string> units;  // of its columns, as far as known

  // Throws std::runtime_error if the trajectory has no such column.
  const std::vector<double>& column(const std::string& name) const;
};

ComparedRun to_compared(const std::string& label, const Recording& recording);

// The folder that a run left behind, its label. Throws std::runtime_error if there is no whole run.
ComparedRun read_compared(const std::filesystem::path& folder);

}  // namespace hamiltree
