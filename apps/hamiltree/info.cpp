// hamiltree info: what a model is and how it would be computed, without moving it.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "hamiltree/formulations/digits.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/io/export/plan_drawing.hpp"
#include "hamiltree/model/in_segments.hpp"
#include "hamiltree/plan/plan_text.hpp"
#include "hamiltree/simulation/watched_events.hpp"
#include "model_facts.hpp"
#include "options.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

struct InfoArguments {
  ModelArguments model;
  bool json = false, quiet = false;
  bool plan = false;  // the tree of compounds as well
  std::optional<std::filesystem::path> drawing;
};

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

std::string vector_text(const Eigen::VectorXd& x) {
  std::vector<std::string> parts;
  for (const double part : x) parts.push_back(to_short(part));
  return "(" + listed(parts) + ")";
}

// One decimal: it is an estimate.
std::string digits_text(const ModelFacts& f) {
  const auto help =
      f.segments_help ? "; --segments " + std::to_string(kGoodSegment) + " keeps more" : "";
  if (!f.digits) {
    return "not estimated (more than " + std::to_string(kMaxEstimatedVelocities) + " velocities)" +
           help;
  }
  return to_short(std::round(10.0 * *f.digits) / 10.0) +
         " of about 16, of velocities computed from momenta" + help;
}

std::string freedom_text(const ModelFacts& f) {
  auto text = counted(f.degrees_of_freedom, "degree of freedom", "degrees of freedom");
  if (f.constraints == 0) return text;
  return text + ": " + counted(f.velocities, "velocity", "velocities") + ", " +
         counted(f.constraints, "constraint row") + ", " + std::to_string(f.redundant_constraints) +
         " of them redundant";
}

std::string facts_text(const ModelFacts& f) {
  Table table;
  table.add({"model", f.name + " (" + f.file + ")"});
  table.add({"space", f.space + ", gravity " + vector_text(f.gravity) + " m/s^2"});
  table.add({"bodies", std::to_string(f.bodies) + ", together " + to_short(f.total_mass) + " kg"});
  table.add({"joints", std::to_string(f.joints.size()) + ", of them " + std::to_string(f.loops) +
                           (f.loops == 1 ? " closes a loop" : " close loops")});
  if (f.couplings > 0) table.add({"couplings", std::to_string(f.couplings)});
  table.add({"freedom", freedom_text(f)});
  table.add({"length", to_short(f.length) + " m, characteristic"});
  table.add({"formulation", f.formulation + ", by auto: " + f.formulation_reason});
  table.add({"plan", f.plan_text});
  table.add({"", f.recursive_plan});
  table.add({"start", "kinetic energy " + to_short(f.kinetic_energy) + " J, potential energy " +
                          to_short(f.potential_energy) + " J"});
  if (f.loops > 0) {
    table.add({"", "loops open by " + to_short(f.residuals.position) + " m, " +
                       to_short(f.residuals.velocity) + " m/s"});
  }
  for (const auto& note : f.singular_start) table.add({"", note});
  for (const auto& note : f.notes) table.add({"", note});
  table.add({"estimated digits", digits_text(f)});
  return table.text();
}

std::string role_text(const JointFacts& joint) {
  std::string text = joint.closes_loop ? "closes a loop (" + joint.why_cut + ")" : "tree";
  if (joint.driven) text += ", driven";
  if (!joint.not_unique.empty()) text += "; not unique: " + listed(joint.not_unique);
  return text;
}

std::string joints_text(const ModelFacts& facts) {
  Table table;
  table.add({"joint", "type", "parent", "child", ""});
  for (const auto& j : facts.joints) {
    table.add({j.name, j.type, j.parent, j.child, role_text(j)});
  }
  return table.text();
}

Json to_object(const JointFacts& joint) {
  Json object{{"name", joint.name},
              {"type", joint.type},
              {"parent", joint.parent},
              {"child", joint.child},
              {"closes_loop", joint.closes_loop}};
  if (joint.closes_loop) object["why_cut"] = joint.why_cut;
  return object;
}

