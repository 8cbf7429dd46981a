#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/io/import/tidy/tidy.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

constexpr double kStopFrequency = 50.0;  // rad/s

// The inertia of all that hangs on each body, in its frame, in the pose where all coordinates are
// zero. A body hangs on the parent of the first joint that has it as its child; where joints are
// parents of each other, nothing is outboard of them.
class Outboard {
 public:
  explicit Outboard(const Mechanism& mechanism) {
    wholes_ = mechanism.bodies;
    bodies_ = number_by_name(mechanism.bodies);
    std::vector<const JointDescription*> inboard(wholes_.size(), nullptr);
    std::vector<int> children(wholes_.size(), 0);
    for (const auto& joint : mechanism.joints) {
      const auto child = bodies_.find(joint.child);
      if (child == bodies_.end() || inboard[child->second] != nullptr) continue;
      inboard[child->second] = &joint;
      const auto parent = bodies_.find(joint.parent);
      if (parent != bodies_.end()) ++children[parent->second];
    }
    std::vector<std::size_t> ends;
    for (std::size_t b = 0; b < wholes_.size(); ++b) {
      if (children[b] == 0) ends.push_back(b);
    }
    while (!ends.empty()) {
      const std::size_t b = ends.back();
      ends.pop_back();
      const auto* joint = inboard[b];
      const auto parent = joint == nullptr ? bodies_.end() : bodies_.find(joint->parent);
      if (parent == bodies_.end()) continue;
      add_mass(wholes_[parent->second], compose(joint->at_parent, inverse(joint->at_child)),
               wholes_[b]);
      if (--children[parent->second] == 0) ends.push_back(parent->second);
    }
  }

  // Along the coordinate of a joint.
  double inertia(const JointDescription& joint) const {
    BodyDescription whole;  // in the joint frame
    const auto child = bodies_.find(joint.child);
    if (child != bodies_.end()) add_mass(whole, inverse(joint.at_child), wholes_[child->second]);
    if (joint.type == JointType::kPrismatic) return whole.mass + joint.armature;
    const double square = whole.com.head<2>().squaredNorm();
    return whole.inertia(2, 2) + whole.mass * (square + joint.pitch * joint.pitch) + joint.armature;
  }

 private:
  std::vector<BodyDescription> wholes_;
  std::unordered_map<std::string, std::size_t> bodies_;
};

bool is_soft(const ForceDescription& force) {
  const auto* stop = std::get_if<JointLimits>(&force);
  return stop != nullptr && stop->stiffness == 0.0;
}

}  // namespace

void harden_stops(Mechanism& mechanism) {
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
