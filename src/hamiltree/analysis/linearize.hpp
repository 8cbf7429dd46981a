// Linearize: the motions of a Model next to a state, in independent coordinates,
//   xdot = A x + B w      x = (dz, du),   dq = E T dz,   w: efforts at chosen joints
// with u the independent velocities and dz the displacements along them; and its natural
// frequencies, damping ratios and mode shapes. Exact: see formulations/derivatives/.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "hamiltree/analysis/model_at_pose.hpp"

namespace hamiltree::analysis {

struct Linearization {
  double t = 0.0;
  Eigen::VectorXd q, v, v_dot;   // the state, and its accelerations
  std::vector<int> independent;  // of v
  std::vector<std::string> inputs;
  Eigen::MatrixXd A, B;      // (2 m, 2 m), (2 m, inputs)
  Eigen::MatrixXd C_q, C_v;  // dq and dv of x: (coordinates, 2 m), (velocities, 2 m)
};

// At a pose, with these independent velocities u; what drives ask for is added. `inputs`: joints
// with one degree of freedom. Throws UsageError for sizes and joints that do not fit, and
// SimulationError where the accelerations are not finite or not differentiable.
Linearization linearize(ModelAtPose& pose, const Eigen::VectorXd& u,
                        const std::vector<std::string>& inputs = {});

// A pair of conjugate eigenvalues, or a real one.
struct Mode {
  std::complex<double> eigenvalue;  // 1/s, its imaginary part not below 0
  double frequency = 0.0;           // Hz, undamped: |eigenvalue| / 2 pi
  double damping = 0.0;             // ratio: -Re / |eigenvalue|; 0 for an eigenvalue of 0
  Eigen::VectorXcd shape;           // (velocities,): displacements of all joints, the largest 1
};

// By frequency. One of 0, as of a body that floats, is found to about the root of the rounding of
// A.
std::vector<Mode> modes(const Linearization& linear);

}  // namespace hamiltree::analysis
