// Branches: the velocities that joints have in the model file, and whether a motion has them.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/branches/branches.hpp"

namespace hamiltree::branches {
namespace {

constexpr double kMet = 1e-9;  // of the velocities given
constexpr double kSameRate = 1e-12, kStill = 1e-9;

}  // namespace

// What joints of the tree have in the model file, by the number of the velocity in the block.
std::vector<std::pair<int, double>> Branches::given_velocities(const Block& block) const {
  std::vector<std::pair<int, double>> found;
  model_.visit([&](const auto& system) {
    int row = 0;
    for (const int j : block.loops->joints()) {
      const auto& said = model_.mechanism().joints[at(model_.described_joint(j))];
      for (int i = 0; i < system.joint(j).velocities; ++i, ++row) {
        if (said.initial_v) found.emplace_back(row, (*said.initial_v)(i));
      }
    }
  });
  return found;
}

// The velocities along the branch that joints of the block have in the model file, if it has them.
void Branches::meet_given_velocities(const Block& block, const Freedom& freedom,
                                     Choice& choice) const {
  const auto& loops = *block.loops;
  std::vector<int> rows;
  std::vector<double> values;
  for (const auto& [row, value] : given_velocities(block)) {
    rows.push_back(row);
    values.push_back(value);
  }
  if (rows.empty()) return;
  const auto count = static_cast<Eigen::Index>(rows.size()), clocks = freedom.clock.rows();
  Eigen::MatrixXd T(count + clocks, freedom.T.cols());
  // Joints that the branch does not move are moved by rounding only.
  const double least = kStill * freedom.T.cwiseAbs().maxCoeff();
  const Eigen::MatrixXd moved = freedom.T(rows, Eigen::all);
  T << (moved.array().abs() > least).select(moved, 0.0), freedom.clock;
  Eigen::VectorXd wanted = Eigen::VectorXd::Constant(T.rows(), loops.home().clock_rate);
  wanted.head(count) = Eigen::Map<const Eigen::VectorXd>(values.data(), count);
  const Eigen::VectorXd s_rate = least_norm_solution(T, wanted, kSameRate);
  if ((T * s_rate - wanted).norm() > kMet * wanted.norm()) return;
  choice.v(loops.velocities()) = freedom.T * s_rate;
}

// How far velocities are off those that joints of the block have in the model file, 0 where none
// has one; of what joints that close loops are given, off all that these make of the others.
double Branches::missed_of_given(const Block& block, double t, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& v, const Eigen::VectorXd& chosen) {
  const auto& joints = model_.mechanism().joints;
  const bool has_cut = std::ranges::any_of(block.loops->cuts(), [&](int c) {
    return joints[at(model_.described_joint(c))].initial_v.has_value();
  });
  if (has_cut) return distance({&block, nullptr}, t, q, v, chosen);
  const Eigen::VectorXd of_block = chosen(block.loops->velocities());
  double whole = of_block.lpNorm<Eigen::Infinity>(), off = 0.0;
  for (const auto& [row, value] : given_velocities(block)) {
    whole = std::max(whole, std::abs(value));
    off = std::max(off, std::abs(of_block(row) - value));
  }
  return whole > 0.0 ? off / whole : 0.0;
}

}  // namespace hamiltree::branches
