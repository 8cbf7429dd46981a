// The initial state of a Model: what its joints prescribe, the rest solved so that all loops close.
#pragma once

#include <Eigen/Core>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

struct InitialState {
  Eigen::VectorXd q, v, p;
};

// Coordinates with `initial_q` are held; the others start from `guess_q` (or zero) and move by
// Gauss-Newton steps of least length until the loops close. Velocities with `initial_v` are held;
// of all velocities that keep the loops closed the smallest is taken. Angles and lengths are made
// comparable by the mechanism's length.
// Throws ModelError naming the joint whose loop cannot close, with the gap that remains.
InitialState initial_state(const Model& model);

}  // namespace hamiltree
