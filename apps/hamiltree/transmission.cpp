// hamiltree transmission: rates of some joints of a linkage from those of others.
#include <iostream>
#include <memory>

#include "analysis_output.hpp"
#include "commands.hpp"
#include "hamiltree/analysis/inverse_dynamics.hpp"
#include "hamiltree/analysis/start_at_time.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

struct TransmissionArguments : AnalysisArguments {
  std::vector<std::string> inputs, outputs;
};

void transmission(const TransmissionArguments& arguments) {
  const auto model = analysed_model(arguments);
  auto pose = analysis::pose_at_time(model, arguments.time, arguments.independent);
  const auto J = analysis::transmission(pose, arguments.inputs, arguments.outputs);
  const auto inputs = velocity_names(model, pose.moving_joints(arguments.inputs));
  const auto outputs = velocity_names(model, pose.moving_joints(arguments.outputs));
  if (arguments.json) {
    auto all = json_head(model, pose.t(), pose.q());
    all["inputs"] = inputs;
    all["outputs"] = outputs;
    all["J"] = rows(J);
    std::cout << all.dump(2) << '\n';
    return;
  }
  Table table;
  std::vector<std::string> head{"rate of"};
  for (const auto& name : inputs) head.push_back("by " + name);
  table.add(head);
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    std::vector<std::string> row{outputs[static_cast<std::size_t>(i)]};
    for (Eigen::Index k = 0; k < J.cols(); ++k) row.push_back(to_short(J(i, k)));
    table.add(row);
  }
  std::cout << table.text();
}

}  // namespace

Command add_transmission(CLI::App& app) {
  const auto given = std::make_shared<TransmissionArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand(
      "transmission", "print the rates of some joints of a linkage by those of others");
  add_analysis(*command, arguments);
  add_list(*command, "--inputs", arguments.inputs, "JOINTS",
           "joints, by commas, whose rates are given")
      ->required();
  add_list(*command, "--outputs", arguments.outputs, "JOINTS",
           "joints, by commas, whose rates are wanted")
      ->required();
  return {command, [given] { transmission(*given); }};
}

}  // namespace hamiltree::app
