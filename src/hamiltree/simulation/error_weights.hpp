// ErrorWeights: how adaptive methods weigh the errors of y = (q, p, work) of MechanismOde.
#pragma once

#include <Eigen/Core>

#include "hamiltree/integrators/method.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree {

class ErrorWeights {
 public:
  // `as_velocities`: errors of momenta count as those of velocities.
  ErrorWeights(const Model& model, bool as_velocities);

  // Entries of the second half of y as inertias times velocities.
  void set_inertias(const Eigen::VectorXd& inertias);

  // Weights of `size` entries; `kinetic`, J, at the last step.
  void find(const Tolerances& tolerances, double kinetic, const double* y, int size,
            double* weights) const;

 private:
  int velocities_;
  bool as_velocities_;
  Eigen::VectorXd largest_;  // by coordinate, what its size is taken as at most
  Eigen::VectorXd inertias_, inertia_roots_;
};

}  // namespace hamiltree
