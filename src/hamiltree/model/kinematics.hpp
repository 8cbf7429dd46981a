// Kinematics: poses, velocities and momenta of all bodies of a System from its coordinates and
// joint velocities, in one pass each, in world axes at the origin of each body's frame.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/drive.hpp"
#include "hamiltree/model/joint_frame.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

// How a coupling moves its follower at a pose: v_joint = slope v_to. Both are constants of
// couplings that are not curved.
template <class Scalar>
struct CouplingSlope {
  Scalar slope{1}, curvature{0};  // P', P'' of q_joint = P(q_to)
};

template <class Space>
struct Kinematics {
  std::vector<Pose<Space>> X_WB;  // body frames in the world
  // From the origin of the inboard body's frame to that of the body's own, world axes; not as the
  // difference of two places: far from the world's origin that has lost digits, which the great
  // momenta of a long chain would multiply.
  std::vector<typename Space::Position> arm;
  std::vector<typename Space::Motion> V_WB;  // velocities of the frames' origins, world axes
  std::vector<typename Space::Force> P;      // accumulated momenta of subtrees, see accumulate()
  std::vector<JointFrame<Space>> joints;     // all joints, cuts included
  std::vector<DrivenFrame<Space>> drives;
  std::vector<CouplingSlope<typename Space::Scalar>> couplings;
  // Time stands still: no drive moves, and velocities are displacements that the joints allow.
  bool frozen = false;

  Kinematics() = default;  // of no body
  explicit Kinematics(const System<Space>& system);

  Pose<Space> pose(int body) const {  // the identity for the ground
    return body == kNone ? Pose<Space>{} : X_WB[at(body)];
  }
  typename Space::Motion velocity(int body) const {  // zero for the ground
    return body == kNone ? typename Space::Motion(Space::Motion::Zero()) : V_WB[at(body)];
  }
  // Where the point x of a body is in the world.
  typename Space::Position place_of(int body, const typename Space::Position& x) const {
    return body == kNone ? x : typename Space::Position(X_WB[at(body)] * x);
  }
  // Velocity of the point of a body that is at x (world) now.
  typename Space::Motion velocity_at(int body, const typename Space::Position& x) const {
    if (body == kNone) return Space::Motion::Zero();
    return shift_motion<Space>(x - X_WB[at(body)].r, V_WB[at(body)]);
  }
  const JointFrame<Space>& joint(int j) const { return joints[at(j)]; }
  const typename Space::Position& origin(int j) const { return joints[at(j)].X_WJ.r; }  // O, world
};

template <class Space>
Kinematics<Space>::Kinematics(const System<Space>& system)
    : X_WB(system.bodies.size()),
      arm(system.bodies.size(), Space::Position::Zero()),
      V_WB(system.bodies.size(), Space::Motion::Zero()),
      P(system.bodies.size(), Space::Force::Zero()),
      joints(system.joints.size()),
      drives(system.drives.size()) {
  using Scalar = typename Space::Scalar;
  for (std::size_t j = 0; j < joints.size(); ++j) joints[j].pitch = system.joints[j].pitch;
  for (const auto& coupling : system.couplings)
    couplings.push_back({Scalar(coupling.ratio), Scalar(0)});
}

// X_FM of a tree joint from the state's coordinates.
template <class Space>
inline Pose<Space> joint_pose(const Joint<Space>& joint, const typename Space::Scalar* q) {
  return visit_joint<Space>(
      joint, [&](const auto& type) -> Pose<Space> { return type.pose(q + joint.q); });
}

// The components of a motion or force, in the joint's coordinates, along its free directions are
// added to its entries of v or p.
template <class Space>
void add_free(const Joint<Space>& joint, const typename Space::Force& F,
              typename Space::Scalar* entries) {
  for (int i = 0; i < joint.velocities; ++i) entries[joint.v + i] += F(joint.free[at(i)]);
}

