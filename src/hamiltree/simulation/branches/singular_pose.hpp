// Singular poses: where the loops of a block lose rank, and the branches of motion that meet there.
// A pose is regular if and only if the reduced loops vanish identically near it: that needs no
// guess at a rank, and does not mistake a Bennett linkage or a door for singular.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "hamiltree/simulation/branches/branch_chart.hpp"
#include "hamiltree/simulation/branches/loop_block.hpp"

namespace hamiltree::branches {

// Displacements, of the length, from the pose that is reached, and from a branch that it is on.
inline constexpr double kAtPose = 1e-7;
inline constexpr double kOnChart = 1e-6;

// Singular values below it, of the largest, are those of rows that others imply in any pose.
inline constexpr double kStructural = 1e-7;
// Rows of a block in which a singular pose can be found, and all motions through it.
inline constexpr std::size_t kMostRows = 120, kMostSearchedRows = 40;

// A smooth motion through the pose, of at most three dimensions. Its chart is dear, and is made
// where it is asked for.
struct Branch {
  Eigen::MatrixXd along;    // its tangent space in directions of the kernel, orthonormal columns
  Eigen::MatrixXd tangent;  // the same in displacements of the block
  std::unique_ptr<BranchChart> chart;
  std::optional<ChartFault> fault;  // why it has none; nothing: it was not asked for, or is there

  int dimension() const { return static_cast<int>(tangent.cols()); }
};

struct SingularPose {
  LoopBlock::Home home;    // of the block's displacements
  Eigen::MatrixXd kernel;  // directions that J admits, displacements of the block
  std::vector<Branch> branches;
  bool is_searched = false;        // there are not too many directions and rows for it
  bool is_decided = false;         // they are all motions that there are
  std::vector<ChartFault> faults;  // of branches that were left out for want of a chart
};

// Rows of a block that others imply but for little, as the numbers of a file are rounded: wherever
// the others allow it to be near home, they are open by less than a thousandth of the links.
struct RoundedRows {
  int firm = 0;              // the rank without them
  std::vector<double> weak;  // their singular values, of the largest
  double gap = 0.0;          // m, the largest seen within kHandover; 0: there are no such rows
};
RoundedRows rounded_rows(LoopBlock& block);  // around the block's home, which is on the loops

// The singular pose at q or near it, with q on the loops; none where the pose is regular or where
// there is too much in the block to be looked at. Moves the block's home.
std::optional<SingularPose> singular_pose(LoopBlock& block, double t, const Eigen::VectorXd& q);

// The same beside the block's home, which is not at it, with no branch but that which the home is
// on, if it is found: what a motion that comes by needs, for a hundredth of the time.
std::optional<SingularPose> singular_pose_beside(LoopBlock& block);

// The branch's chart; null: it has none. The block's home is at the pose.
const BranchChart* chart_of(LoopBlock& block, const SingularPose& pose, Branch& branch);
// All charts. Branches without one are left out, and not all motions are known then. Charts that
// are there stay where they are.
void make_charts(LoopBlock& block, SingularPose& pose);
// A displacement is on the branch, or so near that only its chart can tell.
bool may_be_on(LoopBlock& block, const SingularPose& pose, const Branch& branch,
               const Eigen::VectorXd& displacement);

// How far this rate of a displacement is off all motions through the pose, by their second order: 0
// to about 1. The block's home is at the pose.
double off_motions(LoopBlock& block, const SingularPose& pose, const Eigen::VectorXd& x_rate);

}  // namespace hamiltree::branches
