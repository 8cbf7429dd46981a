// Frames of model files: composed, inverted, and made of the angles that formats write.
#pragma once

#include <Eigen/Core>
#include <string_view>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// X_AC = X_AB X_BC
Frame compose(const Frame& X_AB, const Frame& X_BC);
Frame inverse(const Frame& X_AB);
// The point r_B, seen in A.
Eigen::Vector3d apply(const Frame& X_AB, const Eigen::Vector3d& r_B);

// Roll, pitch, yaw about the fixed axes x, y, z: R = Rz(yaw) Ry(pitch) Rx(roll). rad.
Eigen::Matrix3d from_rpy(const Eigen::Vector3d& rpy);
// The same backwards, with pitch from -90 to 90 degrees.
Eigen::Vector3d to_rpy(const Eigen::Matrix3d& R);

Eigen::Matrix3d turn(const Eigen::Vector3d& unit_axis, double angle);

// The rotation of a quaternion of any length but zero.
Eigen::Matrix3d from_quat_wxyz(const Eigen::Vector4d& quat_wxyz);
Eigen::Vector4d to_quat_wxyz(const Eigen::Matrix3d& R);

// The largest of the distance between the origins (m) and the angle between the axes (rad).
double distance(const Frame& a, const Frame& b);

// The pose of the child in the parent, a revolute or prismatic joint at its coordinate q and others
// at zero.
Frame pose_across(const JointDescription& joint, double q);

// The same joint in the same pose seen from its other side: parent and child change places, and a
// joint along or about one axis keeps its coordinates. Only such a joint keeps what `initial_v`
// says.
void reverse(JointDescription& joint);

}  // namespace hamiltree