Json names_of(const std::vector<int>& links, const Model& model) {
  Json names = Json::array();
  for (const int link : links) names.push_back(link_name(link, model));
  return names;
}

Json to_object(const Compound& compound, const Model& model) {
  Json object;
  if (compound.body != kNone) {
    object["body"] = model.body_name(compound.body);
  } else {
    object["left"] = compound.left;
    object["right"] = compound.right;
  }
  object["eliminated"] = names_of(compound.eliminated, model);
  object["handles"] = names_of(compound.kept, model);
  object["closes_loop"] = compound.closes_loop;
  return object;
}

// Keys and units: docs/cli.md.
std::string facts_json(const ModelFacts& f, const Model& model, bool with_plan) {
  Json document{{"format", kFormat}, {"name", f.name}, {"file", f.file}, {"space", f.space}};
  document["gravity"] = std::vector<double>(f.gravity.begin(), f.gravity.end());
  document["bodies"] = f.bodies;
  document["total_mass"] = f.total_mass;
  document["joints"] = Json::array();
  for (const auto& joint : f.joints) document["joints"].push_back(to_object(joint));
  document["loops"] = f.loops;
  document["velocities"] = f.velocities;
  document["degrees_of_freedom"] = f.degrees_of_freedom;
  document["constraints"] = f.constraints;
  document["redundant_constraints"] = f.redundant_constraints;
  document["not_unique"] = Json::object();
  for (const auto& joint : f.joints) {
    if (!joint.not_unique.empty()) document["not_unique"][joint.name] = joint.not_unique;
  }
  document["couplings"] = f.couplings;
  document["length"] = f.length;
  document["formulation"] = f.formulation;
  document["formulation_reason"] = f.formulation_reason;
  document["plan"] = f.plan_text;
  document["recursive_plan"] = f.recursive_plan;
  if (with_plan) {
    document["compounds"] = Json::array();
    for (const auto& c : f.plan.compounds) document["compounds"].push_back(to_object(c, model));
  }
  document["energy"] = {{"kinetic", f.kinetic_energy}, {"potential", f.potential_energy}};
  document["residuals"] = {{"position", f.residuals.position}, {"velocity", f.residuals.velocity}};
  document["singular_start"] = f.singular_start;
  document["notes"] = f.notes;
  document["estimated_digits"] = f.digits ? Json(*f.digits) : Json(nullptr);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void info(const InfoArguments& arguments) {
  const Model model(
      read_model(arguments.model, arguments.quiet).mechanism(arguments.model.overrides));
  watched_events(model, true);  // refuses what a run would
  const auto facts = facts_of(model);
  if (arguments.drawing) {
    PendingFile(*arguments.drawing, plan_drawing(facts.plan, model)).publish();
  }
  if (arguments.json) {
    std::cout << facts_json(facts, model, arguments.plan);
    return;
  }
  std::cout << facts_text(facts) << '\n' << joints_text(facts);
  if (arguments.plan) std::cout << '\n' << plan_tree_text(facts.plan, model);
}

}  // namespace

Command add_info(CLI::App& app) {
  const auto given = std::make_shared<InfoArguments>();
  auto& arguments = *given;
  auto* command =
      app.add_subcommand("info", "print what a model consists of and how it is computed");
  add_model(*command, arguments.model);
  command->add_flag("--plan", arguments.plan,
                    "also the tree of compounds: which are joined with which");
  add_text(
      *command, "--drawing", "FILE", [&arguments](const auto& text) { arguments.drawing = text; },
      "file to draw the plans into, as SVG");
  command->add_flag("--json", arguments.json, "print JSON, nothing else, on stdout");
  command->add_flag("-q,--quiet", arguments.quiet, "errors only on stderr, nothing of the import");
  return {command, [given] { info(*given); }};
}

}  // namespace hamiltree::app
