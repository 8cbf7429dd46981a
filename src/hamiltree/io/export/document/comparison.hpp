// Runs of one mechanism side by side: what they cost, how well they kept what should be kept, and
// how far their motions differ.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hamiltree/io/export/document/document.hpp"
#include "hamiltree/io/import/csv_table.hpp"

namespace hamiltree {

struct ComparedRun {
  std::string label;                         // each run's own
  std::string summary;                       // JSON, docs/formats/summary.md
  CsvTable trajectory;                       // docs/formats/trajectory.md
  std::map<std::string, std::string> units;  // of its columns, as far as known
};

ComparedRun to_compared(const std::string& label, const Recording& recording);

// The folder that a run left behind, its label. Throws std::runtime_error if there is no whole run.
ComparedRun read_compared(const std::filesystem::path& folder);

// At least two runs; motions are compared with that of the first, at the times that runs share.
// Throws std::runtime_error if they share none.
Document compare(const std::vector<ComparedRun>& runs);

}  // namespace hamiltree
