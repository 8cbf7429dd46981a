// Chains in motion: the plain one in (q, p) and in (q, v), and the same cut into floating segments.
#pragma once

#include <Eigen/Core>
#include <string>

#include "studies/precision/chain.hpp"

namespace hamiltree::studies::round_off {

struct TrajectoryCase {
  ChainOptions chain;
  RevoluteState pins;  // at the start
  std::string formulation = "hdca";
  double tolerance = 1e-9;  // of dormand_prince, relative and absolute
  double duration = 1.0;    // s
};

struct Trajectory {
  std::string failure;          // why the run ended early, or empty
  Eigen::VectorXd rates;        // of all pins at the end, rad/s
  Eigen::MatrixXd positions;    // of the rods' inboard ends at the end, m, one column each
  double energy_error = 0.0;    // relative, the largest on the way
  double position_drift = 0.0;  // m: the largest gap of a loop after a step
  double gap_before = 0.0;      // m: the same before the projection
  double velocity_drift = 0.0;  // m/s
  long steps = 0, rate_evaluations = 0, velocity_solves = 0;
  double wall_seconds = 0.0;

  bool failed() const { return !failure.empty(); }
};

// With momentum reset and projection after every step. What a failed run did not reach is empty.
Trajectory integrate(const TrajectoryCase& given);

// How far two trajectories of the same chain end from each other.
struct EndError {
  double rates = 0.0;     // relative, 2-norm
  double position = 0.0;  // m, the largest of all rods
};
EndError end_error(const Trajectory& found, const Trajectory& exact);

}  // namespace hamiltree::studies::round_off
