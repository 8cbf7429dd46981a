// The points of a rope, described and in tables.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hamiltree/model/frame.hpp"

namespace hamiltree {

// A point of a rope, which runs on from it in a straight line to the next one.
struct RopePoint {
  std::string body = {};                               // a body or "ground"
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, in the body's frame
  double ratio = 1.0;  // of the line from here on: how much of it counts in the rope's length
};

// A point that a rope runs over, and how much of the line from it to the next one counts.
template <class Space>
struct PathPoint {
  int body = kNone;
  typename Space::Position x = Space::Position::Zero();  // body frame
  double ratio = 1.0;
};

template <class Space>
using Path = std::vector<PathPoint<Space>>;

template <class To, class Space>
Path<To> cast_path(const Path<Space>& path) {
  Path<To> result;
  for (const auto& point : path) {
    result.push_back({point.body,
                      point.x.template head<To::kLinear>().template cast<typename To::Scalar>(),
                      point.ratio});
  }
  return result;
}

}  // namespace hamiltree