// H v, or the impulse that carries p, of a tree joint in its own coordinates.
template <class Space>
typename Space::Motion from_free(const Joint<Space>& joint, const typename Space::Scalar* entries) {
  typename Space::Motion V = Space::Motion::Zero();
  for (int i = 0; i < joint.velocities; ++i) V(joint.free[at(i)]) = entries[joint.v + i];
  return V;
}

// The parent's joint frame F, where its drive has brought it, and the child's M, in the world.
template <class Space>
inline Pose<Space> parent_frame(const System<Space>& system, const Kinematics<Space>& kin, int j) {
  const auto& joint = system.joint(j);
  const auto X_WF = kin.pose(joint.parent) * joint.X_PF;
  return joint.drive == kNone ? X_WF : X_WF * kin.drives[at(joint.drive)].X;
}
template <class Space>
inline Pose<Space> child_frame(const System<Space>& system, const Kinematics<Space>& kin, int j) {
  const auto& joint = system.joint(j);
  if (j < system.body_count() && !joint.reversed) return kin.pose(j);
  return kin.pose(joint.child) * joint.X_CM;
}

// X_FM of any joint as the bodies stand, also of a cut that is not quite closed.
template <class Space>
inline Pose<Space> relative_pose(const System<Space>& system, const Kinematics<Space>& kin, int j) {
  return inverse(parent_frame(system, kin, j)) * child_frame(system, kin, j);
}

// X_WJ from the bodies' poses.
template <class Space>
inline Pose<Space> joint_frame(const System<Space>& system, const Kinematics<Space>& kin, int j) {
  const auto& joint = system.joint(j);
  if (joint.at_parent) return parent_frame(system, kin, j);
  if (!joint.own_frame) return child_frame(system, kin, j);
  const auto X_WF = parent_frame(system, kin, j);
  const auto X_FM = inverse(X_WF) * child_frame(system, kin, j);
  return visit_joint<Space>(joint, [&]<class J>(const J&) -> Pose<Space> {
    if constexpr (J::kOwnFrame) return X_WF * J::frame(X_FM);
    return {};
  });
}

// X_IB of a body in its inboard neighbour; the drives must be evaluated.
template <class Space>
inline Pose<Space> pose_in_inboard(const Joint<Space>& joint, const Kinematics<Space>& kin,
                                   const typename Space::Scalar* q) {
  auto X_FM = joint_pose(joint, q);
  if (joint.drive != kNone) X_FM = kin.drives[at(joint.drive)].X * X_FM;
  return joint.reversed ? joint.X_CM * inverse(X_FM) : joint.X_PF * X_FM;
}

template <class Space>
void evaluate_drives(const System<Space>& system, const typename Space::Scalar& t,
                     Kinematics<Space>& kin) {
  for (std::size_t d = 0; d < system.drives.size(); ++d) {
    kin.drives[d] = evaluate<Space>(
        system.drives[d], t, system.given_motions.empty() ? nullptr : &system.given_motions[d]);
  }
}

// The slopes of curved couplings:
//   P'  = ratio + sum k c_k x^(k-1),   P'' = sum k (k-1) c_k x^(k-2),   k >= 2,   x = q_to
template <class Space>
void place_couplings(const System<Space>& system, const typename Space::Scalar* q,
                     Kinematics<Space>& kin) {
  using Scalar = typename Space::Scalar;
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    const auto& coupling = system.couplings[i];
    if (!coupling.is_curved()) continue;
    const auto& x = q[system.joint(coupling.to).q];
    Scalar slope(0), curvature(0);
    for (std::size_t k = coupling.higher.size() + 1; k >= 2; --k) {
      const double factor = static_cast<double>(k) * coupling.higher[k - 2];
      slope = slope * x + Scalar(factor);
      curvature = curvature * x + Scalar(static_cast<double>(k - 1) * factor);
    }
    kin.couplings[i] = {Scalar(coupling.ratio) + slope * x, curvature};
  }
}

