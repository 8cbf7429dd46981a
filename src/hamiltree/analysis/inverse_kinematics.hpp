// Poses at which points are where they are wanted.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/analysis/kinematics.hpp"

namespace hamiltree::analysis {

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

enum class Limits { kKept, kIgnored };

// From the pose, which moves there, loops closed all along: damped Gauss-Newton steps in the
// independent coordinates, so that what is out of reach is come near to, and where many poses
// reach the targets one not far away is found. Joints with one degree of freedom stay within their
// limits; those that are beyond them at the start are moved there first. Where the steps end short
// of the targets, at a limit or a pose from which no small motion helps, others begin at poses
// drawn at random, always the same ones, the first near the start. The nearest end counts.
// Throws SimulationError where no pose within the limits is found.
InverseKinematics inverse_kinematics(ModelAtPose& pose, const std::vector<PointTarget>& targets,
                                     Limits limits = Limits::kKept);

}  // namespace hamiltree::analysis
