// The motion that a block of one freedom is on, or one without any that drives move, followed
// through a singular pose: along polynomials through the poses before it, which lead past the pose
// where Newton's method fails. No other motion through the pose is looked for, so the block may
// have far more loops than a search allows.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>

#include "hamiltree/simulation/branches/branch_chart.hpp"
#include "hamiltree/simulation/branches/loop_block.hpp"

namespace hamiltree::branches {

// Rows of a block that can be followed.
inline constexpr std::size_t kMostFollowedRows = 250;

struct FollowedMotion {
  LoopBlock::Home home;  // of the block's displacements, at the singular pose
  BranchChart chart;
};

// All begin at the block's home, on the loops; x_rate: the rate of its displacement, m/s.

// J admits this rate and no other.
bool moves_one_way(LoopBlock& block, const Eigen::VectorXd& x_rate);
// Ahead; none where no singular pose is within reach, or where there is no chart. Moves the home.
std::optional<FollowedMotion> follow_through_pose(LoopBlock& block, const Eigen::VectorXd& x_rate);
// Both ways from a singular pose, where J admits more.
std::optional<FollowedMotion> follow_from_pose(LoopBlock& block, const Eigen::VectorXd& x_rate);
// The rank of J, if it lacks some and has more where the block is displaced a little.
std::optional<int> doubtful_rank(LoopBlock& block);
// It has more than this rank, too, next to the home on the loops, in about this direction: the pose
// is singular.
bool gains_rank(LoopBlock& block, int rank, const Eigen::VectorXd& direction);

}  // namespace hamiltree::branches