// The pose of a body from that in its inboard neighbour, which is placed.
template <class Space>
inline void place_body(const System<Space>& system, int b, const Pose<Space>& X_IB,
                       Kinematics<Space>& kin) {
  const int inboard = system.inboard(b);
  if (inboard == kNone) {
    kin.arm[at(b)] = X_IB.r;
    kin.X_WB[at(b)] = X_IB;
    return;
  }
  const auto& X_WI = kin.X_WB[at(inboard)];
  kin.arm[at(b)] = X_WI.R * X_IB.r;
  kin.X_WB[at(b)] = {X_WI.R * X_IB.R, X_WI.r + kin.arm[at(b)]};
}

// Poses of all bodies and joint frames from q at the time t.
template <class Space>
void place(const System<Space>& system, const typename Space::Scalar& t,
           const typename Space::Scalar* q, Kinematics<Space>& kin) {
  evaluate_drives(system, t, kin);
  for (int b = 0; b < system.body_count(); ++b) {
    place_body(system, b, pose_in_inboard(system.joint(b), kin, q), kin);
  }
  for (int j = 0; j < system.joint_count(); ++j) {
    kin.joints[at(j)].X_WJ = joint_frame(system, kin, j);
  }
  place_couplings(system, q, kin);
}

// Omega_t of a joint: what its drive alone makes of V_child - V_parent, world axes at O
// [Naudet2003 eq. 1]. F's axes turn with it, and it is constant in these but for V_dot.
template <class Space>
inline typename Space::Motion prescribed_motion(const System<Space>& system,
                                                const Kinematics<Space>& kin, int j) {
  const auto& joint = system.joint(j);
  if (joint.drive == kNone || kin.frozen) return Space::Motion::Zero();
  const auto X_WF = parent_frame(system, kin, j);
  return shift_motion<Space>(kin.origin(j) - X_WF.r,
                             rotate<Space>(X_WF.R, kin.drives[at(joint.drive)].V));
}

// How Omega_t changes in a unit of time while the parent rests, world axes at O. The joint has a
// drive.
template <class Space>
inline typename Space::Motion prescribed_rate(const System<Space>& system,
                                              const Kinematics<Space>& kin, int j) {
  const auto X_WF = parent_frame(system, kin, j);
  return shift_motion<Space>(kin.origin(j) - X_WF.r,
                             rotate<Space>(X_WF.R, kin.drives[at(system.joint(j).drive)].V_dot));
}

// V_B of the body outboard of tree joint b, for V_child - V_parent at O, from its inboard body.
template <class Space>
inline typename Space::Motion carry_motion(const System<Space>& system,
                                           const Kinematics<Space>& kin, int b,
                                           const typename Space::Motion& relative) {
  const auto& O = kin.origin(b);
  typename Space::Motion V = kin.velocity_at(system.inboard(b), O);
  if (system.joint(b).reversed) {
    V -= relative;
    return shift_motion<Space>(kin.pose(b).r - O, V);
  }
  V += relative;
  return V;
}

// The velocity of a body from that of its inboard neighbour, which has its own.
template <class Space>
inline void move_body(const System<Space>& system, int b, const typename Space::Scalar* v,
                      Kinematics<Space>& kin) {
  typename Space::Motion V = kin.joint(b).to_world_motion(from_free(system.joint(b), v));
  if (system.joint(b).drive != kNone) V += prescribed_motion(system, kin, b);
  kin.V_WB[at(b)] = carry_motion(system, kin, b, V);
}

// Velocities of all bodies from v as the drives move; poses must be placed.
template <class Space>
void move(const System<Space>& system, const typename Space::Scalar* v, Kinematics<Space>& kin) {
  for (int b = 0; b < system.body_count(); ++b) move_body(system, b, v, kin);
}

