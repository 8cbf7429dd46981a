// The hdca with the step of iterative refinement that it otherwise keeps for loops, on any chain.
#pragma once

#include <Eigen/Core>

#include "hamiltree/model/model.hpp"

namespace hamiltree::studies::round_off {

struct RefinedRates {
  Eigen::VectorXd v, p_dot;
};

RefinedRates refined_rates(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& p);

}  // namespace hamiltree::studies::round_off
