// hamiltree kinematics: where chosen points of bodies are, how they follow the joints, loops
// closed, and poses at which they are where they are wanted.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "analysis_output.hpp"
#include "commands.hpp"
#include "hamiltree/analysis/inverse_kinematics.hpp"
#include "hamiltree/analysis/start_at_time.hpp"
#include "hamiltree/base/error.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

using analysis::BodyPoint;
using analysis::PointTarget;
using OrderedJson = nlohmann::ordered_json;

struct KinematicsArguments : AnalysisArguments {
  std::vector<std::string> points, reach;
  bool ignore_limits = false;
};

[[noreturn]] void refuse_point(const char* option, const std::string& text, const char* form) {
  throw UsageError(std::string(option) + ": \"" + text + "\" is not " + form);
}

// "x,y,z", in the plane also "x,y"
std::optional<Eigen::Vector3d> vector_from(const std::string& text, SpaceKind space) {
  const Eigen::Index least = space == SpaceKind::kPlanar ? 2 : 3;
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  std::size_t begin = 0;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto number = parse_number(text.substr(begin, end - begin));
    if (!number) return std::nullopt;
    x(i) = *number;
    if (end == text.size()) return i + 1 >= least ? std::optional(x) : std::nullopt;
    begin = end + 1;
  }
  return std::nullopt;
}

// "body" or "body:x,y,z"
std::optional<BodyPoint> point_from(const std::string& text, SpaceKind space) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return BodyPoint{text, Eigen::Vector3d::Zero()};
  const auto x = vector_from(text.substr(colon + 1), space);
  return x ? std::optional(BodyPoint{text.substr(0, colon), *x}) : std::nullopt;
}

BodyPoint read_point(const std::string& text, SpaceKind space) {
  const auto point = point_from(text, space);
  if (!point) refuse_point("--point", text, "a body, or a body and a point in it as BODY:X,Y,Z");
  return *point;
}

PointTarget read_target(const std::string& text, SpaceKind space) {
  const auto equals = text.rfind('=');
  if (equals != std::string::npos) {
    const auto point = point_from(text.substr(0, equals), space);
    const auto x = vector_from(text.substr(equals + 1), space);
    if (point && x) return {*point, *x};
  }
  refuse_point("--reach", text, "a point and where it is wanted as BODY:X,Y,Z=X,Y,Z");
}

std::string point_text(const BodyPoint& point, const analysis::PointJacobian& jacobian,
                       const std::vector<std::string>& independent) {
  const auto& x = jacobian.position;
  Table table;
  table.add({point.body, "x, m", "y, m", "z, m"});
  table.add({"position", to_short(x(0)), to_short(x(1)), to_short(x(2))});
  for (std::size_t k = 0; k < independent.size(); ++k) {
    const auto column = jacobian.of_independent.col(static_cast<Eigen::Index>(k));
    table.add(
        {"by " + independent[k], to_short(column(0)), to_short(column(1)), to_short(column(2))});
  }
  return table.text();
}

OrderedJson point_json(const BodyPoint& point, const analysis::PointJacobian& jacobian) {
  return {{"body", point.body},
          {"point", numbers(point.position)},
          {"position", numbers(jacobian.position)},
          {"rotation", rows(jacobian.rotation)},
          {"of_velocities", rows(jacobian.of_velocities)},
          {"of_independent", rows(jacobian.of_independent)}};
}

void kinematics(const KinematicsArguments& arguments) {
  const auto model = analysed_model(arguments);
  std::vector<BodyPoint> points;
  for (const auto& text : arguments.points) points.push_back(read_point(text, model.space()));
  std::vector<PointTarget> targets;
  for (const auto& text : arguments.reach) targets.push_back(read_target(text, model.space()));
  auto pose = analysis::pose_at_time(model, arguments.time, arguments.independent);
  std::optional<analysis::InverseKinematics> found;
  if (!targets.empty()) {
    found = analysis::inverse_kinematics(
        pose, targets,
        arguments.ignore_limits ? analysis::Limits::kIgnored : analysis::Limits::kKept);
    if (!found->reached) {
      throw SimulationError(pose.t(),
                            "no pose was found that reaches the targets: one is missed by " +
                                to_short(found->miss) + " m");
    }
    for (const auto& target : targets) points.push_back(target.point);
  }
  const auto independent = independent_names(model, pose.independent());
  auto all = json_head(model, pose.t(), pose.q());
  all["velocities"] = velocity_names(model);
  all["independent"] = independent;
  all["mass"] = rows(analysis::mass_matrix(pose));
  all["points"] = OrderedJson::array();
  std::string text = pose_text(model, pose.q());
  for (const auto& point : points) {
    const auto jacobian = analysis::point_jacobian(pose, point);
    all["points"].push_back(point_json(point, jacobian));
    text += "\n" + point_text(point, jacobian, independent);
  }
  if (found) all["steps"] = found->steps;
  std::cout << (arguments.json ? all.dump(2) + "\n" : text);
}

}  // namespace

Command add_kinematics(CLI::App& app) {
  const auto given = std::make_shared<KinematicsArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand(
      "kinematics", "print where points are and how they follow the joints, or reach for targets");
  add_analysis(*command, arguments);
  command
      ->add_option("--point", arguments.points, "a point of a body, in its frame; may be repeated")
      ->type_name("BODY[:X,Y,Z]")
      ->allow_extra_args(false);
  auto* reach = command
                    ->add_option("--reach", arguments.reach,
                                 "a point, and where in the world it is moved to first; may be "
                                 "repeated")
                    ->type_name("BODY[:X,Y,Z]=X,Y,Z")
                    ->allow_extra_args(false);
  command
      ->add_flag("--ignore-limits", arguments.ignore_limits,
                 "reach also with joints beyond their limits")
      ->needs(reach);
  return {command, [given] { kinematics(*given); }};
}

}  // namespace hamiltree::app
