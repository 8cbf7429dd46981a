// Runs of a chain, and what came of them.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hamiltree/integrators/method.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::naudet2003 {

struct RunResult {
  double evaluations = 0.0;     // of the rates
  double energy_error = 0.0;    // largest over all steps, of the energy that moves
  double position_error = 0.0;  // rad: of the last pose, the largest of all joints
  double wall_seconds = 0.0;    // of the quickest of a few repeats
};

// A chain from one start or several, and where each of them comes to, as exactly as double allows.
struct Chain {
  std::string name;
  double until = 0.0;  // s
  std::vector<Model> starts;
  std::vector<Eigen::VectorXd> exact;
};
Chain make_chain(std::string name, double until, std::vector<Model> starts);

// Geometric means over the starts.
RunResult run_chain(const Chain& chain, const std::string& formulation, const Method& method);

double geometric_mean(const std::vector<double>& values);

}  // namespace hamiltree::naudet2003
