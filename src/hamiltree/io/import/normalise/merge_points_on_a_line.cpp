#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/import/frames.hpp"
#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/io/import/normalise/normalise.hpp"

namespace hamiltree {
namespace {

constexpr double kSamePoint = 1e-9;   // m
constexpr double kSameLength = 1e-6;  // m, on either body

// Points seen from both bodies that a joint holds together.
struct Held {
  Eigen::Vector3d in_parent, in_child;
};

// The frame at `at` with z along `z` and x towards `x`.
Frame frame_along(const Eigen::Vector3d& at, const Eigen::Vector3d& z, const Eigen::Vector3d& x) {
  Frame frame;
  frame.position = at;
  const Eigen::Vector3d unit_z = z.normalized();
  const Eigen::Vector3d unit_x = (x - x.dot(unit_z) * unit_z).normalized();
  frame.rotation << unit_x, unit_z.cross(unit_x), unit_z;
  return frame;
}

// Where a spherical joint starts, for one with its name that turns about z of other frames.
void keep_start(const JointDescription& before, JointDescription& joint) {
  for (const auto start : {&JointDescription::initial_q, &JointDescription::guess_q}) {
    auto& q = joint.*start;
    if (!q) continue;
    // R = F'^T F R_FM M^T M'
    const Eigen::Matrix3d R = joint.at_parent.rotation.transpose() * before.at_parent.rotation *
                              from_quat_wxyz(*q) * before.at_child.rotation.transpose() *
                              joint.at_child.rotation;
    q = Eigen::VectorXd::Constant(1, std::atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1)));
  }
  if (!joint.initial_v) return;
  const Eigen::Vector3d turning = before.at_child.rotation * joint.initial_v->head<3>();
  joint.initial_v = Eigen::VectorXd::Constant(1, joint.at_child.rotation.col(2).dot(turning));
}

// What a joint that is gone does to its bodies another one does.
void hand_over(const JointDescription& gone, const std::string& to, Mechanism& mechanism) {
  for (auto& force : mechanism.forces) {
    if (auto* friction = std::get_if<JointFriction>(&force);
        friction != nullptr && friction->joint == gone.name)
      friction->joint = to;
    const auto* limits = std::get_if<JointLimits>(&force);
    if (limits == nullptr || limits->joint != gone.name) continue;
    throw ModelError(gone.where, "joint \"" + gone.name + "\"",
                     "joint \"" + gone.name + "\": its limits are not simulated, for joint \"" +
                         to + "\" holds another point of the same bodies");
  }
}

// A spherical joint has one bound, the largest angle of its turn.
void bound_both_ways(const std::string& joint, Mechanism& mechanism) {
  for (auto& force : mechanism.forces) {
    auto* limits = std::get_if<JointLimits>(&force);
    if (limits != nullptr && limits->joint == joint) limits->lower = -*limits->upper;
  }
}

// A joint that does what all the points do together: the first of `joints` made stronger.
void combine(JointDescription& joint, const std::vector<Held>& held) {
  const auto before = joint;
  const Held& first = held.front();
  const auto farthest = std::ranges::max_element(
      held, {}, [&](const Held& h) { return (h.in_parent - first.in_parent).norm(); });
  const Eigen::Vector3d line = farthest->in_parent - first.in_parent;
  const Eigen::Vector3d line_in_child = farthest->in_child - first.in_child;
  if (line.norm() < kSamePoint) return;
  if (std::abs(line.norm() - line_in_child.norm()) > kSameLength) {
    throw ModelError(
        joint.where, "joint \"" + joint.name + "\"",
        "joint \"" + joint.name +
            "\": two points of a body are held to two of another at other distances, " +
            to_short(line.norm()) + " m and " + to_short(line_in_child.norm()) + " m");
  }
  const Held* aside = nullptr;
  double most = 1e-6 * line.norm();
  for (const auto& h : held) {
    const double off = line.normalized().cross(h.in_parent - first.in_parent).norm();
    if (off > most) {
      most = off;
      aside = &h;
    }
  }
  if (aside != nullptr) {
    joint.type = JointType::kFixed;
    joint.at_parent = frame_along(first.in_parent, line, aside->in_parent - first.in_parent);
    joint.at_child = frame_along(first.in_child, line_in_child, aside->in_child - first.in_child);
    joint.initial_q = joint.guess_q = joint.initial_v = std::nullopt;
    return;
  }
  // About the line; q is zero where the points' joint has not turned.
  const Eigen::Matrix3d to_child = joint.at_child.rotation * joint.at_parent.rotation.transpose();
  joint.type = JointType::kRevolute;
  joint.at_parent = {first.in_parent, turn_z_to(line.normalized())};
  joint.at_child =
      frame_along(first.in_child, line_in_child, to_child * joint.at_parent.rotation.col(0));
  keep_start(before, joint);
}

}  // namespace

bool merge_points_on_a_line(Mechanism& mechanism) {
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> between;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    auto& joint = mechanism.joints[j];
    if (joint.type != JointType::kSpherical) continue;
    if (between.contains({joint.child, joint.parent})) reverse(joint);
    between[{joint.parent, joint.child}].push_back(j);
  }
  bool made_fixed = false;
  std::vector<bool> gone(mechanism.joints.size(), false);
  for (const auto& [bodies, joints] : between) {
    if (joints.size() < 2) continue;
    std::vector<Held> held;
    auto& first = mechanism.joints[joints.front()];
    for (const auto j : joints) {
      const auto& joint = mechanism.joints[j];
      held.push_back({joint.at_parent.position, joint.at_child.position});
      if (j == joints.front()) continue;
      gone[j] = true;
      first.armature += joint.armature;
      hand_over(joint, first.name, mechanism);
    }
    combine(first, held);
    if (first.type == JointType::kRevolute) bound_both_ways(first.name, mechanism);
    made_fixed = made_fixed || first.type == JointType::kFixed;
  }
  std::size_t j = 0;
  std::erase_if(mechanism.joints, [&](const JointDescription&) { return gone[j++]; });
  return made_fixed;
}

}  // namespace hamiltree
