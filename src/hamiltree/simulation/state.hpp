// State: what an integrator owns. Coordinates and momenta of the tree joints at a time.
#pragma once

#include <Eigen/Core>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

struct State {
  double t = 0.0;  // s
  Eigen::VectorXd q, p;

  StateView view() const { return {t, q.data(), p.data()}; }
};

// Between the two ways to say how a state moves: momenta of a motion without impulses in the loops,
// and joint velocities. Throw UsageError for sizes that are not the model's, for numbers that are
// not finite, for quaternions without length, and for momenta that no finite velocities have.
Eigen::VectorXd momenta_of(const Model& model, double t, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& v);
Eigen::VectorXd velocities_of(const Model& model, const State& state);

}  // namespace hamiltree
