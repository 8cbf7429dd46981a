// BranchChart: one branch of motion through a singular pose as a smooth function of as many
// parameters s as it has dimensions: polynomials through poses on all sides of the singular one,
// where equations have a small divisor and the chart has none.
#pragma once

#include <Eigen/Core>
#include <variant>
#include <vector>

#include "hamiltree/simulation/branches/reduced_loops.hpp"

namespace hamiltree::branches {

inline constexpr double kReachPerHandover = 1.3;

// A zero of phi next to the singular pose, at t s + w with w orthogonal to the tangent space T
// (orthonormal columns).
struct PointOnBranch {
  ReducedLoops::Point point;
  Eigen::VectorXd aside;  // w, in coordinates of the complement of T
  double gap = 0.0;       // m: |phi| that remains
};
PointOnBranch point_on(const ReducedLoops& loops, const Eigen::MatrixXd& tangent,
                       const Eigen::VectorXd& s);

// Why a branch has no chart.
enum class ChartFault {
  kOpen,   // the loops do not close wherever it is sampled
  kBends,  // they do, and polynomials do not follow it
};

class BranchChart {
 public:
  // For |s| <= radius (m), around the home of the loops, along the tangent space T of x; a fault
  // where loops are open by more than `closed` (m).
  static std::variant<BranchChart, ChartFault> make(LoopBlock& block, const ReducedLoops& loops,
                                                    const Eigen::MatrixXd& tangent, double radius,
                                                    double closed);

  int dimension() const { return static_cast<int>(tangent_.cols()); }
  double radius() const { return radius_; }
  // How far a motion stays on it.
  double handover() const { return radius_ / kReachPerHandover; }

  // The parameters of a displacement on the branch.
  Eigen::VectorXd parameters(const Eigen::VectorXd& displacement) const {
    return tangent_.transpose() * displacement;
  }
  struct Point {
    Eigen::VectorXd displacement;
    Eigen::MatrixXd rates;      // its derivative with respect to s
    Eigen::VectorXd curvature;  // sum_ij of second derivatives times s_rate_i s_rate_j
  };
  Point point(const Eigen::VectorXd& s, const Eigen::VectorXd& s_rate) const;

 private:
  struct Basis {
    Eigen::VectorXd values, curvature;
    Eigen::MatrixXd slopes;
  };
  // `tangent`: of the block's displacement.
  BranchChart(Eigen::MatrixXd tangent, double radius);
  // Polynomials through displacements at samples s, in units of the radius.
  void fit(const std::vector<Eigen::VectorXd>& samples,
           const std::vector<Eigen::VectorXd>& displacements);
  // m: by how much the loops are open on it, where that was looked at all over it.
  double gap(LoopBlock& block) const;
  Basis basis(const Eigen::VectorXd& s, const Eigen::VectorXd& s_rate) const;

  Eigen::MatrixXd tangent_;  // directions of the block's displacement, orthonormal columns
  double radius_;
  std::vector<std::vector<int>> degrees_;  // of each product of Chebyshev polynomials
  Eigen::MatrixXd coefficients_;           // a column for each product
};

}  // namespace hamiltree::branches
