// run-controller, which people do not call: the process in which a controller's file runs, see
// hamiltree/io/controller/controller_process.hpp.
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/io/controller/controller_host.hpp"

namespace hamiltree::app {
namespace {

struct RunControllerArguments {
  HostedController controller;
  std::size_t inputs = 0;
  std::vector<std::string> names;  // of the inputs, then of the outputs
};

[[noreturn]] void run_controller(const RunControllerArguments& arguments) {
  auto controller = arguments.controller;
  const auto& names = arguments.names;
  if (arguments.inputs > names.size()) throw UsageError("run-controller is called by simulate");
  const auto first_output = names.begin() + static_cast<std::ptrdiff_t>(arguments.inputs);
  controller.inputs.assign(names.begin(), first_output);
  controller.outputs.assign(first_output, names.end());
  std::exit(host_controller(controller));
}

}  // namespace

Command add_run_controller(CLI::App& app) {
  const auto given = std::make_shared<RunControllerArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("run-controller", "called by simulate")->group("");
  command->add_option("FILE", arguments.controller.file)->required();
  command->add_option("PERIOD", arguments.controller.period)->required();
  command->add_option("INPUTS", arguments.inputs)->required();
  command->add_option("NAMES", arguments.names);
  return {command, [given] { run_controller(*given); }};
}

}  // namespace hamiltree::app
