// hamiltree-lab bench: this engine beside others.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/calibration.hpp"
#include "benchmarks/report.hpp"
#include "document_output.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/listed.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "lab_commands.hpp"
#include "options.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "run.hpp"

namespace hamiltree::app {
namespace {

struct BenchArguments {
  bool quick = false, calibrate = false, json = false, quiet = false;
  std::string folder = "out/bench", peers;
  std::optional<std::string> only;
  std::vector<std::string> models;
};

using benchmarks::BenchResult;
using benchmarks::Outcome;

std::vector<std::string> line(const benchmarks::CaseResult& result,
                              const benchmarks::Contest& contest) {
  std::vector<std::string> cells{
      "  " + (result.name.empty() ? std::to_string(result.size) : result.name), contest.engine};
  if (contest.outcome != Outcome::kTimed) {
    cells.push_back(std::string(to_text(contest.outcome)) + ": " + contest.why);
    return cells;
  }
  const double ns = 1e9 * contest.timing.median;
  cells.insert(cells.end(),
               {to_short(ns) + " ns", to_short(ns / result.bodies) + " ns/body",
                "x " + to_short(contest.timing.ratio),
                contest.difference ? "differs by " + to_short(*contest.difference) : "not compared",
                contest.flops ? to_short(*contest.flops / result.bodies) + " flops/body" : ""});
  return cells;
}

void print(const BenchResult& result) {
  const auto& limits = result.limits;
  std::cout << benchmarks::processor_name() << ": " << to_short(1e-9 * limits.scalar_flops)
            << " GFLOP/s scalar, " << to_short(1e-9 * limits.vector_flops) << " GFLOP/s in "
            << limits.lanes << " lanes, reads " << to_short(1e-9 * limits.bandwidth)
            << " GB/s, fork and join " << to_short(1e9 * limits.fork_join) << " ns\n";
  for (const auto& peer : result.peers) {
    if (peer.engine != nullptr) {
      std::cout << peer.name << ' ' << peer.engine->version() << ": " << peer.engine->method()
                << " (" << peer.build << ")\n";
    } else {
      std::cout << peer.name << ": missing, " << peer.missing << "; to install: " << peer.install
                << '\n';
    }
  }
  for (const auto& family : result.families) {
    if (family.cases.empty()) continue;
    std::cout << '\n' << family.family.title << ", " << family.family.counted << '\n';
    Table table;
    for (const auto& one : family.cases) {
      for (const auto& contest : one.contests) {
        if (contest.outcome != Outcome::kMissing) table.add(line(one, contest));
      }
    }
    std::cout << table.text();
  }
  if (!result.threads.empty()) std::cout << "\nTwo threads, recursive\n";
  for (const auto& one : result.threads) {
    std::cout << "  " << one.what << ": " << to_short(1e-6 * one.one) << " M/s by one, "
              << to_short(1e-6 * one.two) << " M/s by two, x " << to_short(one.speed_up()) << '\n';
  }
}

void calibrate() {
  for (const auto space : {SpaceKind::kSpatial, SpaceKind::kPlanar}) {
    const bool is_planar = space == SpaceKind::kPlanar;
    const auto measured = benchmarks::measured_costs(space);
    const auto& used = is_planar ? dh_frames::kPlanarCosts : dh_frames::kSpatialCosts;
    std::cout << "Pins " << (is_planar ? "in the plane" : "in space")
              << ": what a rate costs on this machine, and what plans go by\n";
    Table table;
    const auto row = [&](const char* what, double here, double by) {
      table.add({what, to_short(here) + " ns", to_short(by) + " ns"});
    };
    row("  one revolute after the other", measured.revolute, used.revolute);
    row("  eight revolutes side by side", measured.lane_step, used.lane_step);
    row("  a lane group, in and out", measured.hand_over, used.hand_over);
    row("  eight revolutes of segments side by side", measured.segment_step, used.segment_step);
    row("  eight segments, joined", measured.joins, used.joins);
    std::cout << table.text();
  }
}

void bench(const BenchArguments& arguments) {
  if (!arguments.models.empty() && (arguments.calibrate || arguments.only))
    throw UsageError("--only and --calibrate go without model files");
  if (arguments.calibrate) return calibrate();
  if (arguments.folder.empty()) throw UsageError("--out needs the name of a folder");
  check_folder(arguments.folder);
  check_holds_no_run(arguments.folder, "choose another --out folder for the report");
  BenchResult result;
  {
    const StatusLine status(!arguments.quiet);
    benchmarks::BenchOptions options;
    options.quick = arguments.quick;
    options.only = arguments.only.value_or("");
    for (const auto& file : arguments.models)
      options.models.push_back(read_model({file, {}, {}}, arguments.quiet).mechanism());
    if (!arguments.peers.empty()) options.peers = arguments.peers;
    options.progress = [&](std::string_view doing) { status.show(std::string(doing)); };
    result = benchmarks::run_bench(options);
  }
  const std::string json = to_json(result);
  if (arguments.json) std::cout << json;
  const bool silent = arguments.json || arguments.quiet;
  if (!silent) print(result);
  write_and_tell(to_document(result), arguments.folder, silent);
  PendingFile(std::filesystem::path(arguments.folder) / "bench.json", json).publish();
  if (!result.all_agree()) {
    throw GateFailed("an engine computes another motion than `aba`; see the report");
  }
}

}  // namespace

Command add_peer_bench(CLI::App& app) {
  const auto given = std::make_shared<BenchArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("bench", "time this engine beside others");
  std::vector<std::string> names;
  for (const auto& family : benchmarks::families()) names.push_back(family.name);
  const auto last = CLI::MultiOptionPolicy::TakeLast;
  command
      ->add_option("MODEL", arguments.models,
                   "model files of your own to time instead: TOML, URDF, SDF or MJCF")
      ->type_name("");
  command->add_flag("--quick", arguments.quick, "small sizes and few rounds, in seconds");
  command->add_flag("--calibrate", arguments.calibrate,
                    "measure only what the constants that plans go by are on this machine");
  command->add_flag("--json", arguments.json, "print JSON and nothing else");
  add_choice(*command, "--only", arguments.only, names, "one family of mechanisms; default all");
  command
      ->add_option("--peers", arguments.peers,
                   "folder of the other engines' adapters; default benchmarks/peers beside the "
                   "program")
      ->type_name("FOLDER")
      ->multi_option_policy(last);
  command
      ->add_option("--out", arguments.folder,
                   "folder for bench.json, report.html, report.md, tables and figures")
      ->type_name("FOLDER")
      ->capture_default_str()
      ->multi_option_policy(last);
  command->add_flag("--quiet,-q", arguments.quiet, "no progress, no table; errors only");
  return {command, [given] { bench(*given); }};
}

}  // namespace hamiltree::app
