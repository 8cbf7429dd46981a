// KnownMotion: states whose motion is known better than the rows of the loops tell it.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

class KnownMotion {
 public:
  virtual ~KnownMotion() = default;

  // The velocities of all joints; null where nothing is known of the state.
  virtual const Eigen::VectorXd* velocities(double t, const double* y) const = 0;
  // Where these are known: the power that is fed in from outside, and the reactions of all joints,
  // in the model's order.
  virtual Power power(double t, const double* y) = 0;
  virtual std::vector<Reaction> reactions(double t, const double* y) = 0;
};

}  // namespace hamiltree
