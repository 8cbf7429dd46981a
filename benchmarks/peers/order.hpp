// Depth-first order of bodies, for engines that number them so; and small conversions.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "engine.hpp"

namespace hamiltree::benchmarks {

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

inline int coordinates(EngineJoint joint) {
  switch (joint) {
    case EngineJoint::kFree:
      return 7;
    case EngineJoint::kSpherical:
      return 4;
    case EngineJoint::kUniversal:
      return 2;
    default:
      return 1;
  }
}
inline int velocities(EngineJoint joint) {
  switch (joint) {
    case EngineJoint::kFree:
      return 6;
    case EngineJoint::kSpherical:
      return 3;
    case EngineJoint::kUniversal:
      return 2;
    default:
      return 1;
  }
}

// Where the coordinates and velocities of each body begin.
struct Offsets {
  std::vector<int> q, v;
  int coordinates = 0, velocities = 0;

  explicit Offsets(const EngineMechanism& mechanism) {
    for (const auto& body : mechanism.bodies) {
      q.push_back(coordinates);
      v.push_back(velocities);
      coordinates += benchmarks::coordinates(body.joint);
      velocities += benchmarks::velocities(body.joint);
    }
  }
};

// The bodies so that every subtree is in one piece.
inline std::vector<int> depth_first(const EngineMechanism& mechanism) {
  std::vector<std::vector<int>> children(mechanism.bodies.size());
  std::vector<int> waiting, order;
  const int n = static_cast<int>(mechanism.bodies.size());
  for (int b = n; b-- > 0;) {
    const int parent = mechanism.bodies[index(b)].parent;
    (parent == kEngineGround ? waiting : children[index(parent)]).push_back(b);
  }
  while (!waiting.empty()) {
    const int b = waiting.back();
    waiting.pop_back();
    order.push_back(b);
    waiting.insert(waiting.end(), children[index(b)].begin(), children[index(b)].end());
  }
  return order;
}

// w, x, y, z of a rotation. The largest component is found first: no division by small numbers.
inline std::array<double, 4> quaternion(const std::array<double, 9>& R) {
  const double trace = R[0] + R[4] + R[8];
  const std::array<double, 4> four_squares{1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace,
                                           1 + 2 * R[8] - trace};
  std::size_t k = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (four_squares[i] > four_squares[k]) k = i;
  }
  const double a = R[7] - R[5], b = R[2] - R[6], c = R[3] - R[1];
  const double ab = R[1] + R[3], ac = R[2] + R[6], bc = R[5] + R[7];
  std::array<double, 4> q{};
  if (k == 0) q = {four_squares[0], a, b, c};
  if (k == 1) q = {a, four_squares[1], ab, ac};
  if (k == 2) q = {b, ab, four_squares[2], bc};
  if (k == 3) q = {c, ac, bc, four_squares[3]};
  const double scale = 0.5 / std::sqrt(four_squares[k]);
  for (double& x : q) x *= scale;
  return q;
}

inline std::array<double, 9> rotation(const double* quat_wxyz) {
  const double w = quat_wxyz[0], x = quat_wxyz[1], y = quat_wxyz[2], z = quat_wxyz[3];
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

using Vector = std::array<double, 3>;

inline Vector turn(const std::array<double, 9>& R, const double* x) {
  return {R[0] * x[0] + R[1] * x[1] + R[2] * x[2], R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
          R[6] * x[0] + R[7] * x[1] + R[8] * x[2]};
}
inline Vector turn_back(const std::array<double, 9>& R, const double* x) {
  return {R[0] * x[0] + R[3] * x[1] + R[6] * x[2], R[1] * x[0] + R[4] * x[1] + R[7] * x[2],
          R[2] * x[0] + R[5] * x[1] + R[8] * x[2]};
}
inline Vector cross(const double* a, const double* b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// For a free body at v, six components in its own axes: the rates of them, from accelerations in
// the axes of the world.
inline std::array<double, 6> free_rates(const std::array<double, 9>& R, const double* v,
                                        const double* linear, const double* angular) {
  const Vector a = turn_back(R, linear), alpha = turn_back(R, angular), carried = cross(v + 3, v);
  return {a[0] - carried[0], a[1] - carried[1], a[2] - carried[2], alpha[0], alpha[1], alpha[2]};
}

}  // namespace hamiltree::benchmarks
