// Checkpoint: all that the rest of a run depends on. A run that goes on from it, and the run that
// made it, which restarts its integrator there, are the same bit for bit.
#pragma once

#include <string>

#include "hamiltree/simulation/diagnostics.hpp"
#include "hamiltree/simulation/options.hpp"
#include "hamiltree/simulation/schedule.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree {

struct Checkpoint {
  SimulationOptions options;
  Schedule schedule;
  State state;
  Eigen::VectorXd v;
  Eigen::VectorXd outside_q;  // of joints that are not in the state, whose angles are counted on
  Power work;                 // J, done so far
  Diagnostics diagnostics;
  std::string plan;  // one line
};

}  // namespace hamiltree
