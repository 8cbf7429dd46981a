// How a simulation is to be done.
#pragma once

#include <optional>
#include <string>

#include "hamiltree/formulations/lane_choice.hpp"
#include "hamiltree/integrators/method.hpp"

namespace hamiltree {

// How the errors of momenta are weighed by adaptive methods.
enum class Weights {
  kInertia,  // each by its joint's inertia and the kinetic energy: as errors of velocities
  kEqual,    // 1 / (rtol |p| + atol): far too lax near the root of a chain
};

struct SimulationOptions {
  // A name of formulation_names(), or "auto": Simulation puts in its place the cheapest that keeps
  // the digits (formulations/select.hpp), and the reason.
  std::string formulation = "auto";
  std::string formulation_reason = {};  // of the choice; empty where the formulation was named
  Method integrator = Auto{};
  Weights weights = Weights::kInertia;
  // Keeps the gauge clean, the motion unchanged. One-step methods: a momentum reset after every
  // accepted step, sigma = 0. Multistep methods: the leaky gauge. Formulations in velocity form
  // have no sigma; their velocities are brought onto the loops, mass-orthogonally.
  bool reset = true;
  // Keeps positions on the loops. One-step methods and bdf: one mass-orthogonal Newton step after
  // every accepted step. adams: a restart on the loops when they have opened by
  // kRestartGap tolerances. SPARK methods close their loops themselves.
  bool projection = true;
  // 1/s, of the leaky gauge; none: half of the mechanism's own rate where a multistep method needs
  // one. 0: the natural gauge, in which sigma grows.
  std::optional<double> leak = std::nullopt;
  // After every accepted step momenta are scaled so that the energy is exactly the initial one plus
  // the work done: the smallest change of p in the mass metric. Not for symplectic and multistep
  // methods, velocity form, drives, or mechanisms that float: momenta would not be kept.
  bool energy_scaling = false;
  // Outputs between the steps of adaptive methods are interpolated, to the order of the method, and
  // brought onto the loops, so that output cuts no step short; off: output times are stepped to.
  bool dense_output = true;
  double baumgarte = 0.0;                // 1/s, see FormulationOptions
  LaneChoice lanes = LaneChoice::kAuto;  // see FormulationOptions
  bool plane = true;                     // see FormulationOptions
  int threads = 1;                       // see FormulationOptions
  // Bodies in a floating segment: paths longer than that are cut, so that long chains keep their
  // digits; 0: none. Outputs and states remain those of the model as it is. Not for symplectic
  // methods, velocity form, or without reset. See model/in_segments.hpp.
  int segments = 0;
  // Gates: a run whose energy.max_relative_error or constraint.position_max (m) ends above them has
  // failed them, which its summary says.
  std::optional<double> max_energy_error = std::nullopt;
  std::optional<double> max_constraint_error = std::nullopt;
};

inline constexpr double kRestartGap = 10.0;

}  // namespace hamiltree
