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

}  // namespace hamiltree
