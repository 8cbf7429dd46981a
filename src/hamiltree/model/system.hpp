// System<Space>: a compiled mechanism as plain tables, ready for kernels. Bodies are numbered so
// that a body comes after its parent; body b hangs on tree joint b, and joints that close loops
// (cuts) follow the tree joints. The frame of a body is the child frame of its tree joint, so the
// origin of body b is the reference point O_b of joint b and H, D are constant there; where the
// tree runs against a joint it is the joint's parent frame.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/drive.hpp"
#include "hamiltree/model/force_elements.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/space/inertia.hpp"
#include "hamiltree/space/planar.hpp"
#include "hamiltree/space/pose.hpp"
#include "hamiltree/space/spatial.hpp"

namespace hamiltree {

template <class Space>
struct Joint {
  JointType type = JointType::kFixed;  // as the kernels see it: driven joints are fixed to F(t)
  int parent = kNone, child = kNone;   // bodies or kNone for ground, as the user wrote them
  // The tree may run against the way the user wrote a joint: then its body is the parent. F and M
  // stay on the user's parent and child, and so do the signs of q, v, p, sigma and of all forces.
  bool reversed = false;
  int q = kNone;           // first coordinate in the state; kNone for cuts
  int v = kNone;           // first velocity and momentum in the state; kNone for cuts
  int row = kNone;         // first row of Phi and sigma of a cut; kNone for tree joints
  int drive = kNone;       // of the system's drives, moves F on the parent; kNone: F rests
  Pose<Space> X_PF;        // joint frame in the parent's frame (world for ground)
  Pose<Space> X_CM;        // joint frame in the child's frame (world for ground)
  double pitch = 0.0;      // m/rad, of helical joints
  double armature = 0.0;   // kg m^2 or kg, of tree joints with one velocity and of balls
  bool own_frame = false;  // H is constant in a frame J that is not M, see joints/joint.hpp
  bool at_parent = false;  // of cut balls: J is F, see joint_tables.hpp
  // Components, in the joint's coordinates, of the columns of H and of D. `along` is the one of the
  // only coordinate of a joint written with one degree of freedom, be it driven or not.
  std::array<int, Space::kDimension> free{}, constrained{};
  int along = kNone;
  int constraints = 0;                  // how many columns of D
  int coordinates = 0, velocities = 0;  // in the state, were the joint in the tree

  bool is_cut() const { return row != kNone; }
  bool has_velocity() const { return !is_cut() && velocities > 0; }
};

// Keeps two joints with one coordinate together:
//   q_joint = offset + ratio q_to + higher[0] q_to^2 + higher[1] q_to^3 + ...
struct JointCoupling {
  int joint = 0, to = 0;  // where the coupling is curved, `to` is in the tree
  double ratio = 1.0, offset = 0.0;
  int row = 0;  // of Phi and sigma
  std::vector<double> higher;

  bool is_curved() const { return !higher.empty(); }
};

template <class Space>
struct System : ForceElements<Space> {
  using Scalar = typename Space::Scalar;

  std::vector<RigidInertia<Space>> bodies;
  // The bodies as formulations eliminate them, if any lacks inertia of its own: with a ballast that
  // makes each one invertible. Empty if none does. See model/ballast.hpp.
  std::vector<RigidInertia<Space>> ballasted;
  std::vector<Joint<Space>> joints;  // bodies.size() tree joints, then the cuts
  std::vector<Drive> drives;
  std::vector<GivenMotion<Scalar>> given_motions;  // one for each drive, or none at all
  std::vector<JointCoupling> couplings;
  typename Space::Position gravity = Space::Position::Zero();  // m/s^2
  int coordinates = 0, velocities = 0;                         // sizes of q and of v, p
  int constraints = 0;             // rows of cuts, then couplings: size of Phi and sigma
  std::vector<double> row_scales;  // what turns each row of Phi into metres
  double length = 1.0;             // m, characteristic: makes angles comparable with lengths

  // Defined below, and on double compiled once: a table of every kind of force is much code.
  System();
  System(const System&);
  System(System&&) noexcept;
  System& operator=(const System&);
  System& operator=(System&&) noexcept;
  ~System();

  int body_count() const { return static_cast<int>(bodies.size()); }
  int joint_count() const { return static_cast<int>(joints.size()); }
  const RigidInertia<Space>& body(int i) const { return bodies[at(i)]; }
  const RigidInertia<Space>& carried(int i) const {
    return ballasted.empty() ? bodies[at(i)] : ballasted[at(i)];
  }
  const Joint<Space>& joint(int i) const { return joints[at(i)]; }
  int inboard(int b) const { return joint(b).reversed ? joint(b).child : joint(b).parent; }

  // The same bodies and joints with nothing acting on them but gravity.
  System without_forces() const;

  // The same system over another scalar: every number becomes a constant of it. Callbacks cannot
  // follow: with them it throws std::logic_error.
  template <class Other>
  System<typename Space::template Rebind<Other>> cast() const;
};

template <class Space>
System<Space>::System() = default;
template <class Space>
System<Space>::System(const System&) = default;
template <class Space>
System<Space>::System(System&&) noexcept = default;
template <class Space>
System<Space>& System<Space>::operator=(const System&) = default;
template <class Space>
System<Space>& System<Space>::operator=(System&&) noexcept = default;
template <class Space>
System<Space>::~System() = default;

template <class Space>
System<Space> System<Space>::without_forces() const {
  System bare = *this;
  static_cast<ForceElements<Space>&>(bare) = {};
  return bare;
}

// The factor that turns row i of a joint's constraints into metres: 1 or the length.
template <class Space>
double row_scale(const System<Space>& system, const Joint<Space>& joint, int i) {
  return joint.constrained[at(i)] < Space::kLinear ? 1.0 : system.length;
}
template <class Space>
double row_scale(const System<Space>& system, const JointCoupling& coupling) {
  return system.joint(coupling.joint).along < Space::kLinear ? 1.0 : system.length;
}

template <class Space>
template <class Other>
System<typename Space::template Rebind<Other>> System<Space>::cast() const {
  using To = typename Space::template Rebind<Other>;
  System<To> result;
  result.bodies.reserve(bodies.size());
  for (const auto& body : bodies) result.bodies.push_back(body.template cast<Other>());
  for (const auto& body : ballasted) result.ballasted.push_back(body.template cast<Other>());
  for (const auto& j : joints) {
    result.joints.push_back({j.type,
                             j.parent,
                             j.child,
                             j.reversed,
                             j.q,
                             j.v,
                             j.row,
                             j.drive,
                             j.X_PF.template cast<Other>(),
                             j.X_CM.template cast<Other>(),
                             j.pitch,
                             j.armature,
                             j.own_frame,
                             j.at_parent,
                             j.free,
                             j.constrained,
                             j.along,
                             j.constraints,
                             j.coordinates,
                             j.velocities});
  }
  result.drives = drives;
  result.couplings = couplings;
  result.gravity = gravity.template cast<Other>();
  static_cast<ForceElements<To>&>(result) = this->template cast_forces<To>();
  result.coordinates = coordinates;
  result.velocities = velocities;
  result.constraints = constraints;
  result.row_scales = row_scales;
  result.length = length;
  return result;
}

// On double: compiled once, in system.cpp.
extern template struct System<Planar<double>>;
extern template struct System<Spatial<double>>;

}  // namespace hamiltree
