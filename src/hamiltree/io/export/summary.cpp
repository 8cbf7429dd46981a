#include "hamiltree/io/export/summary.hpp"

#include <nlohmann/json.hpp>

#include "hamiltree/base/version.hpp"

namespace hamiltree {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

Json to_object(const ModelSummary& model) {
  return {{"name", model.name},
          {"file", model.file},
          {"space", model.space},
          {"bodies", model.bodies},
          {"joints", model.joints},
          {"loops", model.loops},
          {"degrees_of_freedom", model.degrees_of_freedom},
          {"redundant_constraints", model.redundant_constraints},
          {"length", model.length}};
}

// A fixed step or a pair of tolerances, never both.
Json to_object(const IntegratorSummary& integrator) {
  Json object{{"name", integrator.name}};
  if (!integrator.changes.empty()) {
    object["changes"] = Json::array();
    for (const auto& change : integrator.changes)
      object["changes"].push_back({{"t", change.t}, {"to", change.to}});
  }
  if (integrator.step > 0.0) {
    object["step"] = integrator.step;
  } else {
    object["rtol"] = integrator.rtol;
    object["atol"] = integrator.atol;
    object["weights"] = integrator.weights;
  }
  object["reset"] = integrator.reset;
  object["projection"] = integrator.projection;
  if (integrator.leak > 0.0) object["leak"] = integrator.leak;
  if (integrator.energy_scaling) object["energy_scaling"] = true;
  if (integrator.baumgarte > 0.0) object["baumgarte"] = integrator.baumgarte;
  if (integrator.lanes != LaneChoice::kAuto) object["lanes"] = to_name(integrator.lanes);
  if (!integrator.plane) object["plane"] = false;
  if (integrator.segments > 0) object["segments"] = integrator.segments;
  return object;
}

Json to_object(const EnergySummary& energy) {
  return {{"initial", energy.initial},
          {"work",
           {{"driven", energy.work.driven},
            {"applied", energy.work.applied},
            {"dissipated", energy.work.dissipated}}},
          {"max_error", energy.max_error},
          {"scale", energy.scale},
          {"max_relative_error", energy.max_relative_error},
          {"conservative", energy.conservative}};
}

Json to_object(const ConstraintSummary& constraint) {
  return {{"position_max", constraint.position_max},
          {"velocity_max", constraint.velocity_max},
          {"velocity_max_near_singular", constraint.velocity_max_near_singular},
          {"greatest_speed", constraint.greatest_speed},
          {"position_max_before", constraint.position_max_before},
          {"velocity_max_before", constraint.velocity_max_before}};
}

Json versions() {
  return {{"hamiltree", kVersion},
          {"compiler", kCompiler},
          {"build_type", kBuildType},
          {"eigen", kEigenVersion},
          {"sundials", kSundialsVersion}};
}

}  // namespace

std::string to_json(const Summary& summary) {
  Json document{{"format", kFormat}, {"status", summary.status}};
  if (summary.status == "failed") document["error"] = summary.error;
  document["model"] = to_object(summary.model);
  document["formulation"] = summary.formulation;
  if (!summary.formulation_reason.empty())
    document["formulation_reason"] = summary.formulation_reason;
  document["integrator"] = to_object(summary.integrator);
  document["plan"] = summary.plan;
  document["until"] = summary.until;
  document["reached"] = summary.reached;
  document["steps"] = summary.steps;
  document["rejected_steps"] = summary.rejected_steps;
  document["restarts"] = summary.restarts;
  document["rate_evaluations"] = summary.rate_evaluations;
  document["velocity_solves"] = summary.velocity_solves;
  document["wall_seconds"] = summary.wall_seconds;
  document["energy"] = to_object(summary.energy);
  document["constraint"] = to_object(summary.constraint);
  Json events = Json::array();
  for (const auto& event : summary.events) events.push_back({{"name", event.name}, {"t", event.t}});
  document["events"] = events;
  if (!summary.stopped_by.empty()) document["stopped_by"] = summary.stopped_by;
  document["failed_gates"] = summary.failed_gates;
  document["notes"] = summary.notes;
  document["versions"] = versions();
  // A name from a file may hold bytes that are no UTF-8: replaced rather than refused.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace hamiltree
