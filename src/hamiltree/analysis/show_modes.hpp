// Modes as a recording: each moves for one period about the state of its linearization, at rest but
// for that, with its loops closed; as fast as can be watched, whatever its frequency, and neither
// growing nor dying out.
#pragma once

#include "hamiltree/analysis/linearize.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree::analysis {

struct ModesShown {
  int most = 12;            // modes, by frequency
  double amplitude = 0.15;  // of the joint that moves most: rad, or lengths of the mechanism
};

// `pose`: that of the linearization; it is there again afterwards. An amplitude with which loops
// could not be closed is halved, mode by mode. Throws UsageError for values out of range, and
// SimulationError where loops do not close however little a mode moves.
Recording show_modes(ModelAtPose& pose, const Linearization& linear, const ModesShown& shown = {});

}  // namespace hamiltree::analysis
