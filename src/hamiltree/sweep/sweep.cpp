#include "hamiltree/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/folder_lock.hpp"
#include "hamiltree/base/pool.hpp"
#include "hamiltree/formulations/choice/check_options.hpp"
#include "hamiltree/io/export/hdf5_file.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/sweep/journal.hpp"
#include "hamiltree/sweep/missing_units.hpp"
#include "hamiltree/sweep/results.hpp"
#include "hamiltree/sweep/sample_runner.hpp"
#include "hamiltree/sweep/sweep_folder.hpp"

namespace hamiltree {
namespace {

using Unit = std::vector<std::size_t>;  // samples that are run at a time

// The samples that are missing, unit by unit shared out among the ranks.
std::vector<Unit> own_share(const JournalIndex& done, const SamplePlan& plan, const Ranks& ranks) {
  auto units = missing_units(done, plan);
  std::vector<Unit> share;
  const auto count = static_cast<std::size_t>(ranks.count);
  for (auto i = static_cast<std::size_t>(ranks.rank); i < units.size(); i += count)
    share.push_back(std::move(units[i]));
  return share;
}

// Runs samples on all threads, each of which keeps a journal of its own.
void run_samples(const SamplePlan& plan, const std::vector<Unit>& units, int session,
                 const SweepOptions& options) {
  if (units.empty()) return;
  struct Worker {
    std::unique_ptr<SampleRunner> runner;
    std::unique_ptr<JournalWriter> journal;
  };
  Pool pool(options.threads);
  std::vector<Worker> workers(static_cast<std::size_t>(pool.threads()));
  std::size_t all = 0, done = 0;
  for (const auto& unit : units) all += unit.size();
  std::mutex mutex;
  try {
    pool.run(units.size(), [&](int thread, std::size_t item) {
      if (options.interrupted()) throw SweepInterrupted{};
      auto& runner = workers[static_cast<std::size_t>(thread)].runner;
      auto& journal = workers[static_cast<std::size_t>(thread)].journal;
      if (!runner) {
        runner = std::make_unique<SampleRunner>(plan, options.interrupted);
        journal = std::make_unique<JournalWriter>(
            journal_path(options.folder, session, options.ranks.rank, thread));
      }
      runner->run(units[item], [&](const SampleRecord& record) { journal->append(record); });
      const std::scoped_lock lock(mutex);
      done += units[item].size();
      options.progress(done, all);
    });
  } catch (const SweepInterrupted&) {
  }
}

// The first rank makes the folder and holds it for all, then all see it. One that is refused is
// refused by all.
void open_together(const SamplePlan& plan, const std::filesystem::path& folder, const Ranks& ranks,
                   FolderLock& lock) {
  std::exception_ptr refusal;
  try {
    if (ranks.rank == 0) {
      make_folder(folder);
      lock.hold(folder);
      open_sweep_folder(plan, folder);
    }
  } catch (...) {
    refusal = std::current_exception();
  }
  ranks.meet();
  if (refusal) std::rethrow_exception(refusal);
  if (ranks.rank > 0) open_sweep_folder(plan, folder);
}

// The journals of a complete sweep are gone: what is not there cannot be written again.
void refuse_missing(const char* file, const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / file)) return;
  throw UsageError(folder.string() + " holds this sweep, complete but without " + file +
                   "; choose another folder");
}

}  // namespace

SweepSummary run_sweep(const SweepStudy& study, const SweepOptions& options) {
  check_threads(options.threads);
  if (options.hdf5) check_hdf5();
  const auto start = std::chrono::steady_clock::now();
  const SamplePlan plan(study);
  const auto& ranks = options.ranks;
  SweepSummary summary;
  summary.samples = study.sampling.count();
  summary.lanes = static_cast<int>(plan.unit());
  FolderLock lock;
  open_together(plan, options.folder, ranks, lock);
  if (const auto failed = failed_of_complete(options.folder)) {
    ranks.meet();
    refuse_missing("results.csv", options.folder);
    if (study.trajectories) refuse_missing("trajectories.csv", options.folder);
    if (options.hdf5) refuse_missing("results.h5", options.folder);
    summary.finished = summary.found = summary.samples;
    summary.failed = *failed;
    return summary;
  }
  {
    const JournalIndex before(options.folder, summary.samples);
    summary.found = before.count();
    const auto share = own_share(before, plan, ranks);
    ranks.meet();  // nobody looks at the folder any more
    run_samples(plan, share, before.next_session(), options);
  }
  ranks.meet();
  if (ranks.rank == 0) {
    JournalIndex done(options.folder, summary.samples);
    summary.finished = done.count();
    if (done.count() == summary.samples) write_results(plan, done, options, summary);
  }
  ranks.meet();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  summary.wall_seconds = wall.count();
  return summary;
}

}  // namespace hamiltree
