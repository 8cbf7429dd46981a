// The results of a complete sweep as files: results.csv, trajectories.csv if they are kept, and
// both as results.h5. docs/formats/sweep.md.
#pragma once

#include "hamiltree/sweep/journal.hpp"
#include "hamiltree/sweep/sample_runner.hpp"
#include "hamiltree/sweep/sweep.hpp"

namespace hamiltree {

// In the order of the samples. Counts the failures, and removes the journals at last.
void write_results(const SamplePlan& plan, JournalIndex& samples, const SweepOptions& options,
                   SweepSummary& summary);

}  // namespace hamiltree
