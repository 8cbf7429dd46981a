// Kinematics of chosen points at a pose: where they are, and how they follow the velocities of the
// joints, loops closed.
#pragma once

#include <Eigen/Core>
#include <string>

#include "hamiltree/analysis/model_at_pose.hpp"

namespace hamiltree::analysis {

// A point fixed in a body.
struct BodyPoint {
  std::string body;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, in the body's frame as the user gave it
};

struct PointJacobian {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();      // m, world
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();  // of the body's frame
  // (6, velocities): linear, then angular velocity in world axes from those of all joints, which
  // the loops tie together.
  Eigen::MatrixXd of_velocities;
  // (6, m): from the independent ones, loops closed and drives at rest: of_velocities T.
  Eigen::MatrixXd of_independent;
};

// Throws UsageError where x, `what` in messages, is not finite or not in the model's plane.
void check_place(const Model& model, const std::string& what, const Eigen::Vector3d& x);

// Throws UsageError for an unknown body.
PointJacobian point_jacobian(const ModelAtPose& pose, const BodyPoint& point);

// (m, m): of the independent velocities, T^T M T.
Eigen::MatrixXd mass_matrix(const ModelAtPose& pose);

}  // namespace hamiltree::analysis
