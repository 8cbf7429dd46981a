#include "hamiltree/io/export/model/lifted.hpp"

#include "hamiltree/io/import/joint_parts.hpp"

namespace hamiltree {
namespace {

void lift(JointDescription& joint) {
  switch (joint.type) {
    case JointType::kPrismatic:
      align(joint, Eigen::Vector3d::UnitX());  // the plane slides along x, space along z
      break;
    case JointType::kFree:
      joint.type = JointType::kPlanar;
      break;
    default:
      break;
  }
}

}  // namespace

Mechanism lifted(Mechanism mechanism) {
  if (mechanism.space == SpaceKind::kSpatial) return mechanism;
  mechanism.space = SpaceKind::kSpatial;
  for (auto& body : mechanism.bodies) {
    const double moment = body.inertia(2, 2);
    body.inertia = Eigen::Vector3d(0.5 * moment, 0.5 * moment, moment).asDiagonal();
  }
  for (auto& joint : mechanism.joints) lift(joint);
  return mechanism;
}

}  // namespace hamiltree
