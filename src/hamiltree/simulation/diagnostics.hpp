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

// Energies of a run so far; W is the work done from outside.
struct EnergyWatch {
  double initial = 0.0;
  double error = 0.0;  // max |E - E0 - W|
  double peak_kinetic = 0.0;
  double lowest_potential = 0.0, highest_potential = 0.0;

  void start(double kinetic, double potential) {
    initial = kinetic + potential;
    lowest_potential = highest_potential = potential;
    peak_kinetic = kinetic;
  }
  void add(double kinetic, double potential, double work) {
    const double off = std::abs(kinetic + potential - initial - work);
    if (!(off <= error)) error = off;  // keeps a NaN
    peak_kinetic = std::max(peak_kinetic, kinetic);
    lowest_potential = std::min(lowest_potential, potential);
    highest_potential = std::max(highest_potential, potential);
  }
  // What the error is compared with: the energy that moves.
  double scale() const { return std::max(peak_kinetic, highest_potential - lowest_potential); }
  double relative_error() const { return scale() > 0.0 ? error / scale() : 0.0; }
};

// A passage near a singular pose that has not ended yet.
struct Passage {
  std::string joint;
  double start = 0.0;  // s
};

struct Diagnostics {
  EnergyWatch energy;
  double kinetic = 0.0, potential = 0.0;  // J, at the last accepted step
  double position_residual = 0.0, velocity_residual = 0.0;
  ConstraintSummary constraint;
  std::vector<Passage> passages;
  std::size_t passage_count = 0;
  std::vector<std::string> notes;
  std::vector<EventRecord> events;
  long rate_evaluations = 0, velocity_solves = 0;
  long unscaled_steps = 0;                     // with energy scaling, but too near rest
  long branch_passages = 0, branch_steps = 0;  // along branches through singular poses
  IntegratorCounts counts;                     // before the present integrator
  double wall_seconds = 0.0;

  // The joints at which the pose is near-singular at t; one note for each passage, when it ends.
  void near_singular(double t, const std::vector<std::string>& joints);
  // The notes, with those on passages that have not ended at t and on what was counted.
  std::vector<std::string> all_notes(double t) const;

 private:
  void end(const Passage& passage, double t);
};

}  // namespace hamiltree
