#include "hamiltree/io/import/normalise/outboard.hpp"

#include <limits>

#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/mass.hpp"
#include "hamiltree/io/import/number_by_name.hpp"

namespace hamiltree {

Outboard::Outboard(const Mechanism& mechanism) {
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
    add_mass(wholes_[parent->second], pose_across(*joint, 0.0), wholes_[b]);
    if (--children[parent->second] == 0) ends.push_back(parent->second);
  }
}

double Outboard::inertia(const JointDescription& joint) const {
  BodyDescription whole;  // in the joint frame
  const auto child = bodies_.find(joint.child);
  if (child != bodies_.end()) add_mass(whole, inverse(joint.at_child), wholes_[child->second]);
  if (joint.type == JointType::kPrismatic) return whole.mass + joint.armature;
  if (joint.type == JointType::kSpherical) {
    const Eigen::Vector3d squares = whole.com.cwiseAbs2();
    const Eigen::Vector3d about = whole.inertia.diagonal() +
                                  whole.mass * (Eigen::Vector3d::Constant(squares.sum()) - squares);
    return about.maxCoeff() + joint.armature;
  }
  const double square = whole.com.head<2>().squaredNorm();
  return whole.inertia(2, 2) + whole.mass * (square + joint.pitch * joint.pitch) + joint.armature;
}

double Outboard::mass(const std::string& body) const {
  const auto found = bodies_.find(body);
  return found == bodies_.end() ? std::numeric_limits<double>::infinity()
                                : wholes_[found->second].mass;
}

}  // namespace hamiltree
