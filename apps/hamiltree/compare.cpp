// hamiltree compare: formulations, or runs that are there already, side by side.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "commands.hpp"
#include "document_output.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/export/document/comparison.hpp"
#include "hamiltree/io/saved_run.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "method.hpp"
#include "options.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "run.hpp"

namespace hamiltree::app {
namespace {

struct CompareArguments {
  std::vector<std::string> what;  // a model file, or folders of runs
  std::optional<std::string> formulations;
  ModelArguments model;  // without the file
  MethodArguments method;
  std::optional<double> until, every;  // s
  std::optional<std::string> folder;
  bool quiet = false;
};

namespace fs = std::filesystem;

std::vector<std::string> formulations_of(const std::string& text) {
  const auto names = split_at_commas(text);
  const auto& known = formulation_names();
  for (const auto& name : names) {
    if (std::ranges::find(known, name) == known.end())
      throw UsageError("--formulations: \"" + name + "\" is not one of " + listed(known));
    if (std::ranges::count(names, name) > 1)
      throw UsageError("--formulations: " + name + " is there twice");
  }
  if (names.size() < 2) throw UsageError("--formulations needs at least two");
  return names;
}

struct Runs {
  std::vector<ComparedRun> runs;
  std::exception_ptr failure;  // of the first that failed
};

Runs simulate_all(const CompareArguments& arguments) {
  const auto names = formulations_of(*arguments.formulations);
  auto source = arguments.model;
  source.file = arguments.what.front();
  const Model model(read_model(source, arguments.quiet).mechanism(source.overrides));
  const double until = arguments.until.value_or(kUntil);
  std::vector<Simulation> simulations;
  for (const auto& name : names)
    simulations.emplace_back(model, options_for(name, model, arguments.method));
  Runs all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Progress progress(until, !arguments.quiet);
    simulations[i].on_step([&](double t) { progress.step(t, simulations[i].worst_residual()); });
    Recording recording;
    try {
      simulations[i].run_until(until, arguments.every.value_or(0.0), recording);
    } catch (const SimulationError&) {
      if (!all.failure) all.failure = std::current_exception();
    }
    all.runs.push_back(to_compared(names[i], recording));
  }
  return all;
}

// Runs are there already: what says how to simulate is not taken without effect.
void refuse_options_of_simulations(const CLI::App& command) {
  static const std::set<std::string> fitting{"RUNS", "--out", "--quiet"};
  for (const auto* option : command.get_options()) {
    const auto name = option->get_name();
    if (option->count() > 0 && !fitting.contains(name))
      throw UsageError(name + " goes with --formulations, not with runs");
  }
}

Runs read_all(const CompareArguments& arguments) {
  if (arguments.what.size() < 2)
    throw UsageError(
        "compare takes a model file with --formulations, or at least two folders of runs");
  Runs all;
  for (const auto& folder : arguments.what) check_holds_no_saved_run(folder);
  for (const auto& folder : arguments.what) all.runs.push_back(read_compared(folder));
  return all;
}

// The summary for a terminal, without the report.
void print_runs(const Document& document) {
  Table text;
  for (const auto& block : document.blocks) {
    const auto* table = std::get_if<DataTable>(&block);
    if (!table || table->name != "runs") continue;
    std::vector<std::string> heads;
    for (const auto& column : table->columns) heads.push_back(column.name);
    text.add(heads);
    for (const auto& row : table->rows) {
      std::vector<std::string> cells;
      for (const auto& cell : row) {
        const auto* number = std::get_if<double>(&cell);
        cells.push_back(number ? to_short(*number) : std::get<std::string>(cell));
      }
      text.add(cells);
    }
  }
  std::cout << text.text();
}

void compare(const CompareArguments& arguments, const CLI::App& command) {
  const auto folder = arguments.folder.value_or("out/compare");
  if (folder.empty()) throw UsageError("--out needs the name of a folder");
  check_folder(folder);
  check_holds_no_run(folder, "choose another --out folder for the report");
  if (arguments.formulations && arguments.what.size() > 1)
    throw UsageError("--formulations goes with one model file");
  if (!arguments.formulations) refuse_options_of_simulations(command);
  const auto all = arguments.formulations ? simulate_all(arguments) : read_all(arguments);
  const auto document = hamiltree::compare(all.runs);
  if (!arguments.quiet) print_runs(document);
  write_and_tell(document, folder, arguments.quiet);
  if (all.failure) std::rethrow_exception(all.failure);
}

}  // namespace

Command add_compare(CLI::App& app) {
  const auto given = std::make_shared<CompareArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("compare", "compare formulations, or runs");
  auto& c = *command;
  c.add_option("RUNS", arguments.what, "folders of two or more runs; with --formulations a model")
      ->required()
      ->type_name("");
  c.add_option("--formulations", arguments.formulations,
               "formulations to run the model with, from " + listed(formulation_names()))
      ->type_name("A,B,...")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_model_options(c, arguments.model);
  add_method(c, arguments.method);
  add_positive(c, "--until", arguments.until, "end time in s; default 10")->group("Output");
  add_interval(c, "--every", arguments.every,
               "output interval in s, or step: at every step; default 1/500 of --until, in whole "
               "steps of a fixed size")
      ->group("Output");
  c.add_option("--out", arguments.folder,
               "folder for report.html, report.md, tables and figures; default out/compare")
      ->type_name("FOLDER")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group("Output");
  c.add_flag("--quiet,-q", arguments.quiet, "no progress, no table; errors only")->group("Output");
  return {command, [given, command] { compare(*given, *command); }};
}

}  // namespace hamiltree::app
