// The results of a kernel of trees of revolute joints.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "hamiltree/formulations/dh_frames/evaluate.hpp"

namespace hamiltree::test {

// v, q_dot, p_dot.
inline Eigen::VectorXd rates(const dh_frames::Kernels& kernels, const dh_frames::Tree& tree,
                             const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  const auto n = p.size(), m = q.size();
  Eigen::VectorXd all(2 * n + m);
  dh_frames::TreeWork work(tree);
  EXPECT_TRUE(dh_frames::evaluate(
      kernels, tree, {q.data(), p.data(), all.data(), all.data() + n, all.data() + n + m}, work));
  return all;
}

}  // namespace hamiltree::test
