#include "hamiltree/math/minimum_within.hpp"

#include <algorithm>
#include <vector>

#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kBoundRounding = 1e-12;  // of vectors of the same size
constexpr double kBoundRank = 1e-12;
constexpr Eigen::Index kMostChanges = 4;  // of what is held, for each bound

// From where the slope is -rest, to the minimum among the z that keep A z.
VectorXd step_along(const MatrixXd& A, const MatrixXd& H, const VectorXd& rest) {
  if (A.rows() == 0) return positive_definite_solution(H, rest);
  const MatrixXd N = singular_value_decomposition(A).V.rightCols(A.cols() - A.rows());
  return N * positive_definite_solution(N.transpose() * H * N, N.transpose() * rest);
}

// The bound that is met first along a step, and after which share of it; no bound: -1, and all.
struct Met {
  int bound = -1;
  double share = 1.0;
};
Met first_met(const MatrixXd& G, const VectorXd& room, const VectorXd& z, const VectorXd& step,
              const std::vector<int>& held) {
  Met met;
  for (int i = 0; i < static_cast<int>(G.rows()); ++i) {
    if (std::ranges::find(held, i) != held.end()) continue;
    const double towards = G.row(i).dot(step);
    if (!(towards > kBoundRounding * G.row(i).norm() * step.norm())) continue;
    const double share = std::max(0.0, room(i) - G.row(i).dot(z)) / towards;
    if (share < met.share) met = {i, share};
  }
  return met;
}

}  // namespace

// By an active set [Nocedal2006, sect. 16.5]: bounds that are met are held, and let go where they
// would have to pull,  A^T pushes = c - H z  with A the rows of those held.
VectorXd minimum_within(const MatrixXd& H, const VectorXd& c, const MatrixXd& G,
                        const VectorXd& room) {
  VectorXd z = VectorXd::Zero(c.size());
  std::vector<int> held;
  for (Eigen::Index change = 0; change <= kMostChanges * G.rows(); ++change) {
    const MatrixXd A = G(held, Eigen::all);
    const VectorXd step = step_along(A, H, c - H * z);
    const auto met = first_met(G, room, z, step, held);
    z += met.share * step;
    if (met.bound >= 0) {
      held.push_back(met.bound);
      continue;
    }
    if (held.empty()) break;
    const VectorXd pushes = least_norm_solution(A.transpose(), c - H * z, kBoundRank);
    Eigen::Index pulling = 0;
    if (pushes.minCoeff(&pulling) >= -kBoundRounding * c.norm()) break;
    held.erase(held.begin() + pulling);
  }
  return z;
}

}  // namespace hamiltree
