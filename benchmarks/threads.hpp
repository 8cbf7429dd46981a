// Two threads, each with a Workspace of its own over one Model, on two cores.
#pragma once

#include <string>
#include <vector>

namespace hamiltree::benchmarks {

struct ThreadsResult {
  std::string what;
  std::string formulation;
  int bodies = 0;
  double one = 0.0, two = 0.0;  // evaluations per second and wall clock, all threads together

  double speed_up() const { return two / one; }
};

// Empty where there is one core only.
std::vector<ThreadsResult> measure_threads(bool quick);

}  // namespace hamiltree::benchmarks
