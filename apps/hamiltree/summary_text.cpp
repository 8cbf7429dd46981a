#include "summary_text.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/text.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

constexpr std::size_t kMostEvents = 12;  // what follows is to stay in sight

std::string model_line(const ModelSummary& model) {
  return model.name + ": " + model.space + ", " + counted(model.bodies, "body", "bodies") + ", " +
         counted(model.joints, "joint") + ", " + counted(model.loops, "loop");
}

std::string freedom_line(const ModelSummary& model) {
  auto degrees = counted(model.degrees_of_freedom, "degree of freedom", "degrees of freedom");
  if (model.loops == 0) return degrees;
  return degrees + ", " + counted(model.redundant_constraints, "redundant constraint");
}

// The choices of auto: " (dormand_prince -> bdf at 0.01 s)".
std::string methods_text(const IntegratorSummary& integrator) {
  if (integrator.name != to_name(Auto{})) return {};
  constexpr std::size_t kMostShown = 4;
  std::string text = std::string(" (") + to_name(DormandPrince{});
  const auto& changes = integrator.changes;
  for (std::size_t i = 0; i < std::min(changes.size(), kMostShown); ++i)
    text += " -> " + changes[i].to + " at " + to_short(changes[i].t) + " s";
  if (changes.size() > kMostShown) text += " ..., " + std::to_string(changes.size()) + " changes";
  return text + ")";
}

std::string integrator_line(const IntegratorSummary& integrator, bool has_loops) {
  const auto on = [](bool is_on) { return is_on ? "on" : "off"; };
  std::string line = integrator.name + methods_text(integrator);
  if (integrator.step > 0.0) {
    line += ", step " + to_short(integrator.step) + " s";
  } else {
    line += ", rtol " + to_short(integrator.rtol) + ", atol " + to_short(integrator.atol) +
            ", weights " + integrator.weights;
  }
  if (has_loops) {
    line += std::string("; reset ") + on(integrator.reset) + ", projection " +
            on(integrator.projection);
    if (integrator.leak > 0.0) line += ", leak " + to_short(integrator.leak) + "/s";
  }
  if (integrator.energy_scaling) line += "; energy scaling on";
  if (integrator.segments > 0)
    line += "; segments of " + counted(integrator.segments, "body", "bodies");
  return line;
}

std::string steps_line(const Summary& s) {
  std::string line = std::to_string(s.steps);
  if (s.rejected_steps > 0) line += " and " + std::to_string(s.rejected_steps) + " rejected";
  if (s.restarts > 0) line += ", " + counted(s.restarts, "restart");
  return line + "; " + counted(s.rate_evaluations, "rate evaluation") + ", " +
         counted(s.velocity_solves, "velocity solve");
}

std::string energy_line(const EnergySummary& energy) {
  std::string line = "initial " + to_short(energy.initial) + " J, ";
  if (!energy.conservative) {
    const auto& work = energy.work;
    line += "work of drives " + to_short(work.driven) + " J, of forces " + to_short(work.applied) +
            " J, dissipated " + to_short(0.0 - work.dissipated) + " J, ";
  }
  return line + "largest relative error " + to_short(energy.max_relative_error);
}

}  // namespace

std::string summary_text(const Summary& s) {
  Table table;
  table.add({"model", model_line(s.model)});
  table.add({"freedom", freedom_line(s.model)});
  table.add({"formulation", s.formulation_reason.empty()
                                ? s.formulation
                                : s.formulation + ", by auto: " + s.formulation_reason});
  table.add({"plan", s.plan});
  const bool has_loops = s.model.loops > 0 || s.integrator.segments > 0;
  table.add({"integrator", integrator_line(s.integrator, has_loops)});
  table.add({"time", to_short(s.reached) + " s of " + to_short(s.until) + " s simulated in " +
                         to_duration(s.wall_seconds)});
  table.add({"steps", steps_line(s)});
  table.add({"energy", energy_line(s.energy)});
  if (has_loops) {
    const auto& c = s.constraint;
    table.add({s.model.loops > 0 ? "loops open by" : "segments apart by",
               "at most " + to_short(c.position_max) + " m, before projection " +
                   to_short(c.position_max_before) + " m"});
    table.add({"", "at most " + to_short(c.velocity_max) + " m/s, before projection " +
                       to_short(c.velocity_max_before) + " m/s"});
    if (c.velocity_max_near_singular > 0.0) {
      table.add(
          {"", "at most " + to_short(c.velocity_max_near_singular) + " m/s near singular poses"});
    }
  }
  for (std::size_t i = 0; i < std::min(s.events.size(), kMostEvents); ++i)
    table.add({"event", s.events[i].name + " at t = " + to_text(s.events[i].t) + " s"});
  if (s.events.size() > kMostEvents) {
    table.add({"", std::to_string(s.events.size() - kMostEvents) + " more: all " +
                       std::to_string(s.events.size()) + " are in summary.json and in --json"});
  }
  if (!s.stopped_by.empty()) table.add({"stopped by", s.stopped_by});
  for (const auto& gate : s.failed_gates) table.add({"gate failed", gate});
  for (const auto& note : s.notes) table.add({"note", note});
  if (s.status != "completed") table.add({"status", s.status});
  return table.text();
}

}  // namespace hamiltree::app
