// Steps that the problem refuses are taken again, shorter. Some of them pass: a step that jumps
// over a singular pose, or rates that lose their digits only beside one.
#pragma once

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/ode_problem.hpp"

namespace hamiltree {

inline constexpr int kMostRetakes = 10;         // in a row
inline constexpr double kShorterRetake = 0.25;  // each, of the one before

// The end of a run that no retake helps, at t (s), where the step began. `size`: s, of the last
// step that was refused.
inline SimulationError refused_step(double t, double size, const OdeProblem& problem) {
  return {t, problem.refusal() + ", also in steps down to " + to_short(size) + " s"};
}

}  // namespace hamiltree
