#include "hamiltree/sweep/sweep_tasks.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/sweep/journal.hpp"
#include "hamiltree/sweep/missing_units.hpp"
#include "hamiltree/sweep/sweep_folder.hpp"

namespace hamiltree {
namespace {

namespace fs = std::filesystem;

// A journal of its own for every attempt at a task.
std::unique_ptr<JournalWriter> journal_of(const fs::path& folder, int session, int task) {
  for (int attempt = 0;; ++attempt) {
    const auto path = journal_path(folder, session, task, attempt);
    if (fs::exists(path)) continue;
    try {
      return std::make_unique<JournalWriter>(path);
    } catch (const std::runtime_error&) {
      if (!fs::exists(path)) throw;  // else another was faster
    }
  }
}

}  // namespace

SweepTasks begin_sweep(const SweepStudy& study, const fs::path& folder, std::size_t most) {
  const SamplePlan plan(study);
  open_sweep_folder(plan, folder);
  SweepTasks result;
  if (failed_of_complete(folder)) return result;
  const JournalIndex done(folder, study.sampling.count());
  const auto units = missing_units(done, plan);
  result.session = done.next_session();
  const auto each = (units.size() + most - 1) / std::max(most, std::size_t{1});
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (i % each == 0) result.tasks.emplace_back();
    auto& task = result.tasks.back();
    task.insert(task.end(), units[i].begin(), units[i].end());
  }
  return result;
}

SweepWorker::SweepWorker(const SweepStudy& study, fs::path folder)
    : folder_(std::move(folder)), plan_(study) {
  if (!fs::exists(folder_ / "sweep.json")) {
    throw UsageError("this worker does not see the sweep's folder " + folder_.string() +
                     ": it must be on a disk that all share");
  }
  open_sweep_folder(plan_, folder_);
}

void SweepWorker::run(const std::vector<std::size_t>& samples, int session, int task,
                      const std::function<bool()>& interrupted) const {
  SampleRunner runner(plan_, interrupted);
  const auto journal = journal_of(folder_, session, task);
  for (std::size_t first = 0; first < samples.size();) {
    // Samples of one unit: their numbers have the same quotient.
    const auto unit = samples[first] / plan_.unit();
    auto last = first;
    while (last < samples.size() && samples[last] / plan_.unit() == unit) ++last;
    if (interrupted()) throw SweepInterrupted{};
    runner.run(std::span(samples).subspan(first, last - first),
               [&](const SampleRecord& record) { journal->append(record); });
    first = last;
  }
}

}  // namespace hamiltree
