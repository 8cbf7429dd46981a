#include "hamiltree/io/import/mjcf/keyframe.hpp"

#include <optional>

#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree::mjcf {
XmlElement find_key(const XmlElement& root, const std::string& name) {
  for (const auto& section : root.children("keyframe")) {
    for (const auto& key : section.children("key")) {
      if (key.text_or("name", "") == name) return key;
    }
  }
  throw UsageError("--keyframe: there is no keyframe \"" + name + "\"");
}

void start_from_keyframe(const XmlElement& root, const std::string& name, const Tree& tree,
                         Mechanism& mechanism, ImportLog& log) {
  const auto key = find_key(root, name);
  if (key.has("qvel") && !key.numbers("qvel").isZero(0.0)) {
    log.warn(key.where(), "the velocities of a keyframe (qvel) are not read");
  }
  for (const char* mocap : {"mpos", "mquat"}) {
    if (key.has(mocap)) log.warn(key.where(), "where a keyframe puts mocap bodies is not read");
  }
  if (!key.has("qpos")) return;
  const Eigen::VectorXd q = key.numbers("qpos");
  Eigen::Index next = 0;
  const auto numbers = number_by_name(mechanism.joints);
  for (const auto& joint_name : tree.joints) {
    auto& joint = mechanism.joints[numbers.at(joint_name)];
    const Eigen::Index count = joint_size(joint.type, SpaceKind::kSpatial).coordinates;
    if (next + count > q.size()) key.fail("qpos has too few numbers");
    Eigen::VectorXd own = q.segment(next, count);
    next += count;
    if (joint.drive) continue;
    if (count > 3) {
      const double length = own.tail<4>().norm();
      if (length > 0.0) {
        own.tail<4>() /= length;
      } else {
        log.warn(key.where(), "a quaternion in qpos is zero and taken for no turn, as by MuJoCo");
        own.tail<4>() = Eigen::Vector4d::UnitX();
      }
    }
    joint.guess_q = own;
  }
  if (next != q.size()) key.fail("qpos has too many numbers");
}

}  // namespace hamiltree::mjcf
