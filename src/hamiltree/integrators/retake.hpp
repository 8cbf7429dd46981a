// Steps that the problem refuses are taken again, shorter. Some of them pass: a step that jumps
// over a singular pose, or rates that lose their digits only beside one.
#pragma once

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree {

inline constexpr int kMostRetakes = 10;         // in a row
inline constexpr double kShorterRetake = 0.25;  // each, of the one before

struct Refused {
  std::string why;    // OdeProblem::refusal() of the step
  double size = 0.0;  // s
};

// The end of a run that no retake helps, at t (s), where the step began, by the last step that was
// refused: the next one may have failed in another way.
inline SimulationError refused_step(double t, const Refused& last) {
  return {t, last.why + ", also in steps down to " + to_short(last.size) + " s"};
}

}  // namespace hamiltree
