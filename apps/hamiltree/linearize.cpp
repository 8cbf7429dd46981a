// hamiltree linearize: the motions of a model next to its start, or next to its equilibrium.
#include "hamiltree/analysis/linearize.hpp"

#include <iostream>
#include <memory>

#include "analysis_output.hpp"
#include "commands.hpp"
#include "hamiltree/analysis/equilibrium.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::app {
namespace {

struct LinearizeArguments : AnalysisArguments {
  std::vector<std::string> inputs;
  bool at_equilibrium = false;
};

void linearize(const LinearizeArguments& arguments) {
  const auto model = analysed_model(arguments);
  const auto start = initial_state(model);
  analysis::ModelAtPose pose(model, arguments.time, start.q, arguments.independent);
  Eigen::VectorXd u = start.v(pose.independent());
  if (arguments.at_equilibrium) {
    analysis::equilibrium(pose);
    u.setZero();
  }
  const auto linear = analysis::linearize(pose, u, arguments.inputs);
  if (arguments.json) {
    std::cout << linearization_json(model, linear).dump(2) << '\n';
    return;
  }
  std::cout << pose_text(model, linear.q) << '\n' << modes_text(model, linear);
}

}  // namespace

Command add_linearize(CLI::App& app) {
  const auto given = std::make_shared<LinearizeArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand(
      "linearize", "print natural frequencies, damping and mode shapes, and A and B as JSON");
  add_analysis(*command, arguments);
  command->add_option("--inputs", arguments.inputs, "joints whose efforts are the inputs of B")
      ->delimiter(',');
  command->add_flag("--at-equilibrium", arguments.at_equilibrium,
                    "at the equilibrium found from the start, not at the start");
  return {command, [given] { linearize(*given); }};
}

}  // namespace hamiltree::app
