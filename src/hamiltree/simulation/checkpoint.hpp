// Checkpoint: all that the rest of a run depends on. A run that goes on from it, and the run that
// made it, which restarts its integrator there, are the same bit for bit.
#pragma once

#include <string>

#include "hamiltree/simulation/diagnostics.hpp"
#include "hamiltree/simulation/options.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree {

// When a run gives output and makes checkpoints: at multiples, which carry no accumulated rounding.
struct Schedule {
  double start = 0.0, every = 0.0, until = 0.0;  // s
  double checkpoint_every = 0.0;                 // s; 0: never
  long next_output = 0;
  long next_checkpoint = 0;  // the first is made at the start
  bool every_step = false;   // output after every accepted step too

  // `until` for the last output, which is not followed by one a rounding error later.
  double output_time() const;
  bool is_last_output() const { return output_time() >= until; }
  // An output's, if they are a rounding error apart; infinite if there are none.
  double checkpoint_time() const;
};

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
