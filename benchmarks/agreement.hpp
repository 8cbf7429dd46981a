// Whether an engine computes the same motion, before it is timed.
#pragma once

#include <vector>

#include "benchmarks/own.hpp"
#include "hamiltree/model/model.hpp"

namespace hamiltree::benchmarks {

// Relative: what is asked for. The longer a chain, the fewer digits its momenta and its mass matrix
// leave: beyond a hundred bodies or so what rounding alone does grows as the cube of their number.
inline constexpr double kAgreement = 1e-9;
double asked_agreement(int bodies);

// Largest difference in relation to the largest value, or to `least` where all are smaller;
// infinite where one is not a number.
double relative_difference(const std::vector<double>& a, const std::vector<double>& b,
                           double least = 0.0);

// Accelerations by `aba`, to hold others against. Where a mechanism is as good as in equilibrium,
// differences are in relation to gravity and weight.
class Reference {
 public:
  // Takes the first few of the states.
  Reference(const Model& model, const std::vector<EngineState>& states);

  // The worst error of the accelerations over the states. The engine must keep the same states.
  double difference(EngineModel& engine) const;
  // For a formulation in momenta: also of its velocities from those of the states, and of pdot from
  // that of `hdca`.
  double difference(OwnModel& own) const;

 private:
  Model model_;
  std::vector<EngineState> states_;
  // Those of gravity and weight at the mechanism's length, or at a metre if that is less.
  double least_acceleration_ = 0.0, least_rate_ = 0.0;
  std::vector<std::vector<double>> accelerations_, momentum_rates_;
};

}  // namespace hamiltree::benchmarks
