// Kinematics of chosen points at a pose: where they are, how they follow the velocities of the
// joints, loops closed, and poses at which they are where they are wanted.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

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

// Throws UsageError for an unknown body.
PointJacobian point_jacobian(const ModelAtPose& pose, const BodyPoint& point);

// (m, m): of the independent velocities, T^T M T.
Eigen::MatrixXd mass_matrix(const ModelAtPose& pose);

struct PointTarget {
  BodyPoint point;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, world; z does not count in the plane
};

struct InverseKinematics {
  Eigen::VectorXd q;
  double miss = 0.0;  // m: of the point farthest from its target
  int steps = 0;
  bool reached = false;  // all are where they are wanted, to rounding
};

// From the pose, which moves there, loops closed all along: damped Gauss-Newton steps in the
// independent coordinates, so that what is out of reach is come near to, and where many poses
// reach the targets one not far away is found.
InverseKinematics inverse_kinematics(ModelAtPose& pose, const std::vector<PointTarget>& targets);

}  // namespace hamiltree::analysis
