// The folder of a sweep: sweep.json says which study it is of and whether it is complete.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "hamiltree/sweep/sample_runner.hpp"
#include "hamiltree/sweep/sweep.hpp"

namespace hamiltree {

// Makes the folder or finds it begun. Throws UsageError if it holds another sweep, and
// std::runtime_error if it cannot be made, written or read.
void open_sweep_folder(const SamplePlan& plan, const std::filesystem::path& folder);

// How many samples have failed, of a sweep that is complete.
std::optional<std::size_t> failed_of_complete(const std::filesystem::path& folder);
void mark_complete(const SamplePlan& plan, const std::filesystem::path& folder,
                   const SweepSummary& summary);

}  // namespace hamiltree
