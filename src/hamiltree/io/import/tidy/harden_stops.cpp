#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/tidy/tidy.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

constexpr double kStopFrequency = 50.0;  // rad/s

// What the inertia outboard of `joint` is along its coordinate, in the pose where all coordinates
// are zero, over joints from parent to child.
double outboard_inertia(const Mechanism& mechanism, const JointDescription& joint) {
  std::map<std::string, Frame> placed{{joint.parent, Frame{}},
                                      {joint.child, inverse(joint.at_child)}};
  std::vector<std::string> waiting{joint.child};
  BodyDescription whole;  // in the joint frame
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const std::string at = waiting[i];
    const Frame X = placed.at(at);
    const auto body = std::ranges::find(mechanism.bodies, at, &BodyDescription::name);
    if (body != mechanism.bodies.end()) add_mass(whole, X, *body);
    for (const auto& next : mechanism.joints) {
      if (next.parent != at || placed.contains(next.child)) continue;
      placed[next.child] = compose(X, compose(next.at_parent, inverse(next.at_child)));
      waiting.push_back(next.child);
    }
  }
  if (joint.type == JointType::kPrismatic) return whole.mass + joint.armature;
  const double square = whole.com.head<2>().squaredNorm();
  return whole.inertia(2, 2) + whole.mass * (square + joint.pitch * joint.pitch) + joint.armature;
}

bool is_soft(const ForceDescription& force) {
  const auto* stop = std::get_if<JointLimits>(&force);
  return stop != nullptr && stop->stiffness == 0.0;
}

}  // namespace

void harden_stops(Mechanism& mechanism) {
  for (auto& force : mechanism.forces) {
    if (!is_soft(force)) continue;
    auto& stop = std::get<JointLimits>(force);
    const auto joint = std::ranges::find(mechanism.joints, stop.joint, &JointDescription::name);
    const double inertia = outboard_inertia(mechanism, *joint);
    stop.stiffness = inertia * kStopFrequency * kStopFrequency;
    stop.damping = 2.0 * inertia * kStopFrequency;
  }
  // Where nothing with mass is outboard there is nothing to stop.
  std::erase_if(mechanism.forces, is_soft);
}

}  // namespace hamiltree
