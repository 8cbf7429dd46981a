// Diagnostics: what is watched over all accepted steps of a run: energies, residuals, singular
// poses, and how often things were done.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Energies of a run so far, J; W is the work done from outside.
struct EnergyWatch {
  double weight = 0.0;   // of all bodies lifted by the mechanism's length
  double turning = 0.0;  // where they have no weight: of all bodies turning at 1 rad/s
  double initial = 0.0;
  double error = 0.0;  // max |E - E0 - W|
  double peak_kinetic = 0.0;
  double lowest_potential = 0.0, highest_potential = 0.0;
  double most_work = 0.0;  // driven, applied or dissipated

  void start(double kinetic, double potential) {
    initial = kinetic + potential;
    lowest_potential = highest_potential = potential;
    peak_kinetic = kinetic;
  }
  void add(double kinetic, double potential, const Power& work) {
    const double off = std::abs(kinetic + potential - initial - total(work));
    if (!(off <= error)) error = off;  // keeps a NaN
    peak_kinetic = std::max(peak_kinetic, kinetic);
    lowest_potential = std::min(lowest_potential, potential);
    highest_potential = std::max(highest_potential, potential);
    most_work = std::max(
        {most_work, std::abs(work.driven), std::abs(work.applied), std::abs(work.dissipated)});
  }
  // The scale of the error: the energy that moves, or at rest a small part of what is there, or of
  // what might be.
  double scale() const {
    return std::max({peak_kinetic, highest_potential - lowest_potential, most_work,
                     kAtRest * std::max(there(), turning)});
  }
  double relative_error() const { return relative(error); }
  // The part of an error, J, beyond the rounding of the energies that are there, by the scale.
  double relative(double off) const { return relative(off, scale()); }
  double relative(double off, double by) const {
    const double beyond = off - kRounding * there();
    return beyond <= 0.0 ? 0.0 : beyond / by;
  }

 private:
  static constexpr double kAtRest = 1e-9, kRounding = 1e-14;
  double there() const {
    return std::max(
        {std::abs(lowest_potential), std::abs(highest_potential), weight, peak_kinetic});
  }
};

// |E - E0 - W| of every sample of a run, relative as above. `scale`: J, that of the whole run.
std::vector<double> relative_energy_errors(const std::vector<Sample>& samples, double scale);

// Poses near singular ones at a joint, over the run.
struct NearSingular {
  std::string joint;
  int passages = 0;
  bool now = false;
  double since = 0.0;  // s, when the last passage began
  double first = 0.0,
         last = 0.0;     // s, when the first began, and the last ended or is seen to go on
  double longest = 0.0;  // s
};

struct Diagnostics {
  EnergyWatch energy;
  double kinetic = 0.0, potential = 0.0;  // J, at the last accepted step
  double position_residual = 0.0, velocity_residual = 0.0;
  ConstraintSummary constraint;
  std::vector<NearSingular> near_singular_joints;  // as they were met
  std::string left_open;  // the loop that rows that contradict each other leave open; or empty
  std::vector<std::string> notes;
  std::vector<EventRecord> events;
  long rate_evaluations = 0, velocity_solves = 0;
  long refused_steps = 0;                      // by StepGuard, and taken again
  long unscaled_steps = 0;                     // with energy scaling, but too near rest
  long branch_passages = 0, branch_steps = 0;  // along branches through singular poses
  std::vector<MethodChange> method_changes;    // by auto
  IntegratorCounts counts;                     // before the present integrator
  double wall_seconds = 0.0;

  // The joints at which the pose is near-singular at t.
  void near_singular(double t, const std::vector<std::string>& joints);
  void note_once(const std::string& note);
  // The notes, with those on near-singular joints and on what was counted.
  // `contradiction`: of what is left open, as of notes.hpp.
  std::vector<std::string> all_notes(const std::string& contradiction) const;
};

}  // namespace hamiltree
