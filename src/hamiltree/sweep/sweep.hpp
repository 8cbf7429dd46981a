// Sweep: runs all samples of a study, on threads and on ranks, and leaves a folder of results. A
// sample's numbers depend on nothing but the study: not on threads, ranks, or other samples.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "hamiltree/base/ranks.hpp"
#include "hamiltree/sweep/study.hpp"

namespace hamiltree {

struct SweepOptions {
  std::filesystem::path folder;
  int threads = 0;  // of this rank; 0: one for each core
  bool hdf5 = false;
  Ranks ranks;  // which share the folder
  // Called now and then, by one thread at a time: samples of this rank that are finished, and all.
  std::function<void(std::size_t done, std::size_t all)> progress = [](std::size_t, std::size_t) {};
  // Where it says so the sweep ends before the next sample.
  std::function<bool()> interrupted = [] { return false; };
};

struct SweepSummary {
  std::size_t samples = 0;
  std::size_t finished = 0;  // all of them, unless interrupted
  std::size_t found = 0;     // finished before this call
  std::size_t failed = 0;
  std::string first_failure;  // its sample's number and reason, where results were written now
  int lanes = 1;              // runs that go side by side
  double wall_seconds = 0.0;
};

// Goes on where an earlier call for the same study and folder stopped. When all samples are
// finished the first rank writes the results: docs/formats/sweep.md. Throws ModelError and
// UsageError for a study that cannot be, UsageError for a folder that holds another one, and
// std::runtime_error that names a file that cannot be written. A sample that fails is a result.
SweepSummary run_sweep(const SweepStudy& study, const SweepOptions& options);

}  // namespace hamiltree
