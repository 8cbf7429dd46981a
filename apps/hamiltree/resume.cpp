// hamiltree resume: takes up a run where its last checkpoint was made.
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "hamiltree/base/error.hpp"
#include "method.hpp"
#include "run.hpp"

namespace hamiltree::app {
namespace {

struct ResumeArguments {
  std::string folder;
  int threads = 1;
  OutputArguments output;
};

void resume(const ResumeArguments& arguments) {
  RunSaver saver(arguments.folder);
  SavedRun run = load_run(arguments.folder);
  run.checkpoint.options.threads = arguments.threads;
  const Model model = run.model();
  const auto controllers = controllers_of(model, controller_command());
  if (controllers)
    controllers->restore(run.checkpoint.state.t, run.controllers.value_or(ControllersState{}));
  auto simulation = Simulation::from_checkpoint(model, run.checkpoint);
  if (controllers) Controllers::drive(controllers, simulation);
  check_folder(arguments.folder);
  auto output = arguments.output;
  output.folder = arguments.folder;
  output.hdf5 = output.hdf5 || run.hdf5;
  const auto& schedule = run.checkpoint.schedule;
  const auto every =
      schedule.checkpoint_every > 0.0 ? std::optional(schedule.checkpoint_every) : std::nullopt;
  carry_out(
      simulation, run, true, schedule.until, output, &saver, every,
      [&](Recorder& recorder) { simulation.resume(recorder); }, controllers);
}

}  // namespace

Command add_resume(CLI::App& app) {
  const auto given = std::make_shared<ResumeArguments>();
  auto& arguments = *given;
  auto* command =
      app.add_subcommand("resume", "continue an interrupted run from its last checkpoint");
  command->add_option("RUN", arguments.folder, "the --out folder of the run")
      ->required()
      ->type_name("FOLDER");
  add_threads(*command, arguments.threads);
  add_output_flags(*command, arguments.output);
  add_files_elsewhere(*command, arguments.output.files_elsewhere);
  return {command, [given] { resume(*given); }};
}

}  // namespace hamiltree::app
