// How many digits of the velocities are left when they are recovered from momenta in double
// precision: a property of the state (q, p), see docs/theory, "A limit: (q, p) on long chains".
#pragma once

#include <Eigen/Core>
#include <optional>

#include "hamiltree/model/model.hpp"

namespace hamiltree {

// The estimate takes a dense matrix; larger mechanisms get none.
inline constexpr int kMaxEstimatedVelocities = 300;

// -log10(eps cond(M)), not below 0: M is the mass matrix of the tree's joints at q, scaled to a
// unit diagonal, cond its condition number in the 2-norm.
std::optional<double> estimated_digits(const Model& model, const Eigen::VectorXd& q);

}  // namespace hamiltree
