#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/io/import/number_by_name.hpp"

namespace hamiltree {

void start_between_stops(Mechanism& mechanism) {
  const auto joints = number_by_name(mechanism.joints);
  for (const auto& force : mechanism.forces) {
    const auto* stop = std::get_if<JointLimits>(&force);
    if (stop == nullptr || !stop->lower || !stop->upper) continue;
    auto& joint = mechanism.joints[joints.at(stop->joint)];
    if (joint.initial_q || joint.guess_q) continue;
    if (*stop->lower <= 0.0 && *stop->upper >= 0.0) continue;
    joint.guess_q = Eigen::VectorXd::Constant(1, 0.5 * (*stop->lower + *stop->upper));
  }
}

}  // namespace hamiltree
