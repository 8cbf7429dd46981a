// hamiltree linearize: the motions of a model next to its start, or next to its equilibrium.
#include "hamiltree/analysis/linearize.hpp"

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis_output.hpp"
#include "commands.hpp"
#include "hamiltree/analysis/equilibrium.hpp"
#include "hamiltree/analysis/show_modes.hpp"
#include "hamiltree/analysis/start_at_time.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/io/export/report.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree::app {
namespace {

struct LinearizeArguments : AnalysisArguments {
  std::vector<std::string> inputs;
  bool at_equilibrium = false;
  std::optional<std::string> report;
  analysis::ModesShown shown;
};

void write_report(const LinearizeArguments& arguments, const ModelSource& source,
                  const Model& model, analysis::ModelAtPose& pose,
                  const analysis::Linearization& linear) {
  const auto recording = analysis::show_modes(pose, linear, arguments.shown);
  const ModelLooks looks{source.looks(arguments.model.overrides), source.file,
                         arguments.model.import.files_elsewhere};
  PendingFile(*arguments.report, to_report(recording, &model, looks)).publish();
}

void linearize(const LinearizeArguments& arguments) {
  const auto source = read_model(arguments.model, arguments.quiet);
  const Model model(source.mechanism(arguments.model.overrides));
  auto pose = analysis::pose_at_time(model, arguments.time, arguments.independent);
  Eigen::VectorXd u = initial_state(model).v(pose.independent());
  if (arguments.at_equilibrium) {
    analysis::equilibrium(pose);
    u.setZero();
  }
  const auto linear = analysis::linearize(pose, u, arguments.inputs);
  if (arguments.report) write_report(arguments, source, model, pose, linear);
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
  add_list(*command, "--inputs", arguments.inputs, "JOINTS",
           "joints, by commas, whose efforts are the inputs of B");
  command->add_flag("--at-equilibrium", arguments.at_equilibrium,
                    "at the equilibrium found from the start, not at the start");
  auto* report = add_text(
      *command, "--report", "FILE", [&arguments](const auto& text) { arguments.report = text; },
      "page to write in which the modes are seen moving");
  add_count(*command, "--modes", arguments.shown.most,
            "how many of them at most, by frequency; default 12")
      ->needs(report);
  add_number(
      *command, "--amplitude", [&arguments](double value) { arguments.shown.amplitude = value; },
      "of the joint that moves most: rad, or lengths of the mechanism; default 0.15")
      ->needs(report);
  return {command, [given] { linearize(*given); }};
}

}  // namespace hamiltree::app
