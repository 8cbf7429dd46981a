// hamiltree equilibrium: a pose at which a model rests, and whether it stays there.
#include "hamiltree/analysis/equilibrium.hpp"

#include <iostream>
#include <memory>

#include "analysis_output.hpp"
#include "commands.hpp"
#include "hamiltree/analysis/start_at_time.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

void equilibrium(const AnalysisArguments& arguments) {
  const auto model = analysed_model(arguments);
  auto pose = analysis::pose_at_time(model, arguments.time, arguments.independent);
  const auto found = analysis::equilibrium(pose);
  if (arguments.json) {
    auto document = linearization_json(model, found.linear);
    document["steps"] = found.steps;
    document["unbalanced"] = found.unbalanced;
    document["growth"] = found.growth;
    document["stable"] = found.stable;
    document["indifferent"] = found.indifferent;
    std::cout << document.dump(2) << '\n';
    return;
  }
  const std::string judgement =
      !found.stable       ? "unstable: motions grow by " + to_short(found.growth) + " 1/s"
      : found.indifferent ? "indifferent: some motions neither grow nor come back, to rounding"
                          : "stable";
  std::cout << judgement << "; " << counted(found.steps, "step") << ", forces balance to "
            << to_short(found.unbalanced) << "\n\n"
            << pose_text(model, found.linear.q) << '\n'
            << modes_text(model, found.linear);
}

}  // namespace

Command add_equilibrium(CLI::App& app) {
  const auto given = std::make_shared<AnalysisArguments>();
  auto* command =
      app.add_subcommand("equilibrium", "find a pose at which the model rests, from its start");
  add_analysis(*command, *given);
  return {command, [given] { equilibrium(*given); }};
}

}  // namespace hamiltree::app
