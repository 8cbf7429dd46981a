// hamiltree inverse-dynamics: the efforts at chosen joints that hold a model, or make it move.
#include "hamiltree/analysis/inverse_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

#include "analysis_output.hpp"
#include "commands.hpp"
#include "hamiltree/analysis/start_at_time.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

struct InverseDynamicsArguments : AnalysisArguments {
  std::vector<std::string> joints, accelerations;
  bool at_rest = false;
};

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// "JOINT=VALUE" by independent velocity; the others 0.
Eigen::VectorXd accelerations_of(const std::vector<std::string>& given,
                                 const std::vector<std::string>& independent) {
  Eigen::VectorXd u_dot = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(independent.size()));
  for (const auto& text : given) {
    const auto equals = text.rfind('=');
    const double value = parse_number(equals == std::string::npos ? "" : text.substr(equals + 1))
                             .value_or(kNoNumber);
    const auto place = std::ranges::find(independent, "v." + text.substr(0, equals));
    if (!std::isfinite(value) || place == independent.end()) {
      throw UsageError("--acceleration: \"" + text +
                       "\" is not JOINT=VALUE of an independent velocity; these are " +
                       listed(independent));
    }
    u_dot(place - independent.begin()) = value;
  }
  return u_dot;
}

void inverse_dynamics(const InverseDynamicsArguments& arguments) {
  const auto model = analysed_model(arguments);
  auto pose = analysis::pose_at_time(model, arguments.time, arguments.independent);
  const auto independent = independent_names(model, pose.independent());
  Eigen::VectorXd u = initial_state(model).v(pose.independent());
  if (arguments.at_rest) u.setZero();
  const auto found = analysis::inverse_dynamics(
      pose, u, accelerations_of(arguments.accelerations, independent), arguments.joints);
  if (arguments.json) {
    auto all = json_head(model, pose.t(), pose.q());
    all["v"] = numbers(found.v);
    all["v_dot"] = numbers(found.v_dot);
    all["velocities"] = velocity_names(model);
    all["independent"] = independent;
    all["joints"] = arguments.joints;
    all["efforts"] = numbers(found.efforts);
    all["unbalanced"] = numbers(found.unbalanced);
    std::cout << all.dump(2) << '\n';
    return;
  }
  Table table;
  for (std::size_t k = 0; k < arguments.joints.size(); ++k)
    table.add({arguments.joints[k], to_short(found.efforts(static_cast<Eigen::Index>(k)))});
  std::cout << table.text() << "unbalanced: "
            << to_short(found.unbalanced.size() > 0 ? found.unbalanced.cwiseAbs().maxCoeff() : 0.0)
            << '\n';
}

}  // namespace

Command add_inverse_dynamics(CLI::App& app) {
  const auto given = std::make_shared<InverseDynamicsArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand(
      "inverse-dynamics", "print the efforts at joints that hold the model, or make it move");
  add_analysis(*command, arguments);
  add_list(*command, "--joints", arguments.joints, "JOINTS", "joints, by commas, that are motors")
      ->required();
  command
      ->add_option("--acceleration", arguments.accelerations,
                   "of an independent joint, rad/s^2 or m/s^2; the others 0; may be repeated")
      ->type_name("JOINT=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--at-rest", arguments.at_rest, "not at the velocities of the start");
  return {command, [given] { inverse_dynamics(*given); }};
}

}  // namespace hamiltree::app
