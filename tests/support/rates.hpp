// Rates of a Model by a formulation's name, as vectors.
#pragma once

#include <Eigen/Core>
#include <span>
#include <stdexcept>
#include <string>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::test {

struct Rates {
  Eigen::VectorXd v, q_dot, p_dot, sigma;
};

inline Eigen::VectorXd to_vector(std::span<const double> x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

inline Rates rates(const std::string& formulation_name, const Model& model, double t,
                   const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  const auto formulation = make_formulation(formulation_name, model);
  const auto workspace = formulation->make_workspace();
  const StateView state{t, q.data(), p.data()};
  formulation->analyse(state, *workspace);
  if (formulation->rate(state, *workspace) != Status::kOk) {
    throw std::runtime_error(formulation_name + ": a rate is not finite");
  }
  return {to_vector(workspace->v), to_vector(workspace->q_dot), to_vector(workspace->p_dot),
          to_vector(workspace->sigma)};
}

}  // namespace hamiltree::test
