// Kinematics: poses, velocities and momenta of all bodies of a System from its coordinates and
// joint velocities, in one pass each, in world axes at the origin of each body's frame.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

template <class Space>
struct Kinematics {
  std::vector<Pose<Space>> X_WB;             // body frames in the world
  std::vector<typename Space::Motion> V_WB;  // velocities of the frames' origins, world axes
  std::vector<typename Space::Force> P;      // accumulated momenta of subtrees, see accumulate()

  explicit Kinematics(const System<Space>& system)
      : X_WB(system.bodies.size()),
        V_WB(system.bodies.size(), Space::Motion::Zero()),
        P(system.bodies.size(), Space::Force::Zero()) {}

  Pose<Space> pose(int body) const {  // the identity for the ground
    return body == kNone ? Pose<Space>{} : X_WB[at(body)];
  }
  typename Space::Motion velocity(int body) const {  // zero for the ground
    return body == kNone ? typename Space::Motion(Space::Motion::Zero()) : V_WB[at(body)];
  }
  // Velocity of the point of a body that is at x (world) now.
  typename Space::Motion velocity_at(int body, const typename Space::Position& x) const {
    if (body == kNone) return Space::Motion::Zero();
    return shift_motion<Space>(x - pose(body).r, velocity(body));
  }
};

// X_FM of a tree joint from the state's coordinates.
template <class Space>
Pose<Space> joint_pose(const Joint<Space>& joint, const typename Space::Scalar* q) {
  using Scalar = typename Space::Scalar;
  return visit_joint<Space>(joint.type, [&]<class J>(J) {
    if constexpr (J::kCoordinates == 1) {
      const Scalar q_joint = Scalar(joint.sign) * q[joint.q];
      return J::pose(&q_joint);
    } else {
      return J::pose(q + joint.q);
    }
  });
}

// H v of a tree joint, in the child's axes at O.
template <class Space>
typename Space::Motion joint_motion(const Joint<Space>& joint, const typename Space::Scalar* v) {
  using Scalar = typename Space::Scalar;
  return visit_joint<Space>(joint.type, [&]<class J>(J) -> typename Space::Motion {
    if constexpr (J::kVelocities == 1) {
      const Scalar v_joint = Scalar(joint.sign) * v[joint.v];
      return motion<J, Space>(&v_joint);
    } else {
      return motion<J, Space>(v + joint.v);
    }
  });
}

// p[joint.v...] += H^T F for F in the child's axes at O (sign included).
template <class Space>
void add_projection(const Joint<Space>& joint, const typename Space::Force& F,
                    typename Space::Scalar* p) {
  using Scalar = typename Space::Scalar;
  visit_joint<Space>(joint.type, [&]<class J>(J) {
    const auto projected = project_motion<J, Space>(F);
    for (int i = 0; i < J::kVelocities; ++i) {
      p[joint.v + i] += J::kVelocities == 1 ? Scalar(joint.sign) * projected(i) : projected(i);
    }
  });
}

// Poses of all bodies from q.
template <class Space>
void place(const System<Space>& system, const typename Space::Scalar* q, Kinematics<Space>& kin) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    const auto X_PB = joint.X_PF * joint_pose(joint, q);
    kin.X_WB[at(b)] = joint.parent == kNone ? X_PB : kin.pose(joint.parent) * X_PB;
  }
}

// Velocities of all bodies from v; poses must be placed.
template <class Space>
void move(const System<Space>& system, const typename Space::Scalar* v, Kinematics<Space>& kin) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    const auto& X_WB = kin.pose(b);
    kin.V_WB[at(b)] =
        kin.velocity_at(joint.parent, X_WB.r) + rotate<Space>(X_WB.R, joint_motion(joint, v));
  }
}

// qdot from v: they differ for quasi-velocity joints only.
template <class Space>
void coordinate_rates(const System<Space>& system, const typename Space::Scalar* q,
                      const typename Space::Scalar* v, typename Space::Scalar* q_dot) {
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (joint.velocities == 0) continue;
    visit_joint<Space>(joint.type, [&]<class J>(J) {
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
    visit_joint<Space>(joint.type, [&]<class J>(J) { J::normalise(q + joint.q); });
  }
}

// Momentum of one body about its frame's origin, world axes.
template <class Space>
typename Space::Force body_momentum(const System<Space>& system, const Kinematics<Space>& kin,
                                    int b) {
  const auto& R = kin.X_WB[at(b)].R;
  const auto& V = kin.V_WB[at(b)];
  return rotate<Space>(R, momentum<Space>(system.body(b), unrotate<Space>(R, V)));
}

// Sums a force-like vector per body (world axes, at the bodies' origins) over subtrees, in place.
template <class Space>
void accumulate(const System<Space>& system, const Kinematics<Space>& kin,
                std::vector<typename Space::Force>& F) {
  for (int b = system.body_count() - 1; b >= 0; --b) {
    const int parent = system.joint(b).parent;
    if (parent == kNone) continue;
    const typename Space::Position l = kin.pose(b).r - kin.pose(parent).r;
    F[at(parent)] += shift_force<Space>(l, F[at(b)]);
  }
}

// The momenta that a motion has when no loop carries an impulse: p_k = H_k^T (momentum of the
// subtree of k about O_k). Velocities must be moved. This is also the momentum reset.
template <class Space>
void momenta(const System<Space>& system, Kinematics<Space>& kin, typename Space::Scalar* p) {
  using Scalar = typename Space::Scalar;
  for (int b = 0; b < system.body_count(); ++b) {
    kin.P[at(b)] = body_momentum(system, kin, b);
  }
  accumulate(system, kin, kin.P);
  for (int i = 0; i < system.velocities; ++i) p[i] = Scalar(0);
  for (int b = 0; b < system.body_count(); ++b) {
    add_projection(system.joint(b), unrotate<Space>(kin.pose(b).R, kin.P[at(b)]), p);
  }
}

// 2 T = sum over bodies of V^T P
template <class Space>
typename Space::Scalar kinetic_energy(const System<Space>& system, const Kinematics<Space>& kin) {
  typename Space::Scalar twice(0);
  for (int b = 0; b < system.body_count(); ++b) {
    twice += kin.V_WB[at(b)].dot(body_momentum(system, kin, b));
  }
  return typename Space::Scalar(0.5) * twice;
}

}  // namespace hamiltree
