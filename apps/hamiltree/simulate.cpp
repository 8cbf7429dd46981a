// hamiltree simulate: moves a mechanism and writes what happened.
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "commands.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/io/export/output_folder.hpp"
#include "hamiltree/io/saved_run.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "method.hpp"
#include "options.hpp"
#include "run.hpp"

namespace hamiltree::app {
namespace {

struct SimulateArguments {
  ModelArguments model;
  std::optional<std::string> formulation, backend;
  bool generated = false;
  MethodArguments method;
  std::optional<double> until, every;  // s
  std::optional<double> checkpoint;    // s
  std::optional<double> max_energy_error, max_constraint_error;
  bool overwrite = false;
  OutputArguments output;
};

// A report or a table of something else is not replaced by accident.
void check_holds_no_results(const std::filesystem::path& folder) {
  for (const auto* file : kRunFiles) {
    if (std::filesystem::exists(folder / file))
      throw std::runtime_error((folder / file).string() + " exists: --overwrite replaces it");
  }
}

bool is_on_chip(const SimulateArguments& arguments) { return arguments.backend == "fpga-sim"; }

constexpr const char* kOnChip = "hdca";  // what its program is made of

std::string formulation_of(const SimulateArguments& arguments) {
  const std::string open(kAutoFormulation);
  const auto name = arguments.formulation.value_or(open);
  if (is_on_chip(arguments)) return name == open ? kOnChip : name;
  if (!arguments.generated) return name;
  return std::string(kGeneratedPrefix) + (name == open ? "recursive" : name);
}

// The chip knows Euler's methods in momenta and nothing that comes after a step.
MethodArguments method_on_chip(MethodArguments method) {
  if (!method.integrator) method.integrator = to_name(Euler{});
  if (!method.reset) method.reset = false;
  if (!method.projection) method.projection = false;
  return method;
}

// Null where the model names none.
std::shared_ptr<Controllers> start_controllers(const Model& model,
                                               const SimulateArguments& arguments) {
  auto controllers = controllers_of(model, controller_command());
  if (!controllers) return nullptr;
  if (is_on_chip(arguments))
    throw UsageError("a controller's file does not go with --backend fpga-sim");
  if (const auto why = controllers->why_not_saved(); arguments.checkpoint && !why.empty())
    throw UsageError("there can be no --checkpoint: " + why);
  controllers->start();
  return controllers;
}

void simulate(const SimulateArguments& arguments, MakeChipIntegrator chip) {
  const bool on_chip = is_on_chip(arguments);
  auto options = options_of(on_chip ? method_on_chip(arguments.method) : arguments.method);
  options.formulation = formulation_of(arguments);
  options.max_energy_error = arguments.max_energy_error;
  options.max_constraint_error = arguments.max_constraint_error;
  auto output = arguments.output;
  output.files_elsewhere = arguments.model.import.files_elsewhere;
  if (output.folder && output.folder->empty()) throw UsageError("--out needs the name of a folder");
  if (arguments.generated && arguments.method.lanes)
    throw UsageError("--lanes does not go with --generated, whose code has none");
  if (arguments.generated && on_chip)
    throw UsageError("--generated does not go with --backend fpga-sim");
  if (arguments.checkpoint && on_chip)
    throw UsageError("--checkpoint does not go with --backend fpga-sim");
  if (on_chip && options.formulation != kOnChip) {
    throw UsageError("--backend fpga-sim computes by hdca, not " + *arguments.formulation);
  }
  if (arguments.overwrite && !output.folder)
    throw UsageError("--overwrite needs --out, the folder whose run is replaced");
  if (arguments.checkpoint && !output.folder) {
    throw UsageError("--checkpoint needs --out, where checkpoints are kept");
  }
  const ModelSource source = read_model(arguments.model, output.quiet);
  const Model model(source.mechanism(arguments.model.overrides));
  SavedRun run{source.file, source.text, arguments.model.overrides, {}};
  run.checkpoint.options = options;
  const auto controllers = start_controllers(model, arguments);
  Simulation simulation(model, options, on_chip ? chip(model, options) : MakeIntegrator{});
  if (controllers) Controllers::drive(controllers, simulation);
  std::optional<RunSaver> saver;
  if (output.folder) {
    check_folder(*output.folder);
    saver.emplace(*output.folder);
    if (!arguments.overwrite) {
      check_holds_no_run(*output.folder, "--overwrite replaces it");
      check_holds_no_results(*output.folder);
    }
  }
  const double until = arguments.until.value_or(kUntil);
  carry_out(
      simulation, run, false, until, output, saver ? &*saver : nullptr, arguments.checkpoint,
      [&](Recorder& recorder) {
        simulation.run_until(until, arguments.every.value_or(0.0), recorder);
      },
      controllers);
}

}  // namespace

Command add_simulate(CLI::App& app, MakeChipIntegrator chip) {
  const auto given = std::make_shared<SimulateArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("simulate", "simulate a model and write the results");
  auto& c = *command;
  add_model(c, arguments.model);
  add_choice(c, "--formulation", arguments.formulation, formulation_choices(),
             "equations of motion; default auto, the fastest that keeps the digits")
      ->group("Method");
  c.add_flag("--generated", arguments.generated,
             "rates by generated C, compiled by the system's C compiler; of hdca and recursive")
      ->group("Method");
  add_method(c, arguments.method);
  if (chip != nullptr) {
    add_choice(c, "--backend", arguments.backend, {"cpu", "fpga-sim"},
               "where steps are taken: cpu, or fpga-sim, the simulated chip, by euler without "
               "reset and projection; default cpu")
        ->group("Method");
  }
  add_positive(c, "--until", arguments.until, "end time in s; default 10")->group("Output");
  add_interval(c, "--every", arguments.every,
               "output interval in s, or step: at every step; default 1/500 of --until, in whole "
               "steps of a fixed size")
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
  c.add_flag("--overwrite", arguments.overwrite, "replace the run that the --out folder holds")
      ->group("Output");
  add_output_flags(c, arguments.output);
  return {command, [given, chip] { simulate(*given, chip); }};
}

}  // namespace hamiltree::app
