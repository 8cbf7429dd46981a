// The trajectory as a table, one row per output time. Columns, units: docs/formats/trajectory.md.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Writes one header line of names, then one line per sample; every number is the shortest text that
// reads back exactly. Throws std::invalid_argument where a sample does not fit the header.
void write_csv(const Recording& recording, std::ostream& out);

// The accepted steps: time at the end, size and order.
void write_steps_csv(const Recording& recording, std::ostream& out);

// Their lines, each with its end: of names, of numbers, of a step.
std::string csv_head(const RecordingHeader& header);
std::string csv_row(std::span<const double> row);
std::string csv_row(const StepRecord& step);
inline constexpr const char* kStepsCsvHead = "t,size,order\n";

}  // namespace hamiltree
