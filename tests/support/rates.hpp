// Rates of a Model by a formulation's name, as vectors.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/math/dual.hpp"

namespace hamiltree::test {

struct Rates {
  Eigen::VectorXd v, q_dot, p_dot, sigma;
};

inline Eigen::VectorXd to_vector(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

inline std::vector<Dual> to_duals(const Eigen::VectorXd& value, const Eigen::VectorXd& rate) {
  std::vector<Dual> x;
  for (Eigen::Index i = 0; i < value.size(); ++i) x.emplace_back(value(i), rate(i));
  return x;
}

// How the momenta of the motion itself, those without impulses in loops, change along a motion:
// d(M v + b)/dt.
Eigen::VectorXd momentum_rates(const Model& model, double t, const Eigen::VectorXd& q,
                               const Eigen::VectorXd& v, const Eigen::VectorXd& q_dot,
                               const Eigen::VectorXd& v_dot);

Rates rates(const std::string& formulation_name, const Model& model, double t,
            const Eigen::VectorXd& q, const Eigen::VectorXd& p,
            const FormulationOptions& options = {});

}  // namespace hamiltree::test
