#include "hamiltree/simulation/summary_of.hpp"

#include <optional>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/simulation/notes.hpp"

namespace hamiltree {
namespace {

void describe(const SimulationOptions& options, IntegratorSummary& s) {
  s.name = to_name(options.integrator);
  if (const auto tolerances = tolerances_of(options.integrator)) {
    s.rtol = tolerances->relative;
    s.atol = tolerances->absolute;
    s.weights = options.weights == Weights::kInertia ? "inertia" : "equal";
  }
  s.step = step_of(options.integrator).value_or(0.0);
  s.reset = options.reset;
  s.projection = options.projection;
  s.energy_scaling = options.energy_scaling;
  s.baumgarte = options.baumgarte;
  s.lanes = options.lanes;
  s.plane = options.plane;
  s.segments = options.segments;
}

// NaN fails.
void check_gate(const std::string& what, double value, const std::optional<double>& limit,
                std::vector<std::string>& failed) {
  if (!limit || value <= *limit) return;
  failed.push_back(what + " is " + to_text(value) + ", above " + to_text(*limit));
}

std::vector<std::string> notes_of(const Model& model, const Diagnostics& diagnostics,
                                  const Integrator& integrator, const IntegratorCounts& counts) {
  auto notes = diagnostics.all_notes(contradiction(model));
  if (const auto note = integrator.note(); !note.empty()) notes.push_back(note);
  if (counts.substitutes > 0) {
    notes.push_back(std::to_string(counts.substitutes) +
                    " steps did not converge, near singular poses or where forces are too stiff "
                    "for steps of this length, or left a loop open that only bodies without "
                    "inertia close, and were taken by dormand_prince with projection: those are "
                    "not symplectic");
  }
  return notes;
}

// Methods with tolerances refuse steps that lose far less.
constexpr double kMuchEnergy = 0.01;
std::string lost_energy_note(const Summary& s) {
  const double share = s.energy.max_relative_error;
  if (s.integrator.step == 0.0 || !(share > kMuchEnergy)) return {};
  return "the energy is off by " + to_short(s.energy.max_error) + " J, " + to_short(100.0 * share) +
         " % of what moves: steps of " + to_short(s.integrator.step) +
         " s are too long for this motion";
}

}  // namespace

ModelSummary summary_of(const Model& model, int degrees_of_freedom) {
  ModelSummary s;
  s.name = model.name();
  s.file = model.mechanism().where.file;
  s.space = model.space() == SpaceKind::kPlanar ? "planar" : "spatial";
  s.bodies = model.body_count();
  s.joints = model.joint_count();
  s.loops = model.loop_count();
  s.redundant_constraints = degrees_of_freedom - model.velocity_count() + model.constraint_count();
  s.degrees_of_freedom = degrees_of_freedom;
  s.length = model.visit([](const auto& system) { return system.length; });
  return s;
}

Summary summary_of(const SimulationOptions& options, const Diagnostics& diagnostics,
                   MechanismOde& motion, const Integrator& integrator,
                   const IntegratorCounts& counts) {
  Summary s;
  s.model = summary_of(motion.model(), motion.degrees_of_freedom());
  s.formulation = std::string(motion.formulation().name());
  s.formulation_reason = options.formulation_reason;
  describe(options, s.integrator);
  s.integrator.changes = diagnostics.method_changes;
  s.integrator.leak = motion.leak();
  s.plan = motion.formulation().plan();
  s.reached = integrator.time();
  s.steps = counts.steps;
  s.rejected_steps = counts.rejected;
  s.restarts = counts.restarts;
  s.rate_evaluations = diagnostics.rate_evaluations;
  s.velocity_solves = diagnostics.velocity_solves;
  s.wall_seconds = diagnostics.wall_seconds;
  s.energy.initial = diagnostics.energy.initial;
  s.energy.work = motion.work(integrator.time(), integrator.y());
  s.energy.max_error = diagnostics.energy.error;
  s.energy.scale = diagnostics.energy.scale();
  s.energy.max_relative_error = diagnostics.energy.relative_error();
  s.energy.conservative = motion.integrals() == 0;
  s.constraint = diagnostics.constraint;
  s.events = diagnostics.events;
  check_gate("energy.max_relative_error", s.energy.max_relative_error, options.max_energy_error,
             s.failed_gates);
  check_gate("constraint.position_max", s.constraint.position_max, options.max_constraint_error,
             s.failed_gates);
  s.notes = notes_of(motion.model(), diagnostics, integrator, counts);
  if (const auto note = lost_energy_note(s); !note.empty()) s.notes.push_back(note);
  return s;
}

}  // namespace hamiltree
