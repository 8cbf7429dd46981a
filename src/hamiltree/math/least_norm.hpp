// LeastNorm: the shortest of the least-squares solutions of A x = b, for matrices whose rows, as
// those of loops, each meet few of many columns.
#pragma once

#include <Eigen/SparseCore>

namespace hamiltree {

class LeastNorm {
 public:
  // Singular values, or pivots, of A below `rank_tolerance` of the largest count as zero.
  Eigen::VectorXd solution(const Eigen::SparseMatrix<double>& A, const Eigen::VectorXd& b,
                           double rank_tolerance);

  // Whether A has singular values, or pivots, between `lower` and `upper` of the largest. Of many
  // columns those near `upper` may be missed.
  bool has_weak_rows(const Eigen::SparseMatrix<double>& A, double lower, double upper);

  double work() const { return work_; }  // about the multiplications of all solutions so far

 private:
  double work_ = 0.0;
};

}  // namespace hamiltree
