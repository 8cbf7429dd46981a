// The initial state of a Model: what its joints prescribe, the rest solved so that all loops close.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

struct InitialState {
  Eigen::VectorXd q, v, p;
};

// Coordinates with `initial_q` are held; the others start from `guess_q` (or zero) and move by
// Gauss-Newton steps of least length until the loops close. Velocities with `initial_v` are held;
// of all velocities that keep the loops closed the smallest is taken. Angles and lengths are made
// comparable by the mechanism's length.
// Drives are where they are at time t (s). Throws ModelError naming the joint whose loop cannot
// close, with the gap that remains.
InitialState initial_state(const Model& model, double t = 0.0);

// A loop that stays open where Gauss-Newton, from the given coordinates and guesses, comes closest
// to closing all of them.
struct OpenLoop {
  int joint = 0;       // as described: the one that closes it
  double width = 0.0;  // m, of its gap; angles times the length
  Frame at_child;      // of the joint: with this one the loop is closed there
};
std::vector<OpenLoop> open_loops(const Model& model);

}  // namespace hamiltree
