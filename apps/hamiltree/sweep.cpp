// hamiltree sweep: runs many samples of one mechanism.
#include "hamiltree/sweep/sweep.hpp"

#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "commands.hpp"
#include "exit_code.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/printable.hpp"
#include "hamiltree/base/text.hpp"
#include "interrupt.hpp"
#include "mpi_ranks.hpp"
#include "options.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "run.hpp"

namespace hamiltree::app {
namespace {

constexpr int kByRanks = -1;  // one of each rank, all cores where there is one rank only

struct SweepArguments {
  ModelArguments study;  // its file is that of the study, the rest concerns its model
  int threads = kByRanks;
  OutputArguments output;
};

namespace fs = std::filesystem;

std::string text_of(std::size_t done, std::size_t all, double seconds, const Ranks& ranks) {
  const auto n = static_cast<double>(done), whole = static_cast<double>(all);
  std::string text = std::to_string(done) + " of " + std::to_string(all) + " samples";
  if (ranks.count > 1) text += " of rank 0 of " + std::to_string(ranks.count);
  text += ", " + std::to_string(static_cast<int>(100.0 * n / whole)) + " %";
  if (done > 0 && seconds > 0.0) {
    text += ", " + to_short(n / seconds) + " samples/s, " +
            to_duration(std::ceil(seconds * (whole - n) / n)) + " left";
  }
  return text;
}

void print_sweep(const SweepSummary& summary, const std::string& folder,
                 const OutputArguments& output) {
  if (output.json) {
    const nlohmann::ordered_json json{{"format", 1},
                                      {"folder", folder},
                                      {"samples", summary.samples},
                                      {"finished", summary.finished},
                                      {"found", summary.found},
                                      {"failed", summary.failed},
                                      {"lanes", summary.lanes},
                                      {"wall_seconds", summary.wall_seconds}};
    std::cout << json.dump(2) << '\n';
  } else if (!output.quiet) {
    const auto computed = summary.finished - summary.found;
    std::cout << "samples  " << summary.samples << ", " << summary.failed << " failed\n";
    if (!summary.first_failure.empty())
      std::cout << "         sample " << summary.first_failure << '\n';
    if (summary.found > 0) std::cout << "found    " << summary.found << " finished before\n";
    std::cout << "time     " << to_short(summary.wall_seconds) << " s";
    if (computed > 0) {
      std::cout << ", " << to_short(static_cast<double>(computed) / summary.wall_seconds)
                << " samples/s";
      if (summary.lanes > 1) std::cout << ", " << summary.lanes << " side by side";
    }
    std::cout << "\n\nResults: " << (fs::path(folder) / "results.csv").string() << '\n';
  }
}

// All ranks read the same; one of them is enough to complain.
SweepStudy read(const SweepArguments& arguments, const Ranks& ranks) {
  if (ranks.rank > 0) std::cerr.setstate(std::ios::failbit);
  const auto& given = arguments.study;
  ImportLog log(given.import.strict);
  auto study = read_study(given.file, given.import, log, given.overrides);
  study.controller_command = controller_command();
  if (!arguments.output.quiet) {
    for (const auto& line : log.lines()) std::cerr << "hamiltree: " << printable(line) << '\n';
  }
  return study;
}

// A refusal by all ranks is told by the first of them; what befalls one of them ends them all.
SweepSummary run_on(const MpiRanks& mpi, const SweepStudy& study, const SweepOptions& options) {
  try {
    return run_sweep(study, options);
  } catch (const UsageError&) {
    throw;
  } catch (const ModelError&) {
    throw;
  } catch (const std::exception& error) {
    mpi.end_all(kInput, error.what());
    throw;
  }
}

void sweep(const SweepArguments& arguments) {
  const MpiRanks mpi;
  const auto& output = arguments.output;
  const auto study = read(arguments, mpi.ranks());
  SweepOptions options;
  const auto folder =
      output.folder.value_or((fs::path("out") / fs::path(study.file).stem()).string());
  if (folder.empty()) throw UsageError("--out needs the name of a folder");
  check_folder(folder);
  options.folder = folder;
  options.ranks = mpi.ranks();
  options.threads = arguments.threads;
  if (options.threads == kByRanks) options.threads = options.ranks.count > 1 ? 1 : 0;
  options.hdf5 = output.hdf5;
  options.interrupted = interrupted;
  SweepSummary summary;
  const InterruptGuard guard;
  {
    ProgressLine line(!output.quiet && options.ranks.rank == 0);
    options.progress = [&](std::size_t done, std::size_t all) {
      line.update([&](double seconds) { return text_of(done, all, seconds, options.ranks); });
    };
    summary = run_on(mpi, study, options);
  }
  if (options.ranks.rank > 0) return;
  if (summary.finished < summary.samples) {
    throw InterruptedSweep{"interrupted after " + std::to_string(summary.finished) + " of " +
                           std::to_string(summary.samples) +
                           " samples; the same command goes on with the rest"};
  }
  print_sweep(summary, folder, output);
  if (summary.failed == summary.samples)
    throw AllSamplesFailed("every sample failed" + (summary.first_failure.empty()
                                                        ? ", as " + folder + "/results.csv says"
                                                        : "; sample " + summary.first_failure));
}

}  // namespace

Command add_sweep(CLI::App& app) {
  const auto given = std::make_shared<SweepArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("sweep", "run many samples of one mechanism");
  auto& c = *command;
  c.add_option("STUDY", arguments.study.file, "study file (docs/formats/study.md)")
      ->required()
      ->type_name("");
  add_model_options(c, arguments.study);
  add_count(c, "--threads", arguments.threads,
            "threads of each rank; 0: one for each core; default 0, with mpirun 1");
  c.add_option("--out", arguments.output.folder,
               "folder for the results, in which an unfinished sweep goes on; default out/STUDY")
      ->type_name("FOLDER")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group("Output");
  add_output_flags(c, arguments.output);
  return {command, [given] { sweep(*given); }};
}

}  // namespace hamiltree::app
