#include "hamiltree/io/import/frames.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {

Frame compose(const Frame& X_AB, const Frame& X_BC) {
  return {apply(X_AB, X_BC.position), X_AB.rotation * X_BC.rotation};
}

Frame inverse(const Frame& X_AB) {
  return {-(X_AB.rotation.transpose() * X_AB.position), X_AB.rotation.transpose()};
}

Eigen::Vector3d apply(const Frame& X_AB, const Eigen::Vector3d& r_B) {
  return X_AB.position + X_AB.rotation * r_B;
}

Eigen::Matrix3d from_rpy(const Eigen::Vector3d& rpy) {
  return turn(Eigen::Vector3d::UnitZ(), rpy.z()) * turn(Eigen::Vector3d::UnitY(), rpy.y()) *
         turn(Eigen::Vector3d::UnitX(), rpy.x());
}

Eigen::Vector3d to_rpy(const Eigen::Matrix3d& R) {
  const double cosine = std::hypot(R(0, 0), R(1, 0));
  const double pitch = std::atan2(-R(2, 0), cosine);
  // Upright, only the sum or difference of roll and yaw is known: all of it goes to the roll.
  constexpr double kUpright = 1e-12;
  if (cosine < kUpright) return {std::atan2(-R(1, 2), R(1, 1)), pitch, 0.0};
  return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
}

Eigen::Matrix3d turn(const Eigen::Vector3d& unit_axis, double angle) {
  return Eigen::AngleAxisd(angle, unit_axis).toRotationMatrix();
}

Eigen::Matrix3d from_quat_wxyz(const Eigen::Vector4d& quat_wxyz) {
  const Eigen::Vector4d x = quat_wxyz / quat_wxyz.stableNorm();
  return Eigen::Quaterniond(x(0), x(1), x(2), x(3)).toRotationMatrix();
}

Eigen::Vector4d to_quat_wxyz(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond x(R);
  return Eigen::Vector4d(x.w(), x.x(), x.y(), x.z()).normalized();
}

double distance(const Frame& a, const Frame& b) {
  const Eigen::Matrix3d R = a.rotation.transpose() * b.rotation;
  const Eigen::Vector3d sine(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  const double angle = std::atan2(sine.norm(), R.trace() - 1.0);
  return std::max((a.position - b.position).norm(), angle);
}

Frame pose_across(const JointDescription& joint, double q) {
  Frame moved;
  if (joint.type == JointType::kPrismatic) moved.position.z() = q;
  if (joint.type == JointType::kRevolute) moved.rotation = turn(Eigen::Vector3d::UnitZ(), q);
  return compose(compose(joint.at_parent, moved), inverse(joint.at_child));
}

namespace {

// Joints along or about one axis keep their coordinates: Q^-1 Rz(-q) Q = Rz(q). For the others
//   X_F'M' = Q^-1 X_FM^-1 Q
void reverse_coordinates(const JointDescription& joint, const Eigen::Matrix3d& Q,
                         std::optional<Eigen::VectorXd>& q) {
  if (!q || q->size() < 2 || joint.type == JointType::kCylindrical) return;
  visit_joint<Spatial<double>>(joint.type, joint.pitch, [&](const auto& type) {
    Pose<Spatial<double>> X = inverse(type.pose(q->data()));
    X.R = Q.transpose() * X.R * Q;
    X.r = Q.transpose() * X.r;
    type.coordinates(X, q->data());
  });
}

}  // namespace

// With Q the half turn about x, F' = M Q and M' = F Q, so that z turns round.
void reverse(JointDescription& joint) {
  std::swap(joint.parent, joint.child);
  std::swap(joint.at_parent, joint.at_child);
  Eigen::Matrix3d Q = Eigen::Vector3d(1.0, -1.0, -1.0).asDiagonal();
  if (joint.type == JointType::kUniversal) {
    // Here x and y change places too: the first axis is the one on the parent.
    Q << 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0;
  }
  joint.at_parent.rotation = joint.at_parent.rotation * Q;
  joint.at_child.rotation = joint.at_child.rotation * Q;
  reverse_coordinates(joint, Q, joint.initial_q);
  reverse_coordinates(joint, Q, joint.guess_q);
}

}  // namespace hamiltree
