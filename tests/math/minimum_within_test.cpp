// Minima between bounds against those of all sets of bounds that could be met.
#include "hamiltree/math/minimum_within.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <random>

#include "hamiltree/base/random.hpp"
#include "hamiltree/math/dense_solvers.hpp"

namespace hamiltree {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd entries_between_ones(Eigen::Index rows, Eigen::Index columns, std::mt19937_64& random) {
  MatrixXd A(rows, columns);
  for (auto& entry : A.reshaped()) entry = about_zero(random);
  return A;
}

double value_of(const MatrixXd& H, const VectorXd& c, const VectorXd& z) {
  return z.dot(H * z) / 2.0 - c.dot(z);
}

// The least value at a minimum on the bounds of some set, among those within all bounds.
double least_of_all_sets(const MatrixXd& H, const VectorXd& c, const MatrixXd& G,
                         const VectorXd& room) {
  const Eigen::Index n = H.rows();
  double least = std::numeric_limits<double>::infinity();
  for (unsigned set = 0; set < (1U << G.rows()); ++set) {
    std::vector<Eigen::Index> held;
    for (Eigen::Index i = 0; i < G.rows(); ++i) {
      if ((set >> i & 1U) != 0) held.push_back(i);
    }
    const auto k = static_cast<Eigen::Index>(held.size());
    MatrixXd all = MatrixXd::Zero(n + k, n + k);
    VectorXd right(n + k);
    all.topLeftCorner(n, n) = H;
    all.topRightCorner(n, k) = G(held, Eigen::all).transpose();
    all.bottomLeftCorner(k, n) = G(held, Eigen::all);
    right << c, room(held);
    const VectorXd z = least_norm_solution(all, right, 1e-12).head(n);
    if ((G * z - room).maxCoeff() < 1e-9) least = std::min(least, value_of(H, c, z));
  }
  return least;
}

TEST(MinimumWithin, IsThatOfTheBestSetOfBounds) {
  std::mt19937_64 random(20261129);
  double worst = 0.0;
  int met = 0;
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const MatrixXd J = entries_between_ones(3, 4, random);
    const MatrixXd H = J.transpose() * J + 1e-3 * MatrixXd::Identity(4, 4);
    const VectorXd c = entries_between_ones(4, 1, random);
    MatrixXd G = entries_between_ones(6, 4, random);
    VectorXd room = entries_between_ones(6, 1, random).cwiseMax(0.0);  // of half of them nothing
    if (i % 3 == 0) {  // the same bound twice, and the one against it
      G.row(1) = G.row(0);
      G.row(2) = -G.row(0);
      room(1) = room(0);
    }
    const VectorXd z = minimum_within(H, c, G, room);
    EXPECT_LE((G * z - room).maxCoeff(), 1e-12 * (1.0 + z.norm()));
    const double off = std::abs(value_of(H, c, z) - least_of_all_sets(H, c, G, room));
    EXPECT_LT(off, 1e-9);
    worst = std::max(worst, off);
    met += (room - G * z).minCoeff() < 1e-12 ? 1 : 0;
  }
  EXPECT_GT(met, 150);
  std::printf("  %d at bounds, worst %.1e\n", met, worst);
}

TEST(MinimumWithin, WithoutBoundsIsTheSolution) {
  std::mt19937_64 random(20261130);
  const MatrixXd J = entries_between_ones(5, 4, random);
  const MatrixXd H = J.transpose() * J;
  const VectorXd c = entries_between_ones(4, 1, random);
  EXPECT_LT((H * minimum_within(H, c, MatrixXd(0, 4), VectorXd(0)) - c).norm(), 1e-12);
}

}  // namespace
}  // namespace hamiltree
