// hamiltree distributed: one chain of up to many millions of links, over threads and ranks.
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "commands.hpp"
#include "exit_code.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/distributed/integrate.hpp"
#include "hamiltree/integrators/chosen_method.hpp"
#include "hamiltree/io/chain_file.hpp"
#include "hamiltree/io/export/csv.hpp"
#include "interrupt.hpp"
#include "mpi_ranks.hpp"
#include "options.hpp"
#include "print.hpp"
#include "progress.hpp"

namespace hamiltree::app {
namespace {

struct DistributedArguments {
  ModelArguments model;
  std::optional<std::string> integrator;
  std::optional<double> step, until, every;  // s
  int threads = 1, stride = 0, segments = 0;
  std::optional<std::string> out;
  bool overwrite = false, json = false, quiet = false;
};

namespace fs = std::filesystem;

// A table that grows while the chain moves: what is there is whole lines, also of a run that ends
// before its time.
class SampleFile {
 public:
  SampleFile(const std::string& path, std::size_t links, std::size_t stride)
      : path_(path), file_(path) {
    file_ << "t,kinetic_energy,potential_energy,total_energy";
    for (const char* name : {"q", "v"}) {
      for (std::size_t i = 0; stride > 0 && i < links; i += stride)
        file_ << ',' << name << '.' << i + 1;
    }
    file_ << '\n';
    check();
  }

  void add(const distributed::ChainSample& sample) {
    std::vector<double> row{sample.t, sample.energies.kinetic, sample.energies.potential,
                            sample.energies.kinetic + sample.energies.potential};
    row.insert(row.end(), sample.q.begin(), sample.q.end());
    row.insert(row.end(), sample.q_dot.begin(), sample.q_dot.end());
    file_ << csv_row(row);
    check();
  }

 private:
  void check() {
    if (!file_.flush()) throw std::runtime_error(path_ + " cannot be written");
  }

