// BranchChart: one branch of motion through a singular pose as a smooth function of as many
// parameters s as it has dimensions: polynomials through poses on all sides of the singular one,
// where equations have a small divisor and the chart has none.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "hamiltree/simulation/branches/reduced_loops.hpp"

namespace hamiltree::branches {

// In units of the mechanism's length: where a motion through a singular pose is handed over to
// redundant coordinates, and how far its chart reaches; less where a branch bends sharply.
inline constexpr double kHandover = 0.05;
inline constexpr double kReachPerHandover = 1.3;
inline constexpr double kReach = kReachPerHandover * kHandover;
// Of the length: gaps of loops that are closed.
inline constexpr double kOnLoops = 1e-12;

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
  // Displacements x on the branch with T^T x = s for each s; nothing: the loops do not close there.
  using Sampler = std::function<std::optional<std::vector<Eigen::VectorXd>>(
      const std::vector<Eigen::VectorXd>&)>;
  // For |s| <= radius (m), around the home of the block, along the directions T of its displacement
  // (orthonormal columns); a fault where its loops are open.
  static std::variant<BranchChart, ChartFault> make(LoopBlock& block,
                                                    const Eigen::MatrixXd& tangent, double radius,
                                                    const Sampler& sample);
  // The same for kReach units (m), or as far as it can be made: short bars bend within less than
  // others.
  static std::variant<BranchChart, ChartFault> make_widest(LoopBlock& block,
                                                           const Eigen::MatrixXd& tangent,
                                                           double unit, const Sampler& sample);

  int dimension() const { return static_cast<int>(tangent_.cols()); }
  double radius() const { return radius_; }
  const Eigen::MatrixXd& tangent() const { return tangent_; }
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
  BranchChart(Eigen::MatrixXd tangent, double radius);
  // Polynomials through displacements at samples s.
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

// Points of a branch along the tangent space T of x, orthonormal columns; `loops` outlives it.
BranchChart::Sampler sampler(const ReducedLoops& loops, const Eigen::MatrixXd& tangent);

}  // namespace hamiltree::branches
