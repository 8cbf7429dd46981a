// Tasks: a sweep in parts that any process may run, wherever it is, as long as it sees the folder.
// One process begins the sweep and hands its tasks out; when they are done, run_sweep() finds all
// samples in the journals and writes the results, or runs what is still missing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "hamiltree/sweep/sample_runner.hpp"

namespace hamiltree {

struct SweepTasks {
  std::vector<std::vector<std::size_t>> tasks;  // numbers of samples
  int session = 0;  // tells the journals of these tasks from those of earlier ones
};

// Opens the folder as run_sweep() does, and shares what is missing among at most `most` tasks.
SweepTasks begin_sweep(const SweepStudy& study, const std::filesystem::path& folder,
                       std::size_t most);

// Runs tasks of one study, one after the other. The study must outlive it.
class SweepWorker {
 public:
  // Throws UsageError unless the folder is that of this study, begun.
  SweepWorker(const SweepStudy& study, std::filesystem::path folder);

  // Each sample is in a journal of the folder as soon as it is finished. A task that is run twice
  // does no harm. Throws SweepInterrupted where `interrupted` says so.
  void run(const std::vector<std::size_t>& samples, int session, int task,
           const std::function<bool()>& interrupted) const;

 private:
  std::filesystem::path folder_;
  SamplePlan plan_;
};

}  // namespace hamiltree