  std::string path_;
  std::ofstream file_;
};

// Runs what all ranks do together; where one of them fails alone, it ends them all.
template <class F>
void together(const MpiRanks& mpi, const F& f) {
  try {
    f();
  } catch (const SimulationError&) {  // by all of them
    throw;
  } catch (const UsageError& error) {
    mpi.end_all(kUsage, error.what());
    throw;
  } catch (const std::exception& error) {
    mpi.end_all(kInput, error.what());
    throw;
  }
}

// Of all ranks together, told to the first one.
double peak_megabytes(const Ranks& ranks) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  double megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  double other = megabytes;
  if (ranks.rank > 0) ranks.send(0, {&other, 1});
  for (int rank = 1; ranks.rank == 0 && rank < ranks.count; ++rank) {
    ranks.receive(rank, {&other, 1});
    megabytes += other;
  }
  return megabytes;
}

distributed::IntegrationOptions options_of(const DistributedArguments& arguments) {
  if (!arguments.step)
    throw UsageError("--step is needed, small enough for the stiffest motion of the chain");
  distributed::IntegrationOptions options;
  options.method = chosen_method(arguments.integrator.value_or("rk4"), {}, {}, arguments.step);
  options.until = arguments.until.value_or(100.0 * *arguments.step);
  options.every = arguments.every.value_or(0.0);
  options.stride = static_cast<std::size_t>(arguments.stride);
  for (const auto& [option, given] : {std::pair("--every", arguments.every.has_value()),
                                      std::pair("--stride", arguments.stride > 0),
                                      std::pair("--overwrite", arguments.overwrite)}) {
    if (given && !arguments.out)
      throw UsageError(std::string(option) + " needs --out, the file for the samples");
  }
  if (arguments.out && !arguments.overwrite && fs::exists(*arguments.out))
    throw std::runtime_error(*arguments.out + " is there already; --overwrite replaces it");
  return options;
}

struct Told {
  std::size_t links = 0, chain_blocks = 0;
  int ranks = 1, threads = 1, segments = 0;
  double reading_seconds = 0.0, megabytes = 0.0;  // memory of all ranks at its most
  std::string method;
  double step = 0.0;
  bool whole = true;
};

nlohmann::ordered_json to_json(const distributed::IntegrationSummary& s, const Told& told) {
  return {{"format", 1},
          {"kind", "hamiltree distributed"},
          {"links", told.links},
          {"chain_blocks", told.chain_blocks},
          {"ranks", told.ranks},
          {"threads", told.threads},
          {"segments", told.segments},
          {"integrator", told.method},
          {"step", told.step},
          {"reached", s.reached},
          {"steps", s.steps},
          {"rate_evaluations", s.rates},
          {"reading_seconds", told.reading_seconds},
          {"wall_seconds", s.seconds},
          {"memory_megabytes", told.megabytes},
          {"energy",
           {{"initial", s.initial_energy},
            {"max_error", s.energy_error},
            {"peak_kinetic", s.peak_kinetic},
            {"max_relative_error", s.relative_energy_error()}}},
          {"max_opened", s.opened}};
}

void print_chain(const distributed::IntegrationSummary& s, const Told& told) {
  const double work = static_cast<double>(told.links) * static_cast<double>(s.rates);
  Table table;
  table.add({"chain",
             std::to_string(told.links) + " links in " +
                 counted(static_cast<long>(told.chain_blocks), "chain block", "chain blocks") +
                 (told.segments > 0 ? ", in floating segments of " + counted(told.segments, "link")
                                    : " of eight segments")});
  table.add({"on", counted(told.ranks, "rank") + ", each " + counted(told.threads, "thread")});
  table.add({"simulated", to_text(s.reached) + " s by " + told.method + ", " +
                              counted(s.steps, "step") + " of " + to_text(told.step) + " s"});
  table.add({"took", to_duration(s.seconds) + ", " + to_short(1e9 * s.seconds / work) +
                         " ns a link and rate; reading took " + to_duration(told.reading_seconds)});
  table.add({"memory", to_short(told.megabytes) + " MiB, " +
                           to_short(1024.0 * told.megabytes / static_cast<double>(told.links)) +
                           " KiB a link"});
  table.add({"energy error", to_short(s.energy_error) + " J, " +
                                 to_short(s.relative_energy_error()) +
                                 " of the peak kinetic energy"});
  if (told.segments > 0) table.add({"closed after a step", "up to " + to_short(s.opened) + " m"});
  std::cout << table.text();
}

void distributed(const DistributedArguments& arguments) {
  const MpiRanks mpi;
  const auto& ranks = mpi.ranks();
  if (ranks.rank > 0) std::cerr.setstate(std::ios::failbit);  // what concerns all one of them says
  const auto options = options_of(arguments);
  ranks.meet();  // before one of them makes the file
  const bool quiet = arguments.quiet || ranks.rank > 0;
  const ChainFile file(read_model(arguments.model, quiet), arguments.model.overrides);
  if (file.sensors() > 0 && !quiet)
    std::cerr << "hamiltree: the sensors of the model are not computed\n";

  const InterruptGuard guard;
  Told told{.links = file.links(),
            .ranks = ranks.count,
            .segments = arguments.segments,
            .method = to_name(options.method),
            .step = *arguments.step};
  distributed::IntegrationSummary summary;
  together(mpi, [&] {
    const auto since = std::chrono::steady_clock::now();
    const auto part_of_this_rank = distributed::make_part(
        {file.links(), arguments.threads, arguments.segments},
        [&](std::size_t first, std::size_t last) { return file.links(first, last); }, ranks);
    auto& part = *part_of_this_rank;
    ranks.meet();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - since;
    told.reading_seconds = taken.count();
    told.chain_blocks = part.chain_blocks();
    told.threads = part.threads();
    std::optional<SampleFile> samples;
    if (arguments.out && ranks.rank == 0)
      samples.emplace(*arguments.out, file.links(), options.stride);
    Progress progress(options.until, !quiet);
    summary = distributed::integrate(
        part, ranks, options,
        [&](const distributed::ChainSample& sample) {
          if (samples) samples->add(sample);
        },
        [&](double t) {
          progress.step(t, 0.0);
          told.whole = !interrupted();
          return !told.whole;
        });
    told.megabytes = peak_megabytes(ranks);
  });
  if (ranks.rank > 0) return;
  if (!told.whole) {
    throw InterruptedSweep{"interrupted at t = " + to_text(summary.reached) +
                           " s; samples so far are " + arguments.out.value_or("not kept")};
  }
  if (arguments.json) {
    std::cout << to_json(summary, told).dump(2) << '\n';
  } else if (!arguments.quiet) {
    print_chain(summary, told);
  }
}

}  // namespace

Command add_distributed(CLI::App& app) {
  const auto given = std::make_shared<DistributedArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand(
      "distributed", "simulate one planar chain of many links on threads and, by mpirun, on ranks");
  command->alias("giant");  // its name until 2026-11
  auto& c = *command;
  add_model(c, arguments.model);
  add_choice(c, "--integrator", arguments.integrator, {"euler", "semi_implicit_euler", "rk4"},
             "method; default rk4");
  add_positive(c, "--step", arguments.step, "step in s; needed");
  add_positive(c, "--until", arguments.until, "end time in s; default 100 steps");
  add_positive(c, "--every", arguments.every,
               "seconds between samples; default none but the first and the last");
  add_count(c, "--stride", arguments.stride,
            "record angle and rate of one link in so many; default 0, of none");
  add_count(
      c, "--segments", arguments.segments,
      "links in a floating segment, 8 are good: keeps the digits of chains that move; default "
      "0, none float");
  add_count(c, "--threads", arguments.threads,
            "cores of each rank; 0: all; default 1; results do not depend on it");
  add_text(
      c, "--out", "FILE", [&arguments](const auto& text) { arguments.out = text; },
      "file for the samples, .csv; it grows while the chain moves")
      ->group("Output");
  c.add_flag("--overwrite", arguments.overwrite, "replace the --out file")->group("Output");
  c.add_flag("--json", arguments.json, "print a JSON summary, nothing else")->group("Output");
  c.add_flag("-q,--quiet", arguments.quiet, "no progress, no summary for people")->group("Output");
  return {command, [given] { distributed(*given); }};
}

}  // namespace hamiltree::app
