// System<Space>: a compiled mechanism as plain tables, ready for kernels. Bodies are numbered so
// that a body comes after its parent; body b hangs on tree joint b, and joints that close loops
// (cuts) follow the tree joints. The frame of a body is the child frame of its tree joint, so the
// origin of body b is the reference point O_b of joint b and H, D are constant there.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/space/inertia.hpp"
#include "hamiltree/space/pose.hpp"

namespace hamiltree {

inline constexpr int kNone = -1;  // the ground, or an offset that does not exist

template <class Space>
struct Joint {
  JointType type = JointType::kFixed;
  int parent = kNone;  // body or kNone for ground
  int child = 0;       // body
  int q = kNone;       // first coordinate in the state; kNone for cuts
  int v = kNone;       // first velocity and momentum in the state; kNone for cuts
  int row = kNone;     // first row of Phi and sigma of a cut; kNone for tree joints
  // -1 if the tree runs against the way the user wrote the joint: then F sits on the user's child
  // and the user's coordinate is minus the one of pose().
  double sign = 1.0;
  Pose<Space> X_PF;  // joint frame in the parent's frame (world for ground)
  Pose<Space> X_CM;  // joint frame in the child's frame; the identity for tree joints
  std::array<int, Space::kDimension> constrained{};  // components of the columns of D
  int constraints = 0;                               // how many of them
  int coordinates = 0, velocities = 0;               // sizes of the joint type

  bool is_cut() const { return row != kNone; }
};

// Force elements with names resolved to indices; see model/mechanism.hpp for their laws.
template <class Space>
struct JointSpring {
  int joint = 0;
  typename Space::Scalar stiffness{0}, rest{0}, damping{0};
};
template <class Space>
struct PointSpring {
  int body_a = kNone, body_b = kNone;
  typename Space::Position a = Space::Position::Zero(), b = Space::Position::Zero();  // body frame
  typename Space::Scalar stiffness{0}, rest_length{0}, damping{0};
};
template <class Space>
struct JointActuator {
  int joint = 0;
  typename Space::Scalar constant{0}, amplitude{0}, omega{0}, phase{0};  // omega in rad/s
};

template <class Space>
struct System {
  using Scalar = typename Space::Scalar;

  std::vector<RigidInertia<Space>> bodies;
  std::vector<Joint<Space>> joints;  // bodies.size() tree joints, then the cuts
  typename Space::Position gravity = Space::Position::Zero();  // m/s^2
  std::vector<JointSpring<Space>> joint_springs;
  std::vector<PointSpring<Space>> point_springs;
  std::vector<JointActuator<Space>> actuators;
  int coordinates = 0, velocities = 0;  // sizes of q and of v, p
  int constraints = 0;                  // rows of all cuts: size of Phi and sigma
  double length = 1.0;                  // m, characteristic: makes angles comparable with lengths

  int body_count() const { return static_cast<int>(bodies.size()); }
  int joint_count() const { return static_cast<int>(joints.size()); }
  const RigidInertia<Space>& body(int i) const { return bodies[at(i)]; }
  const Joint<Space>& joint(int i) const { return joints[at(i)]; }

  // The same system over another scalar: every number becomes a constant of it.
  template <class Other>
  System<typename Space::template Rebind<Other>> cast() const;
};

// The factor that turns row i of a joint's constraints into metres: 1 or the length.
template <class Space>
double row_scale(const System<Space>& system, const Joint<Space>& joint, int i) {
  return joint.constrained[at(i)] < Space::kLinear ? 1.0 : system.length;
}

template <class Space>
template <class Other>
System<typename Space::template Rebind<Other>> System<Space>::cast() const {
  using To = typename Space::template Rebind<Other>;
  System<To> result;
  result.bodies.reserve(bodies.size());
  for (const auto& body : bodies) result.bodies.push_back(body.template cast<Other>());
  for (const auto& j : joints) {
    result.joints.push_back({j.type, j.parent, j.child, j.q, j.v, j.row, j.sign,
                             j.X_PF.template cast<Other>(), j.X_CM.template cast<Other>(),
                             j.constrained, j.constraints, j.coordinates, j.velocities});
  }
  result.gravity = gravity.template cast<Other>();
  for (const auto& s : joint_springs) {
    result.joint_springs.push_back({s.joint, Other(s.stiffness), Other(s.rest), Other(s.damping)});
  }
  for (const auto& s : point_springs) {
    result.point_springs.push_back({s.body_a, s.body_b, s.a.template cast<Other>(),
                                    s.b.template cast<Other>(), Other(s.stiffness),
                                    Other(s.rest_length), Other(s.damping)});
  }
  for (const auto& a : actuators) {
    result.actuators.push_back(
        {a.joint, Other(a.constant), Other(a.amplitude), Other(a.omega), Other(a.phase)});
  }
  result.coordinates = coordinates;
  result.velocities = velocities;
  result.constraints = constraints;
  result.length = length;
  return result;
}

}  // namespace hamiltree