// From the origin of the frame of a body, one of the joint's two, to the joint's O, world axes. In
// the tree no difference of places, see Kinematics::arm; at a cut the bodies have places of their
// own anyway.
template <class Space>
typename Space::Position lever(const System<Space>& system, const Kinematics<Space>& kin, int j,
                               int body) {
  const auto& joint = system.joint(j);
  if (j < system.body_count() && !joint.reversed && !joint.own_frame) {
    return body == j ? typename Space::Position(Space::Position::Zero()) : kin.arm[at(j)];
  }
  return kin.origin(j) - kin.pose(body).r;
}

// V_child - V_parent at O of any joint as the bodies move, world axes.
template <class Space>
inline typename Space::Motion relative_motion(const System<Space>& system,
                                              const Kinematics<Space>& kin, int j) {
  const auto& joint = system.joint(j);
  const auto& O = kin.origin(j);
  return kin.velocity_at(joint.child, O) - kin.velocity_at(joint.parent, O);
}

// H v of any joint as the bodies move, and what opens it along D, in its own coordinates:
// V_child - V_parent - Omega_t.
template <class Space>
inline typename Space::Motion free_motion(const System<Space>& system, const Kinematics<Space>& kin,
                                          int j) {
  typename Space::Motion V = relative_motion(system, kin, j);
  if (system.joint(j).drive != kNone) V -= prescribed_motion(system, kin, j);
  return kin.joint(j).to_joint_motion(V);
}

// The axes in which users see a joint's velocities and reactions: those of J, but of the child
// where J is at the parent.
template <class Space>
typename Space::Rotation seen_axes(const System<Space>& system, const Kinematics<Space>& kin,
                                   int j) {
  return system.joint(j).at_parent ? child_frame(system, kin, j).R : kin.joint(j).X_WJ.R;
}

// The velocities of a joint that is not in the state, as users see them, are the free components of
// this.
template <class Space>
inline typename Space::Motion seen_motion(const System<Space>& system, const Kinematics<Space>& kin,
                                          int j) {
  if (!system.joint(j).at_parent) return free_motion(system, kin, j);
  return unrotate<Space>(seen_axes(system, kin, j), relative_motion(system, kin, j));
}

// V_J: how the joint's frame itself moves, world axes at O. It moves with the child, or the parent,
// but its own frame, where it has one, without the joint's last velocity.
template <class Space>
inline typename Space::Motion frame_motion(const System<Space>& system,
                                           const Kinematics<Space>& kin, int j) {
  const auto& joint = system.joint(j);
  typename Space::Motion V =
      kin.velocity_at(joint.at_parent ? joint.parent : joint.child, kin.origin(j));
  if (!joint.own_frame) return V;
  const int last = joint.free[at(joint.velocities - 1)];
  typename Space::Motion own = Space::Motion::Zero();
  own(last) = free_motion(system, kin, j)(last);
  return V - kin.joint(j).to_world_motion(own);
}

// qdot from v: they differ for quasi-velocity joints only.
template <class Space>
void coordinate_rates(const System<Space>& system, const typename Space::Scalar* q,
                      const typename Space::Scalar* v, typename Space::Scalar* q_dot) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.velocities == 0) continue;
    visit_joint<Space>(joint, [&]<class J>(const J&) {
      J::coordinate_rates(q + joint.q, v + joint.v, q_dot + joint.q);
    });
  }
}

// Puts redundant coordinates (quaternions) back on their manifold; no pose changes.
template <class Space>
void normalise_coordinates(const System<Space>& system, typename Space::Scalar* q) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.coordinates == joint.velocities) continue;
    visit_joint<Space>(joint, [&]<class J>(const J&) { J::normalise(q + joint.q); });
  }
}

// Momentum of one body about its frame's origin, world axes.
template <class Space>
inline typename Space::Force body_momentum(const System<Space>& system,
                                           const Kinematics<Space>& kin, int b) {
  const auto& R = kin.X_WB[at(b)].R;
  const auto& V = kin.V_WB[at(b)];
  return rotate<Space>(R, momentum<Space>(system.body(b), unrotate<Space>(R, V)));
}

