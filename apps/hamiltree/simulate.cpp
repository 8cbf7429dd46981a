#include "simulate.hpp"

#include <utility>

#include "hamiltree/hamiltree.hpp"
#include "hamiltree/io/import/native.hpp"

namespace hamiltree::app {
namespace {

constexpr double kUntil = 10.0;  // s

// The method by its name, with its tolerances or its step; what does not go with it is refused.
Method method_of(const SimulateArguments& arguments) {
  const auto name = arguments.integrator.value_or(to_name(DormandPrince{}));
  const auto method = *method_from_name(name);
  const auto refuse = [&](const char* option, const char* has) {
    throw UsageError(std::string(option) + " does not go with --integrator " + name +
                     ", which has " + has);
  };
  if (const auto tolerances = tolerances_of(method)) {
    if (arguments.step) refuse("--step", "tolerances, --rtol and --atol");
    return with_tolerances(method, {arguments.rtol.value_or(tolerances->relative),
                                    arguments.atol.value_or(tolerances->absolute)});
  }
  for (const auto& [given, option] : {std::pair{arguments.rtol.has_value(), "--rtol"},
                                      {arguments.atol.has_value(), "--atol"},
                                      {arguments.weights.has_value(), "--weights"}}) {
    if (given) refuse(option, "a fixed --step");
  }
  return with_step(method, arguments.step.value_or(*step_of(method)));
}

SimulationOptions options_of(const SimulateArguments& arguments) {
  SimulationOptions options;
  options.formulation = arguments.formulation.value_or(options.formulation);
  options.integrator = method_of(arguments);
  if (arguments.weights == "equal") options.weights = Weights::kEqual;
  options.reset = arguments.reset;
  options.projection = arguments.projection;
  options.leak = arguments.leak;
  options.energy_scaling = arguments.energy_scaling;
  options.baumgarte = arguments.baumgarte.value_or(0.0);
  options.max_energy_error = arguments.max_energy_error;
  options.max_constraint_error = arguments.max_constraint_error;
  return options;
}

}  // namespace

CLI::App* add_simulate(CLI::App& app, SimulateArguments& arguments) {
  auto* command = app.add_subcommand("simulate", "move a mechanism and write what happened");
  auto& c = *command;
  add_model(c, arguments.model);
  add_choice(c, "--formulation", arguments.formulation, formulation_names(),
             "equations of motion; default hdca")
      ->group("Method");
  add_choice(c, "--integrator", arguments.integrator, method_names(),
             "method; default dormand_prince")
      ->group("Method");
  add_positive(c, "--rtol", arguments.rtol, "relative tolerance of adaptive methods; default 1e-9")
      ->group("Method");
  add_positive(c, "--atol", arguments.atol, "absolute tolerance of adaptive methods; default 1e-9")
      ->group("Method");
  add_positive(
      c, "--step", arguments.step,
      "step in s of other methods; default 1e-2 of symplectic ones, 1e-3 of rk4, 1e-4 of eulers")
      ->group("Method");
  add_choice(c, "--weights", arguments.weights, {"inertia", "equal"},
             "how adaptive methods weigh errors of momenta; default inertia")
      ->group("Method");
  add_switch(c, "--reset", arguments.reset,
             "keep momenta, or velocities, clean of what loops leave in them; default on")
      ->group("Method");
  add_switch(c, "--projection", arguments.projection, "close loops after every step; default on")
      ->group("Method");
  c.add_option("--leak", arguments.leak,
               "rate in 1/s at which impulses of loops leak out of momenta; default of multistep "
               "methods: from the motion")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->group("Method");
  add_switch(c, "--energy-scaling", arguments.energy_scaling,
             "scale momenta after every step to hold the energy; default off")
      ->group("Method");
  add_positive(c, "--baumgarte", arguments.baumgarte,
               "rate in 1/s at which dca and aba pull loops closed; default none")
      ->group("Method");
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
  const auto options = options_of(arguments);
  const auto& output = arguments.output;
  if (output.folder && output.folder->empty()) throw UsageError("--out needs the name of a folder");
  if (arguments.checkpoint && !output.folder) {
    throw UsageError("--checkpoint needs --out, where checkpoints are kept");
  }
  SavedRun run{
      arguments.model.file, read_text(arguments.model.file), arguments.model.overrides, {}};
  const Model model = run.model();
  Simulation simulation(model, options);
  if (output.folder) check_folder(*output.folder);
  const double until = arguments.until.value_or(kUntil);
  carry_out(simulation, run, {}, until, output, arguments.checkpoint, [&](Recorder& recorder) {
    simulation.run_until(until, arguments.every.value_or(0.0), recorder);
  });
}

}  // namespace hamiltree::app
