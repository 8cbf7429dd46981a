// What a kernel of trees of pins computes.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "hamiltree/formulations/screws/evaluate.hpp"

namespace hamiltree::test {

// v, q_dot, p_dot.
inline Eigen::VectorXd rates(const screws::Kernels& kernels, const screws::Tree& tree,
                             const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  const auto n = p.size(), m = q.size();
  Eigen::VectorXd all(2 * n + m);
  screws::TreeWork work(tree);
  EXPECT_TRUE(screws::evaluate(
      kernels, tree, {q.data(), p.data(), all.data(), all.data() + n, all.data() + n + m}, work));
  return all;
}

}  // namespace hamiltree::test
