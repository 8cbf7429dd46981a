#include "simulate.hpp"

#include <utility>

#include "hamiltree/hamiltree.hpp"

namespace hamiltree::app {
namespace {

constexpr double kUntil = 10.0;  // s

}  // namespace

CLI::App* add_simulate(CLI::App& app, SimulateArguments& arguments) {
  auto* command = app.add_subcommand("simulate", "move a mechanism and write what happened");
  auto& c = *command;
  add_model(c, arguments.model);
  add_choice(c, "--formulation", arguments.formulation, formulation_names(),
             "equations of motion; default hdca")
      ->group("Method");
  add_method(c, arguments.method);
  add_positive(c, "--until", arguments.until, "end time in s; default 10")->group("Output");
  add_interval(c, "--every", arguments.every,
               "output interval in s, or step: at every step; default 1/500 of --until")
      ->group("Output");
  c.add_option(
       "--out", arguments.output.folder,
       "folder for summary.json, trajectory.csv, steps.csv and report.html; made if missing")
      ->type_name("FOLDER")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group("Output");
  add_positive(c, "--checkpoint", arguments.checkpoint,
               "simulated seconds between checkpoints in the --out folder; default none")
      ->group("Output");
  add_positive(c, "--max-energy-error", arguments.max_energy_error,
               "fail, with exit code 4, if the relative energy error is larger")
      ->group("Output");
  add_positive(c, "--max-constraint-error", arguments.max_constraint_error,
               "fail, with exit code 4, if loops were open by more, in m")
      ->group("Output");
  add_output_flags(c, arguments.output);
  return command;
}

void simulate(const SimulateArguments& arguments) {
  auto options = options_of(arguments.method);
  options.formulation = arguments.formulation.value_or(options.formulation);
  options.max_energy_error = arguments.max_energy_error;
  options.max_constraint_error = arguments.max_constraint_error;
  const auto& output = arguments.output;
  if (output.folder && output.folder->empty()) throw UsageError("--out needs the name of a folder");
  if (arguments.checkpoint && !output.folder) {
    throw UsageError("--checkpoint needs --out, where checkpoints are kept");
  }
  const ModelSource source = read_model(arguments.model, output.quiet);
  const Model model(source.mechanism(arguments.model.overrides));
  const SavedRun run{source.file, source.text, arguments.model.overrides, {}};
  Simulation simulation(model, options);
  if (output.folder) check_folder(*output.folder);
  const double until = arguments.until.value_or(kUntil);
  carry_out(simulation, run, {}, until, output, arguments.checkpoint, [&](Recorder& recorder) {
    simulation.run_until(until, arguments.every.value_or(0.0), recorder);
  });
}

}  // namespace hamiltree::app
