// The parts of the study: each writes its tables and figures and returns what the judgements rest
// on.
#pragma once

#include <string>
#include <vector>

#include "studies/naudet2003/linear.hpp"
#include "studies/study.hpp"

namespace hamiltree::naudet2003 {

// Counts of chains without loads; `needed` are the operations after folding.
struct CountFindings {
  Linear dh_frames, dh_frames_gravity, dh_frames_wrench;          // needed, frames anywhere
  Linear recursive_general, recursive_normal, recursive_aligned;  // needed
  Linear recursive_run;                                           // executed, frames anywhere
  Linear aba_general;                                             // needed
  Linear aba_gravity, recursive_gravity;                          // needed, with gravity
  Linear recursive_depth, aba_depth;                              // frames anywhere
  int largest_n = 0;
};
CountFindings operations_section(const studies::StudyOptions& options, Document& document);

// Evaluations at equal error of the last pose, momenta to accelerations, over the chains.
struct WorkRatio {
  std::string method;
  double mean = 0.0, lowest = 0.0, highest = 0.0;
};

// Momenta to accelerations, geometric means over chains, methods and tolerances; below 1 momenta
// are better.
struct IntegrationFindings {
  int pairs = 0;                   // of runs
  double evaluations_ratio = 0.0;  // at equal tolerance, as the next three
  double energy_ratio = 0.0;       // of the energy errors
  double position_ratio = 0.0;     // of the errors of the last pose
  double time_ratio = 0.0;         // wall time of runs
  std::vector<WorkRatio> work;
};
IntegrationFindings integration_section(const studies::StudyOptions& options, Document& document);

}  // namespace hamiltree::naudet2003
