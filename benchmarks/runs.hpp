// The cost of a run beside its evaluations of rates: integrator, energies of every step, records.
#pragma once

#include <string>
#include <vector>

namespace hamiltree::benchmarks {

struct RunResult {
  std::string what, integrator;
  int bodies = 0;
  double rates_per_step = 0.0;  // those that find the energies of the step included
  double ratio = 0.0;           // time of the run / time of so many rates alone
};

std::vector<RunResult> measure_runs(bool quick);

}  // namespace hamiltree::benchmarks
