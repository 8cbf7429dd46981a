// The trajectory as a table, one row per output time. Columns, units: docs/formats/trajectory.md.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>

#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Writes one header line of names, then one line per sample; every number is the shortest text that
// reads back exactly. Continued at a sample: the lines from there on, that continue such a table.
// Throws std::invalid_argument where a sample does not fit the header.
void write_csv(const Recording& recording, std::ostream& out,
               std::optional<std::size_t> continued_at = {});

// Numbers in one line, with commas.
void write_csv_row(std::span<const double> row, std::ostream& out);

// The accepted steps: time at the end, size and order.
void write_steps_csv(const Recording& recording, std::ostream& out,
                     std::optional<std::size_t> continued_at = {});

}  // namespace hamiltree
