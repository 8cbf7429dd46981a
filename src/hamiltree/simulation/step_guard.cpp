#include "hamiltree/simulation/step_guard.hpp"

#include <algorithm>
#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/simulation/notes.hpp"

namespace hamiltree {
namespace {

// A loop that is open by more after a step is not closed: of the tolerances, and of the length.
constexpr double kMostOpen = 1e3, kLeastOpen = 1e-9;
// Largest changes of the energy, in tolerances: in a step, for Adams methods, which close loops
// once in a while only, in a step too, and on the average of all steps. Measured: 0.6, 42 and 0.01.
constexpr double kMostJump = 1e2, kMostJumpOfAdams = 1e3, kMostDrift = 1.0;
constexpr double kLeastTolerance = 1e-13;  // tolerances that are smaller are not met
constexpr Tolerances kTolerancesOfFixedSteps{1e-6, 1e-6};
constexpr double kStanding = 1e-6;  // of the time that as many steps took before
constexpr int kLongChain = 50;      // bodies

double mass_of(const Model& model) {
  return model.visit([](const auto& system) {
    double mass = 0.0;
    for (const auto& body : system.bodies) mass += body.mass;
    return mass;
  });
}

std::string advice(const Model& model) {
  return std::string(" (") +
         (has_drives(model) ? "let the drive move what the loop leaves free, or " : "") +
         "give numbers more digits, or looser tolerances)";
}

}  // namespace

StepGuard::StepGuard(const Model& model, const SimulationOptions& options)
    : tolerances_(tolerances_of(options.integrator)),
      projects_(options.projection),
      conserves_(options.projection && options.baumgarte == 0.0),
      most_jump_(std::holds_alternative<Adams>(options.integrator) ? kMostJumpOfAdams : kMostJump),
      contradiction_(contradiction(model) + advice(model)),
      is_long_chain_(options.segments == 0 && model.loop_count() == 0 &&
                     model.body_count() >= kLongChain),
      length_(model.visit([](const auto& system) { return system.length; })),
      inertia_(mass_of(model) * length_ * length_),
      longest_(model.body_count()),
      weight_(mass_of(model) *
              model.visit([](const auto& system) { return system.gravity.norm(); }) * length_),
      of_work_(0.0) {
  const bool conserves = model.visit([](const auto& system) { return is_conservative(system); });
  if (tolerances_ && !conserves) of_work_ = std::max(tolerances_->absolute, kLeastTolerance);
}

double StepGuard::most_open() const {
  const auto [relative, absolute] = tolerances_.value_or(kTolerancesOfFixedSteps);
  return std::max(kMostOpen * (relative * length_ + absolute), kLeastOpen * length_);
}

std::string StepGuard::open_loop(double gap, const OpenLoops& loops) const {
  if (!projects_ || gap <= most_open()) return {};
  return loops.widest() + " is open by " + to_short(gap) + " m, and projection cannot close it: " +
         (loops.contradict() ? contradiction_
                             : "steps are too long, or the pose is singular or too near to one");
}

std::string StepGuard::why_energy_changes(const OpenLoops& loops) const {
  if (loops.contradict()) return loops.widest() + " stays open, " + contradiction_;
  return std::string("the rates have lost their digits") +
         (is_long_chain_ ? "; floating segments keep those of long chains" : "");
}

// The change, in J, that one tolerance of the state makes of energies that add up to these.
double StepGuard::tolerance(double kinetic, double potential, double work) const {
  const double relative = std::max(tolerances_->relative, kLeastTolerance);
  const double absolute = std::max(tolerances_->absolute, kLeastTolerance);
  const double by_speed = absolute * std::sqrt(inertia_);
  // At rest: a tolerance of the momentum of all bodies in a chain is felt by the lightest.
  const double at_rest = longest_ * by_speed * longest_ * by_speed;
  return relative * (kinetic + potential + work) + absolute * potential +
         by_speed * std::sqrt(kinetic) + at_rest + of_work_;
}

std::string StepGuard::jump(double step, const Balance& before, const Balance& now,
                            const OpenLoops& loops) const {
  if (!tolerances_ || !conserves_) return {};
  const double jump =
      now.kinetic + now.potential - now.work - before.kinetic - before.potential + before.work;
  const double allowed =
      most_jump_ * tolerance(now.kinetic + before.kinetic,
                             std::abs(now.potential) + std::abs(before.potential) + weight_,
                             std::abs(now.work - before.work));
  if (std::abs(jump) <= allowed) return {};
  return "the energy changes by " + to_short(jump) + " J in a step of " + to_short(step) +
         " s, and nothing does that work: " + why_energy_changes(loops);
}

std::string StepGuard::drift(long steps, const EnergyWatch& energy, double work,
                             const OpenLoops& loops) const {
  if (!tolerances_ || !conserves_) return {};
  // By the energies before and after a step, as of a jump: one that may stand is no drift.
  const double potential =
      std::max(std::abs(energy.lowest_potential), std::abs(energy.highest_potential));
  const double allowed = (most_jump_ + kMostDrift * static_cast<double>(steps)) *
                         tolerance(2.0 * energy.peak_kinetic, 2.0 * potential + weight_, work);
  if (energy.error <= allowed) return {};
  return "the energy has changed by " + to_short(energy.error) + " J in " + std::to_string(steps) +
         " steps, and nothing does that work: " + why_energy_changes(loops);
}

std::string StepGuard::standstill(double now, double before) {
  if (!(now < kStanding * before)) return {};
  return "the steps have become so short that the run stands: the last " +
         std::to_string(kStretch) + " took " + to_short(now) + " s";
}

}  // namespace hamiltree
