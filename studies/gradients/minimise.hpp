// Minima of smooth functions by the method of Broyden, Fletcher, Goldfarb and Shanno.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

namespace hamiltree::studies::run_gradients {

// The value at x; sets the gradient.
using Objective = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)>;

struct Minimum {
  Eigen::VectorXd x;
  double value = 0.0;
  int evaluations = 0;          // of value and gradient
  std::vector<double> history;  // the value after each iteration, the start first
};

// At most so many iterations, until one gains less than 1e-12 of the value.
Minimum minimise(const Objective& objective, const Eigen::VectorXd& start, int iterations);

}  // namespace hamiltree::studies::run_gradients
