// Singular poses: where the loops of a block lose rank, and the branches of motion that meet there.
// A pose is regular if and only if the reduced loops vanish identically near it: that needs no
// guess at a rank, and does not mistake a Bennett linkage or a door for singular.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <vector>

#include "hamiltree/simulation/branches/branch_chart.hpp"
#include "hamiltree/simulation/branches/loop_block.hpp"

namespace hamiltree::branches {

// In units of the mechanism's length: where a motion through a singular pose is handed over to
// redundant coordinates, and how far its chart reaches; less where a branch bends sharply.
inline constexpr double kHandover = 0.05;
inline constexpr double kReach = kReachPerHandover * kHandover;

// Singular values below it, of the largest, are those of rows that others imply in any pose.
inline constexpr double kStructural = 1e-7;
// Rows of a block that can be looked at.
inline constexpr std::size_t kMostRows = 40;

struct SingularPose {
  double t = 0.0;                     // s
  Eigen::VectorXd q;                  // of the model: home of the block's displacements
  Eigen::MatrixXd kernel;             // directions that J admits, displacements of the block
  std::vector<BranchChart> branches;  // smooth ones, of at most three dimensions
  bool is_searched = false;           // there are not too many directions for it
  bool is_decided = false;            // they are all motions that there are
};

// The singular pose at q or near it, with q on the loops; none where the pose is regular or where
// there is too much in the block to be looked at. Moves the block's home.
std::optional<SingularPose> singular_pose(LoopBlock& block, double t, const Eigen::VectorXd& q);

// How far this rate of a displacement is off all motions through the pose, by their second order: 0
// to about 1. The block's home is at the pose.
double off_motions(LoopBlock& block, const SingularPose& pose, const Eigen::VectorXd& x_rate);

}  // namespace hamiltree::branches
