#include "hamiltree/simulation/error_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "hamiltree/base/index.hpp"

namespace hamiltree {

ErrorWeights::ErrorWeights(const Model& model, bool as_velocities)
    : velocities_(model.velocity_count()),
      as_velocities_(as_velocities),
      largest_(Eigen::VectorXd::Constant(model.coordinate_count(),
                                         std::numeric_limits<double>::infinity())) {
  model.visit([&]<class Space>(const System<Space>& system) {
    for (const auto& joint : system.joints) {
      if (!joint.has_velocity() || joint.coordinates != joint.velocities) continue;
      for (int i = 0; i < joint.coordinates; ++i) {
        // A turn more or less is no larger an angle.
        if (joint.free[at(i)] >= Space::kLinear) largest_(joint.q + i) = std::numbers::pi;
      }
    }
  });
}

void ErrorWeights::set_inertias(const Eigen::VectorXd& inertias) {
  inertias_ = inertias;
  inertia_roots_ = inertias.cwiseSqrt();
}

void ErrorWeights::find(const Tolerances& tolerances, double kinetic, const double* y, int size,
                        double* weights) const {
  const auto [relative, absolute] = tolerances;
  const auto coordinates = static_cast<int>(largest_.size());
  const auto momenta = static_cast<int>(inertias_.size());
  for (int i = 0; i < coordinates; ++i)
    weights[i] = 1.0 / (relative * std::min(std::abs(y[i]), largest_(i)) + absolute);
  if (as_velocities_) {
    // As errors of the velocity v = p / I; its size is that of a mean share of the energy,
    // sqrt(2 T / (I n)).
    const double root = std::sqrt(2.0 * kinetic / velocities_);
    for (int k = 0; k < momenta; ++k) {
      weights[coordinates + k] =
          1.0 / (relative * root * inertia_roots_(k) + absolute * inertias_(k));
    }
  } else {
    for (int k = 0; k < momenta; ++k)
      weights[coordinates + k] = 1.0 / (relative * std::abs(y[coordinates + k]) + absolute);
  }
  for (int k = coordinates + momenta; k < size; ++k)
    weights[k] = 1.0 / (relative * (std::abs(y[k]) + kinetic) + absolute);
}

}  // namespace hamiltree
