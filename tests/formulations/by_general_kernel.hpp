// Rates by the general kernel over any scalar, which the tests of precision compare others with.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "hamiltree/formulations/recursive/recursive.hpp"
#include "hamiltree/math/scalar.hpp"

namespace hamiltree::test {

struct GeneralRates {
  std::vector<double> v, p_dot;
};

template <class Space>
GeneralRates by_general_kernel(System<Space> system, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& p) {
  using Scalar = typename Space::Scalar;
  const Recursive<Space> kernel(std::move(system));
  typename Recursive<Space>::Work work(kernel);
  const std::vector<Scalar> wide_q(q.begin(), q.end()), wide_p(p.begin(), p.end());
  kernel.velocities(Scalar(0), wide_q.data(), wide_p.data(), nullptr, work);
  kernel.momentum_rates(Scalar(0), wide_q.data(), work);
  const auto narrow = [](const std::vector<Scalar>& x) {
    std::vector<double> y;
    for (const auto& value : x) y.push_back(to_double(value));
    return y;
  };
  return {narrow(work.result.v), narrow(work.result.p_dot)};
}

}  // namespace hamiltree::test
