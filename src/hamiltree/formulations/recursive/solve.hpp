// The vector sweeps of the recursive algorithm with the factors of the assembly: momenta to
// velocities [Naudet2003 eq. 45], and forces to accelerations all the same.
#pragma once

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/flat.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/recursive/work.hpp"
#include "hamiltree/model/ballast.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree::recursive {

// The front of a body on the right-hand side: x of its rows and -D; closing adds to D.
template <class Space>
void close_bias(int b, Work<Space>& work) {
  auto& front = work.fronts[at(b)];
  if (front.order.empty()) return;
  auto& D = work.bodies[at(b)].D;
  const int motion = front.size - Space::kDimension;
  for (int i = 0; i < front.eliminated; ++i) front.x_at(i) += work.r[at(front.rows[at(i)])];
  for (int m = 0; m < Space::kDimension; ++m) front.x_at(motion + m) = -D(m);
  block_elimination::forward_substitute(front);
  for (int m = 0; m < Space::kDimension; ++m) D(m) = -front.x_at(motion + m);
}

// M V of an articulated body for a motion in its joint's coordinates.
template <class Space>
typename Space::Force articulated_momentum(const Articulated<Space>& body, double pitch,
                                           typename Space::Motion V) {
  from_screw_motion<Space>(pitch, V);
  if (body.apart) V = motion_to_child<Space>(body.X_JB, V);
  typename Space::Force P = body.M * V;
  if (body.apart) P = force_to_parent<Space>(body.X_JB, P);
  to_screw_force<Space>(pitch, P);
  return P;
}

// One body inwards, in the coordinates of its joint:
//   (1)  D  = D + M Omega
//   (2)  e  = Mj^-1 (p - H^T D),  D' = D + U e
//   (3)  b' = b + phi^T (e + W^T Omega) + F'^T Omega
// The joint's entries of D' equal p exactly, with an armature I_a p - I_a e; they are set so.
template <class Space>
void sweep_in(const System<Space>& system, int b, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  auto& body = work.bodies[at(b)];
  const auto& joint = system.joint(b);
  const auto& own = work.fronts[at(b)];
  if (own.size > 0) close_bias(b, work);
  auto D = body.D;
  if (body.apart) D = force_to_parent<Space>(body.X_JB, D);
  to_screw_force<Space>(joint.pitch, D);
  // (1)
  if (body.is_given) D += articulated_momentum<Space>(body, joint.pitch, body.given);
  visit_joint<Space>(joint, [&]<class J>(const J&) {
    constexpr int n = J::kVelocities;
    if constexpr (n > 0) {
      // (2)
      Eigen::Matrix<Scalar, n, 1> p;
      for (int i = 0; i < n; ++i) p(i) = body.outward * work.free_force[at(joint.v + i)];
      const Eigen::Matrix<Scalar, n, 1> rest = p - project_motion<J, Space>(D);
      body.e.template head<n>() = body.Mj.template topLeftCorner<n, n>() * rest;
      D += body.W.template leftCols<n>() * rest;
      for (int i = 0; i < n; ++i) D(J::kMotion[at(i)]) = p(i);
      for (int i = 0; joint.armature > 0.0 && i < n; ++i)
        D(J::kMotion[at(i)]) -= Scalar(joint.armature) * body.e(i);
    }
    // (3)
    if (body.open.empty()) return;
    Eigen::Matrix<Scalar, n, 1> e;
    if constexpr (n > 0) {
      e = body.e.template head<n>();
      if (body.is_given) e += body.W.template leftCols<n>().transpose() * body.given;
    }
    auto& front = work.fronts[body.into];
    int position = own.eliminated;
    for (const auto& open : body.open) {
      auto x = own.x_at(position++);
      if constexpr (n > 0) x += open.phi.template head<n>().dot(e);
      if (body.is_given) x += open.F.dot(body.given);
      front.x_at(open.to) += x;
    }
  });
  const int inboard = system.inboard(b);
  if (inboard == kNone) return;
  from_screw_force<Space>(joint.pitch, D);
  work.bodies[at(inboard)].D += force_to_parent<Space>(body.X_IJ, D);
}

// One body outwards:
//   (1)  v = e + Mj^-1 phi sigma - W^T V_in
//   (2)  V = V_in + Omega + H v
//   (3)  sigma of the rows that closed here
template <class Space>
void sweep_out(const System<Space>& system, int b, typename Space::Scalar* v, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  auto& body = work.bodies[at(b)];
  const auto& joint = system.joint(b);
  const int inboard = system.inboard(b);
  auto& front = work.fronts[at(b)];
  typename Space::Motion V = Space::Motion::Zero();
  if (inboard != kNone) {
    V = motion_to_child<Space>(body.X_IJ, work.bodies[at(inboard)].V);
    to_screw_motion<Space>(joint.pitch, V);
  }
  visit_joint<Space>(joint, [&]<class J>(const J&) {
    constexpr int n = J::kVelocities;
    if constexpr (n > 0) {
      // (1)
      Eigen::Matrix<Scalar, n, 1> rate =
          body.e.template head<n>() - body.W.template leftCols<n>().transpose() * V;
      for (const auto& open : body.open) {
        rate += open.rate.template head<n>() * work.values[at(open.row)];
      }
      // (2)
      V += motion<J, Space>(rate.data());
      for (int i = 0; i < n; ++i) v[joint.v + i] = body.outward * rate(i);
    }
  });
  if (body.is_given) V += body.given;
  from_screw_motion<Space>(joint.pitch, V);
  body.V = body.apart ? motion_to_child<Space>(body.X_JB, V) : V;
  // (3)
  if (front.eliminated == 0) return;
  for (int m = 0; m < Space::kDimension; ++m) {
    work.values[at(front.rows[at(front.size - Space::kDimension + m)])] = body.V(m);
  }
  block_elimination::back_substitute(front, work.values);
}

