#include "hamiltree/io/import/mjcf/keyframe.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <optional>
#include <vector>

#include "hamiltree/base/listed.hpp"
#include "hamiltree/io/import/number_by_name.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree::mjcf {
namespace {

bool has_equalities(const XmlElement& root) {
  return std::ranges::any_of(root.children("equality"),
                             [](const XmlElement& section) { return !section.children().empty(); });
}

// qvel has the velocity of a free body's frame in world axes, a free joint has it in the child's.
Eigen::VectorXd in_child_axes(const Eigen::VectorXd& v, const std::optional<Eigen::VectorXd>& q) {
  if (v.size() != 6) return v;
  const Eigen::Quaterniond turn((*q)(3), (*q)(4), (*q)(5), (*q)(6));
  Eigen::VectorXd seen = v;
  seen.head<3>() = turn.conjugate() * Eigen::Vector3d(v.head<3>());
  return seen;
}

// At the joints' coordinates.
void take_velocities(const XmlElement& root, const XmlElement& key, const Tree& tree,
                     Mechanism& mechanism, ImportLog& log) {
  const Eigen::VectorXd v = key.numbers("qvel");
  if (v.isZero(0.0)) return;
  if (has_equalities(root)) {
    log.warn(key.where(),
             "the velocities of a keyframe (qvel) are not read where there are equalities");
    return;
  }
  const auto numbers = number_by_name(mechanism.joints);
  Eigen::Index next = 0;
  for (const auto& joint_name : tree.joints) {
    auto& joint = mechanism.joints[numbers.at(joint_name)];
    const Eigen::Index count = joint_size(joint.type, SpaceKind::kSpatial).velocities;
    if (next + count > v.size()) key.fail("qvel has too few numbers");
    if (!joint.drive) joint.initial_v = in_child_axes(v.segment(next, count), joint.guess_q);
    next += count;
  }
  if (next != v.size()) key.fail("qvel has too many numbers");
}

void take_coordinates(const XmlElement& key, const Tree& tree, Mechanism& mechanism,
                      ImportLog& log) {
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

}  // namespace

XmlElement find_key(const XmlElement& root, const std::string& name) {
  std::vector<XmlElement> keys;
  std::vector<std::string> names;
  for (const auto& section : root.children("keyframe")) {
    for (const auto& key : section.children("key")) {
      // One without a name goes by its number, as MuJoCo counts them.
      names.push_back(key.text_or("name", std::to_string(keys.size())));
      keys.push_back(key);
    }
  }
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return keys[static_cast<std::size_t>(found - names.begin())];
  throw UsageError("--keyframe: there is no keyframe \"" + name + "\"" +
                   (names.empty() ? "" : "; there are: " + listed(names)));
}

void start_from_keyframe(const XmlElement& root, const std::string& name, const Tree& tree,
                         Mechanism& mechanism, ImportLog& log) {
  const auto key = find_key(root, name);
  for (const char* mocap : {"mpos", "mquat"}) {
    if (key.has(mocap)) log.warn(key.where(), "where a keyframe puts mocap bodies is not read");
  }
  if (key.has("qpos")) take_coordinates(key, tree, mechanism, log);
  if (key.has("qvel")) take_velocities(root, key, tree, mechanism, log);
}

}  // namespace hamiltree::mjcf
