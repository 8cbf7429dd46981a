#include "hamiltree/simulation/branches/branch_names.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/simulation/branches/branch_dynamics.hpp"

namespace hamiltree::branches {
namespace {

constexpr double kDiffer = 1e-6, kNoVelocity = 1e-9;

// The velocities of the block by the names of its joints, as numbers in it.
std::vector<std::pair<std::string, int>> by_name(const Model& model, const LoopBlock& block) {
  std::vector<std::pair<std::string, int>> names;
  model.visit([&](const auto& system) {
    int k = 0;
    for (const int j : block.joints()) {
      for (int i = 0; i < system.joint(j).velocities; ++i)
        names.emplace_back(model.joint_name(j), k++);
    }
  });
  std::ranges::stable_sort(names, {}, &std::pair<std::string, int>::first);
  return names;
}

// In the order of names; without drives the first one that is not zero is positive.
Eigen::VectorXd velocities(const Model& model, const LoopBlock& block, const Branch& branch) {
  const auto freedom = freedom_at_home(block, branch.tangent);
  Eigen::VectorXd v = freedom.T.col(0);
  const bool is_driven = freedom.clock.rows() > 0;
  v *= is_driven ? block.home().clock_rate / freedom.clock(0, 0) : 1.0 / v.cwiseAbs().maxCoeff();
  Eigen::VectorXd sorted(v.size());
  Eigen::Index next = 0;
  for (const auto& [name, k] : by_name(model, block)) sorted(next++) = v(k);
  for (const double first : sorted) {
    if (std::abs(first) < kDiffer) continue;
    if (first < 0.0 && !is_driven) sorted = -sorted;
    break;
  }
  return sorted;
}

// Numbers that tell branches of one dimension apart.
Eigen::VectorXd marks(const Model& model, const LoopBlock& block, const Branch& branch) {
  if (branch.dimension() == 1) return velocities(model, block, branch);
  const Eigen::MatrixXd T = freedom_at_home(block, branch.tangent).T;
  const auto svd = singular_value_decomposition(T);
  const Eigen::MatrixXd basis = svd.U.leftCols((svd.values.array() > kNoVelocity).count());
  const Eigen::MatrixXd onto = basis * basis.transpose();
  const auto names = by_name(model, block);
  Eigen::VectorXd sorted(onto.size());
  Eigen::Index next = 0;
  for (const auto& row : names) {
    for (const auto& column : names) sorted(next++) = onto(row.second, column.second);
  }
  return sorted;
}

}  // namespace

void put_in_order(const Model& model, const LoopBlock& block, SingularPose& pose) {
  std::vector<std::pair<Eigen::VectorXd, Branch>> marked;
  for (auto& branch : pose.branches) {
    auto mark = marks(model, block, branch);
    marked.emplace_back(std::move(mark), std::move(branch));
  }
  std::ranges::stable_sort(marked, [](const auto& a, const auto& b) {
    const int of_a = a.second.dimension(), of_b = b.second.dimension();
    if (of_a != of_b) return of_a < of_b;
    for (Eigen::Index i = 0; i < a.first.size(); ++i) {
      if (std::abs(a.first(i) - b.first(i)) > kDiffer) return a.first(i) > b.first(i);
    }
    return false;
  });
  pose.branches.clear();
  for (auto& [mark, branch] : marked) pose.branches.push_back(std::move(branch));
}

std::string description(const Model& model, const LoopBlock& block, const Branch& branch) {
  if (branch.dimension() > 1) return std::to_string(branch.dimension()) + " directions";
  const auto v = velocities(model, block, branch);
  std::string text;
  Eigen::Index k = 0;
  for (const auto& [name, number] : by_name(model, block)) {
    const double value = v(k++);
    if (std::abs(value) >= kNoVelocity)
      text += (text.empty() ? "" : ", ") + name + " " + to_short(value);
  }
  return text;
}

std::string descriptions(const Model& model, const LoopBlock& block, const SingularPose& pose) {
  std::string names;
  for (std::size_t i = 0; i < pose.branches.size(); ++i) {
    names += (i == 0 ? " (velocities of joints in " : "; in ") + std::to_string(i + 1) + ": " +
             description(model, block, pose.branches[i]);
  }
  return names + ")";
}

}  // namespace hamiltree::branches
