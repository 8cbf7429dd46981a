// One motion of a chain, integrated by many formulations, segmentations and tolerances.
#pragma once

#include <string>
#include <vector>

#include "studies/precision/trajectory.hpp"
#include "studies/study.hpp"

namespace hamiltree::studies::round_off {

struct MotionCase {
  std::string name;  // "released, 64 bodies"
  RevoluteState pins;
  double duration = 0.0;  // s
  std::vector<int> segments;
};

struct SweptRun {
  std::string formulation;
  int segment = 0;  // 0: the plain chain
  double tolerance = 0.0;
  Trajectory found;
  EndError error;  // of runs that have not failed

  // Solves of the whole system: full rates, and velocities for projection and reset.
  long solves() const { return found.rate_evaluations + found.velocity_solves; }
};

struct Sweep {
  MotionCase motion;
  double own_error = 0.0;  // of the reference, from its last tolerance but one
  std::vector<SweptRun> runs;

  const SweptRun& at(const std::string& formulation, int segment, double tolerance) const;
  std::string file() const;  // "released_64_bodies"
};

// Tolerances of dormand_prince, coarse to fine.
std::vector<double> swept_tolerances(bool quick);

std::vector<Sweep> compute_sweeps(const StudyOptions& options);

}  // namespace hamiltree::studies::round_off