// One sweep inwards, over the ground, and outwards.
template <class Space>
void sweep(const System<Space>& system, typename Space::Scalar* v, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  for (auto& front : work.fronts) {
    for (auto& x : front.x) x = Scalar(0);
  }
  for (int b = system.body_count() - 1; b >= 0; --b) {
    flat<Scalar>([&] { sweep_in(system, b, work); });
  }
  // Loops over the ground
  for (const auto& ground : work.ground) {
    auto& front = work.fronts[ground.front];
    for (const auto& side : ground.joined) {
      block_elimination::extend_add_bias(work.fronts[side.front], side.to, front);
    }
    for (int i = 0; i < front.eliminated; ++i) front.x_at(i) += work.r[at(front.rows[at(i)])];
    block_elimination::forward_substitute(front);
  }
  for (auto ground = work.ground.rbegin(); ground != work.ground.rend(); ++ground) {
    block_elimination::back_substitute(work.fronts[ground->front], work.values);
  }
  for (int b = 0; b < system.body_count(); ++b) {
    flat<Scalar>([&] { sweep_out(system, b, v, work); });
  }
}

// v of all tree joints (of accelerations v_dot), V of all bodies and sigma of all rows (lambda) in
// work.values, from work.free_force, work.r and what each body has in `bias` and `given`. Ballast
// is given back by further sweeps.
template <class Space>
void solve(const System<Space>& system, typename Space::Scalar* v, Work<Space>& work) {
  using Force = typename Space::Force;
  const auto motion = [&](int b) -> const auto& { return work.bodies[at(b)].V; };
  for (auto& body : work.bodies) body.D = body.bias;
  sweep(system, v, work);
  auto& ballast = work.ballast;
  ballast.start(system, motion);
  while (ballast.next()) {
    for (auto& body : work.bodies) body.D = body.bias;
    ballast.each_guess(system,
                       [&](int b, const Force& P, const Force&) { work.bodies[at(b)].D -= P; });
    sweep(system, v, work);
    ballast.take(system, motion);
  }
}

// The load of a body's joint on it, in its own axes at its origin: P = M V + D - F sigma.
template <class Space>
typename Space::Force transmitted(int b, const Work<Space>& work) {
  const auto& body = work.bodies[at(b)];
  const auto& front = work.fronts[at(b)];
  typename Space::Force P = body.M * body.V + body.D;
  const int motion = front.size - Space::kDimension;
  int position = front.eliminated;
  for (const auto& open : body.open) {
    const auto& sigma = work.values[at(open.row)];
    for (int m = 0; m < Space::kDimension; ++m) P(m) -= front.xi(motion + m, position) * sigma;
    ++position;
  }
  return P;
}

// Impulses of all cuts from the rows' sigma, with what couplings add along H; world axes at O.
template <class Space>
void cut_impulses(const System<Space>& system, Work<Space>& work) {
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& joint = system.joint(c);
    typename Space::Force T = Space::Force::Zero();
    for (int i = 0; i < joint.constraints; ++i) {
      T(joint.constrained[at(i)]) = work.values[at(joint.row + i)];
    }
    for (const auto& coupling : system.couplings) {
      const auto& sigma = work.values[at(coupling.row)];
      if (coupling.joint == c) T(joint.along) += sigma;
      if (coupling.to == c) T(joint.along) -= typename Space::Scalar(coupling.ratio) * sigma;
    }
    work.impulse[at(c)] = work.kin.joint(c).to_world_force(T);
  }
}

// The right-hand side -D^T W of all cuts for a motion W(c) of each that is not the cut's own to
// give, world axes at O; with it the part of couplings at cuts.
template <class Space, class Given>
void prescribe_cuts(const System<Space>& system, const Given& W, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& joint = system.joint(c);
    const typename Space::Motion W_J = work.kin.joint(c).to_joint_motion(W(c));
    for (int i = 0; i < joint.constraints; ++i) {
      work.r[at(joint.row + i)] -= W_J(joint.constrained[at(i)]);
    }
    for (const auto& coupling : system.couplings) {
      if (coupling.joint == c) work.r[at(coupling.row)] -= W_J(joint.along);
      if (coupling.to == c) work.r[at(coupling.row)] += Scalar(coupling.ratio) * W_J(joint.along);
    }
  }
}

}  // namespace hamiltree::recursive
