#include "hamiltree/formulations/digits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree {
namespace {

// Column k is the momenta of a unit velocity k.
template <class Space>
Eigen::MatrixXd mass_matrix(const System<Space>& system, const Eigen::VectorXd& q) {
  Kinematics<Space> kin(system);
  place(system, 0.0, q.data(), kin);
  kin.frozen = true;
  Eigen::MatrixXd M(system.velocities, system.velocities);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(system.velocities);
  for (int k = 0; k < system.velocities; ++k) {
    unit(k) = 1.0;
    move(system, unit.data(), kin);
    momenta(system, kin, M.col(k).data());
    unit(k) = 0.0;
  }
  return M;
}

double condition_number(const Eigen::MatrixXd& M) {
  const Eigen::VectorXd scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::VectorXd values = symmetric_eigen(scaled).values;
  const double smallest = values(0);
  const double largest = values(values.size() - 1);
  return smallest > 0.0 ? largest / smallest : std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<double> estimated_digits(const Model& model, const Eigen::VectorXd& q) {
  if (model.velocity_count() > kMaxEstimatedVelocities) return std::nullopt;
  double cond = 1.0;
  if (model.velocity_count() > 0) {
    cond =
        model.visit([&](const auto& system) { return condition_number(mass_matrix(system, q)); });
  }
  return std::max(0.0, -std::log10(std::numeric_limits<double>::epsilon() * cond));
}

}  // namespace hamiltree
