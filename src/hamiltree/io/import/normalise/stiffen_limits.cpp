#include <algorithm>

#include "hamiltree/io/import/normalise/normalise.hpp"
#include "hamiltree/io/import/normalise/outboard.hpp"
#include "hamiltree/io/import/number_by_name.hpp"

namespace hamiltree {
namespace {

constexpr double kStopFrequency = 50.0;  // rad/s

bool is_soft(const ForceDescription& force) {
  const auto* stop = std::get_if<JointLimits>(&force);
  return stop != nullptr && stop->stiffness == 0.0;
}

}  // namespace

void stiffen_limits(Mechanism& mechanism) {
  if (std::ranges::none_of(mechanism.forces, is_soft)) return;
  const Outboard outboard(mechanism);
  const auto joints = number_by_name(mechanism.joints);
  for (auto& force : mechanism.forces) {
    if (!is_soft(force)) continue;
    auto& stop = std::get<JointLimits>(force);
    const double inertia = outboard.inertia(mechanism.joints[joints.at(stop.joint)]);
    stop.stiffness = inertia * kStopFrequency * kStopFrequency;
    stop.damping = 2.0 * inertia * kStopFrequency;
  }
  // Where nothing with mass is outboard there is nothing to stop.
  std::erase_if(mechanism.forces, is_soft);
}

}  // namespace hamiltree