// Sums a force-like vector per body (world axes, at the bodies' origins) over subtrees, in place.
template <class Space>
void accumulate(const System<Space>& system, const Kinematics<Space>& kin,
                std::vector<typename Space::Force>& F) {
  for (int b = system.body_count() - 1; b >= 0; --b) {
    const int inboard = system.inboard(b);
    if (inboard == kNone) continue;
    F[at(inboard)] += shift_force<Space>(kin.arm[at(b)], F[at(b)]);
  }
}

// +F on the child and -F on the parent, both at the world point x, added at the bodies' origins.
template <class Space>
void apply_pair(const Kinematics<Space>& kin, int parent, int child,
                const typename Space::Position& x, const typename Space::Force& F,
                std::vector<typename Space::Force>& body) {
  if (child != kNone) body[at(child)] += shift_force<Space>(x - kin.X_WB[at(child)].r, F);
  if (parent != kNone) body[at(parent)] -= shift_force<Space>(x - kin.X_WB[at(parent)].r, F);
}

// A wrench on the body outboard of tree joint b, at its frame's origin, as one that the joint's
// child feels at O; world axes.
template <class Space>
inline typename Space::Force at_joint(const System<Space>& system, const Kinematics<Space>& kin,
                                      int b, const typename Space::Force& F) {
  if (!system.joint(b).reversed) return F;
  return -shift_force<Space>(kin.pose(b).r - kin.origin(b), F);
}

// Adds to each tree joint's entries of p, or of its rate, the components along its free directions
// of the wrench behind it: F, world axes, at the origin of its body's frame.
template <class Space>
void add_along_joints(const System<Space>& system, const Kinematics<Space>& kin,
                      const std::vector<typename Space::Force>& F,
                      typename Space::Scalar* entries) {
  for (int b = 0; b < system.body_count(); ++b) {
    add_free(system.joint(b), kin.joint(b).to_joint_force(at_joint(system, kin, b, F[at(b)])),
             entries);
  }
}

// f(its velocity in the state, how fast the bodies move along it) of all that tree joints with
// armature are free to do.
template <class Space, class F>
void for_each_armature(const System<Space>& system, const Kinematics<Space>& kin, int b,
                       const F& f) {
  const auto& joint = system.joint(b);
  if (!(joint.armature > 0.0)) return;
  const typename Space::Motion V = free_motion(system, kin, b);
  for (int i = 0; i < joint.velocities; ++i) f(joint.v + i, V(joint.free[at(i)]));
}

// The momenta that a motion has when no loop carries an impulse: p_k = H_k^T (momentum of the
// subtree of k about O_k) + armature_k v_k. Velocities must be moved. This is also the momentum
// reset.
template <class Space>
void momenta(const System<Space>& system, Kinematics<Space>& kin, typename Space::Scalar* p) {
  using Scalar = typename Space::Scalar;
  for (int b = 0; b < system.body_count(); ++b) {
    kin.P[at(b)] = body_momentum(system, kin, b);
  }
  accumulate(system, kin, kin.P);
  for (int i = 0; i < system.velocities; ++i) p[i] = Scalar(0);
  add_along_joints(system, kin, kin.P, p);
  for (int b = 0; b < system.body_count(); ++b) {
    const Scalar armature(system.joint(b).armature);
    for_each_armature(system, kin, b, [&](int k, const Scalar& v) { p[k] += armature * v; });
  }
}

// 2 T = sum over bodies of V^T P + sum over joints of armature v^2
template <class Space>
typename Space::Scalar kinetic_energy(const System<Space>& system, const Kinematics<Space>& kin) {
  using Scalar = typename Space::Scalar;
  Scalar twice(0);
  for (int b = 0; b < system.body_count(); ++b) {
    twice += kin.V_WB[at(b)].dot(body_momentum(system, kin, b));
    const Scalar armature(system.joint(b).armature);
    for_each_armature(system, kin, b, [&](int, const Scalar& v) { twice += armature * v * v; });
  }
  return Scalar(0.5) * twice;
}

