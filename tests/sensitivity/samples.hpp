// Numbers that tests of runs compare.
#pragma once

#include "hamiltree/sensitivity/differentiable_run.hpp"

namespace hamiltree::test {

// q, v and p of the last sample.
inline Eigen::VectorXd last_row(const sensitivity::RunSamples& samples) {
  const auto row = samples.q.rows() - 1;
  Eigen::VectorXd all(samples.q.cols() + samples.v.cols() + samples.p.cols());
  all << samples.q.row(row).transpose(), samples.v.row(row).transpose(),
      samples.p.row(row).transpose();
  return all;
}

inline double product(const sensitivity::RunChange& x, const sensitivity::RunChange& y) {
  return x.q.dot(y.q) + x.v.dot(y.v) + x.parameters.dot(y.parameters) +
         x.efforts.cwiseProduct(y.efforts).sum();
}
inline double product(const sensitivity::RunSamples& x, const sensitivity::RunSamples& y) {
  return x.q.cwiseProduct(y.q).sum() + x.v.cwiseProduct(y.v).sum() + x.p.cwiseProduct(y.p).sum();
}

inline double error(const Eigen::VectorXd& x, const Eigen::VectorXd& exact) {
  return (x - exact).lpNorm<Eigen::Infinity>() / (1.0 + exact.lpNorm<Eigen::Infinity>());
}

}  // namespace hamiltree::test
