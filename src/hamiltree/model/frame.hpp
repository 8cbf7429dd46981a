// Frame: a place on a body as a description says it, and the names of the ground.
#pragma once

#include <Eigen/Core>

namespace hamiltree {

// The reserved name of the inertial frame.
inline constexpr const char* kGround = "ground";

inline constexpr int kNone = -1;  // in tables: the ground, or an offset that does not exist

// A frame on a body: its origin (m) and its axes as columns, both in the body's own frame.
struct Frame {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
};

}  // namespace hamiltree