// On double: compiled once, in kinematics.cpp. So are small functions, of which a source that is
// not compiled for speed would have slow copies: the linker takes any copy for all calls. They are
// inline, or none could be inlined elsewhere.
#define HAMILTREE_KINEMATICS(PREFIX, SPACE)                                                        \
  PREFIX template Kinematics<SPACE>::Kinematics(const System<SPACE>&);                             \
  PREFIX template Pose<SPACE> parent_frame(const System<SPACE>&, const Kinematics<SPACE>&, int);   \
  PREFIX template Pose<SPACE> child_frame(const System<SPACE>&, const Kinematics<SPACE>&, int);    \
  PREFIX template Pose<SPACE> relative_pose(const System<SPACE>&, const Kinematics<SPACE>&, int);  \
  PREFIX template Pose<SPACE> joint_frame(const System<SPACE>&, const Kinematics<SPACE>&, int);    \
  PREFIX template Pose<SPACE> joint_pose(const Joint<SPACE>&, const double*);                      \
  PREFIX template Pose<SPACE> pose_in_inboard(const Joint<SPACE>&, const Kinematics<SPACE>&,       \
                                              const double*);                                      \
  PREFIX template void evaluate_drives(const System<SPACE>&, const double&, Kinematics<SPACE>&);   \
  PREFIX template void place_body(const System<SPACE>&, int, const Pose<SPACE>&,                   \
                                  Kinematics<SPACE>&);                                             \
  PREFIX template void place(const System<SPACE>&, const double&, const double*,                   \
                             Kinematics<SPACE>&);                                                  \
  PREFIX template SPACE::Motion prescribed_motion(const System<SPACE>&, const Kinematics<SPACE>&,  \
                                                  int);                                            \
  PREFIX template SPACE::Motion prescribed_rate(const System<SPACE>&, const Kinematics<SPACE>&,    \
                                                int);                                              \
  PREFIX template SPACE::Motion carry_motion(const System<SPACE>&, const Kinematics<SPACE>&, int,  \
                                             const SPACE::Motion&);                                \
  PREFIX template void move_body(const System<SPACE>&, int, const double*, Kinematics<SPACE>&);    \
  PREFIX template void move(const System<SPACE>&, const double*, Kinematics<SPACE>&);              \
  PREFIX template SPACE::Motion relative_motion(const System<SPACE>&, const Kinematics<SPACE>&,    \
                                                int);                                              \
  PREFIX template SPACE::Motion free_motion(const System<SPACE>&, const Kinematics<SPACE>&, int);  \
  PREFIX template SPACE::Motion seen_motion(const System<SPACE>&, const Kinematics<SPACE>&, int);  \
  PREFIX template SPACE::Motion frame_motion(const System<SPACE>&, const Kinematics<SPACE>&, int); \
  PREFIX template void coordinate_rates(const System<SPACE>&, const double*, const double*,        \
                                        double*);                                                  \
  PREFIX template void normalise_coordinates(const System<SPACE>&, double*);                       \
  PREFIX template SPACE::Force body_momentum(const System<SPACE>&, const Kinematics<SPACE>&, int); \
  PREFIX template SPACE::Force at_joint(const System<SPACE>&, const Kinematics<SPACE>&, int,       \
                                        const SPACE::Force&);                                      \
  PREFIX template void momenta(const System<SPACE>&, Kinematics<SPACE>&, double*);                 \
  PREFIX template double kinetic_energy(const System<SPACE>&, const Kinematics<SPACE>&);
HAMILTREE_KINEMATICS(extern, Planar<double>)
HAMILTREE_KINEMATICS(extern, Spatial<double>)

}  // namespace hamiltree
