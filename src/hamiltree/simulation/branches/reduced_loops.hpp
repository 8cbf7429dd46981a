// ReducedLoops: the loops of a block near a pose, reduced to the directions x that the rank of J
// at the pose leaves free. Rows that the rank supports are solved for; phi, all others as functions
// of x, vanishes near a regular pose, and at a singular one its zeros are the motions through it.
//
//   x_block = N x + V y(x)     U^T Phi = 0     phi(x) = U0^T Phi
//
// N spans ker J, V its complement, U the range of J, U0 what is orthogonal to it.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/simulation/branches/loop_block.hpp"

namespace hamiltree::branches {

class ReducedLoops {
 public:
  // Around the block's home. Throws nothing; rank: that of J taken for granted.
  ReducedLoops(LoopBlock& block, int rank);

  int free() const { return static_cast<int>(N_.cols()); }
  int left() const { return static_cast<int>(U0_.cols()); }
  const Eigen::MatrixXd& kernel() const { return N_; }  // N
  double length() const { return block_.length(); }     // m, of the mechanism

  struct Point {
    Eigen::VectorXd displacement;  // of the block
    Eigen::VectorXd dependent;     // y
    Eigen::VectorXd phi;           // m
    Eigen::MatrixXd phi_x;         // its derivative
    double gap = 0.0;              // U^T Phi that Newton's method leaves, m
  };
  // `near`: the point at another x not far away.
  Point point(const Eigen::VectorXd& x, const Point* near = nullptr) const;

  // Second order: symmetric matrices A with phi_j = x^T A_j x / 2 to second order, times the
  // length.
  std::vector<Eigen::MatrixXd> forms() const;

 private:
  LoopBlock& block_;
  Eigen::MatrixXd N_, V_, U_, U0_;
};

// Singular values of J, relative to the largest; m of them, also where there are fewer columns.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& J);

}  // namespace hamiltree::branches
