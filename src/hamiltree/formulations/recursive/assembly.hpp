// Backward pass of the recursive algorithm: from the tips to the base, every joint is eliminated
// from the articulated inertia of its subtree [Naudet2003 eqs. 42-48], and every loop at the body
// that has all of it behind it. With F the open rows' impulses and Psi their mobility,
//   P = M V + D - F sigma,      w = F^T V + b + Psi sigma
// are the momentum behind a joint and the opening velocities of the rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "hamiltree/base/flat.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/recursive/work.hpp"
#include "hamiltree/math/ldl.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree::recursive {

// S^-T M S^-1: an inertia in screw coordinates; back with -h.
template <class Space>
void to_screw_inertia([[maybe_unused]] double h, [[maybe_unused]] typename Space::Inertia& M) {
  if constexpr (!Space::kIsPlanar) {
    if (h == 0.0) return;
    M.col(5) += typename Space::Scalar(h) * M.col(2);
    M.row(5) += typename Space::Scalar(h) * M.row(2);
  }
}

// How far the leaders of curved couplings move their rows, at this pose.
template <class Space>
void set_ports(const System<Space>& system, Work<Space>& work) {
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    const auto& coupling = system.couplings[i];
    if (!coupling.is_curved()) continue;
    auto& leader = work.bodies[at(coupling.to)];
    for (auto& open : leader.open) {
      if (open.row == coupling.row) open.port = -leader.outward * work.kin.couplings[i].slope;
    }
  }
}

// Poses of all bodies, joint frames, and the way from each body to its inboard one.
template <class Space>
void place_bodies(const System<Space>& system, const typename Space::Scalar& t,
                  const typename Space::Scalar* q, Work<Space>& work) {
  auto& kin = work.kin;
  evaluate_drives(system, t, kin);
  for (int b = 0; b < system.body_count(); ++b) {
    auto& body = work.bodies[at(b)];
    body.X_IJ = pose_in_inboard(system.joint(b), kin, q);
    place_body(system, b, body.X_IJ, kin);
    kin.joints[at(b)].X_WJ = joint_frame(system, kin, b);
    if (!body.apart) continue;
    body.X_JB = inverse(kin.joint(b).X_WJ) * kin.pose(b);
    body.X_IJ = inverse(kin.pose(system.inboard(b))) * kin.joint(b).X_WJ;
  }
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    kin.joints[at(c)].X_WJ = joint_frame(system, kin, c);
  }
  place_couplings(system, q, kin);
  set_ports(system, work);
}

// The rows of a body that its own cuts open: F in its axes.
template <class Space>
void open_rows(int b, Work<Space>& work) {
  auto& front = work.fronts[at(b)];
  const int motion = front.size - Space::kDimension;
  for (auto& xi : front.Xi) xi = typename Space::Scalar(0);
  const auto& X_WB = work.kin.X_WB[at(b)];
  for (const auto& end : work.ends[at(b)]) {
    typename Space::Force e = Space::Force::Zero();
    e(end.component) = typename Space::Scalar(end.factor);
    const auto& frame = work.kin.joint(end.joint);
    const auto F =
        unrotate<Space>(X_WB.R, shift_force<Space>(frame.X_WJ.r - X_WB.r, frame.to_world_force(e)));
    for (int m = 0; m < Space::kDimension; ++m) front.xi(motion + m, end.position) += F(m);
  }
}

// The front of a body: its rows as its outboard neighbours left them, then -M for its motion.
// Eliminating the rows that close here adds their stiffness to M.
template <class Space>
void close_rows(int b, Work<Space>& work) {
  auto& front = work.fronts[at(b)];
  if (front.order.empty()) return;
  auto& M = work.bodies[at(b)].M;
  const int motion = front.size - Space::kDimension;
  for (int i = 0; i < Space::kDimension; ++i) {
    for (int k = 0; k <= i; ++k) front.xi(motion + i, motion + k) = -M(i, k);
  }
  block_elimination::factor(front);
  for (int i = 0; i < Space::kDimension; ++i) {
    for (int k = 0; k <= i; ++k) M(i, k) = M(k, i) = -front.xi(motion + i, motion + k);
  }
}

// Eliminates the joint of one body, all in its coordinates:
//   (1)  U  = M H,  Mj = H^T U + I_a,  W = U Mj^-1
//   (2)  M' = M - W U^T
//   (3)  phi = H^T F + c,  F' = F - W phi         c: the joint's own factors in couplings
// The joint's rows and columns of M' vanish and its rows of F' are -c; setting them so keeps the
// digits of slender links. With an armature I_a they become M' H = I_a W and H^T F' = I_a Mj^-1 phi
// - c.
template <class J, class Space>
void eliminate_joint(double armature, Articulated<Space>& body, typename Space::Inertia& M) {
  using Scalar = typename Space::Scalar;
  constexpr int n = J::kVelocities;
  if constexpr (n > 0) {
    // (1)
    using Small = Eigen::Matrix<Scalar, n, n>;
    const auto U = motion_columns<J, Space>(M);
    Small inertia = motion_rows<J, Space>(U);
    if (armature > 0.0) inertia.diagonal().array() += Scalar(armature);
    const Small inverse = Ldl<Scalar, n>(inertia).solve(Small(Small::Identity()));
    const Eigen::Matrix<Scalar, Space::kDimension, n> W = U * inverse;
    body.Mj.template topLeftCorner<n, n>() = inverse;
    body.W.template leftCols<n>() = W;
    // (2)
    M -= W * U.transpose();
    for (const int m : J::kMotion) {
      M.row(m).setZero();
      M.col(m).setZero();
    }
    for (int i = 0; armature > 0.0 && i < n; ++i) {
      const typename Space::Motion rest = Scalar(armature) * W.col(i);
      M.row(J::kMotion[at(i)]) = rest.transpose();
      M.col(J::kMotion[at(i)]) = rest;
    }
    // (3)
    for (auto& open : body.open) {
      Eigen::Matrix<Scalar, n, 1> phi = project_motion<J, Space>(open.F);
      phi(0) += open.port;
      const Eigen::Matrix<Scalar, n, 1> rate = inverse * phi;
      open.F -= W * phi;
      for (int i = 0; i < n; ++i) open.F(J::kMotion[at(i)]) = Scalar(0);
      open.F(J::kMotion[0]) = -open.port;
      for (int i = 0; armature > 0.0 && i < n; ++i)
        open.F(J::kMotion[at(i)]) += Scalar(armature) * rate(i);
      open.phi.template head<n>() = phi;
      open.rate.template head<n>() = rate;
    }
  } else {
    static_cast<void>(armature);
    static_cast<void>(body);
    static_cast<void>(M);
  }
}

// Adds what is behind a joint to the front further in: Psi' = Psi + phi^T Mj^-1 phi, and F'.
template <class J, class Space>
void pass_rows(const System<Space>& system, int b, Work<Space>& work) {
  constexpr int n = J::kVelocities;
  const auto& body = work.bodies[at(b)];
  const auto& own = work.fronts[at(b)];
  auto& front = work.fronts[body.into];
  const int motion = front.size - Space::kDimension;
  const int count = static_cast<int>(body.open.size());
  for (int i = 0; i < count; ++i) {
    const auto& open = body.open[at(i)];
    for (int k = 0; k <= i; ++k) {
      const auto& other = body.open[at(k)];
      auto Psi = own.xi(own.eliminated + i, own.eliminated + k);
      if constexpr (n > 0) Psi += open.phi.template head<n>().dot(other.rate.template head<n>());
      front.add(open.to, other.to, Psi);
    }
    if (system.inboard(b) == kNone) continue;
    typename Space::Force F = open.F;
    from_screw_force<Space>(system.joint(b).pitch, F);
    F = force_to_parent<Space>(body.X_IJ, F);
    for (int m = 0; m < Space::kDimension; ++m) front.xi(motion + m, open.to) += F(m);
  }
}

// One body: closes loops, eliminates the joint, adds to the inboard body.
template <class Space>
void assemble_body(const System<Space>& system, int b, block_elimination::RowChoice rows,
                   Work<Space>& work) {
  auto& body = work.bodies[at(b)];
  const auto& joint = system.joint(b);
  const int inboard = system.inboard(b);
  if (work.fronts[at(b)].size > 0) {
    if (rows == block_elimination::RowChoice::kChoose) block_elimination::choose_rows(b, work);
    close_rows(b, work);
  }
  auto M = body.M;
  if (body.apart) M = inertia_to_parent<Space>(body.X_JB, M);
  to_screw_inertia<Space>(joint.pitch, M);
  const auto& front = work.fronts[at(b)];
  const int motion = front.size - Space::kDimension;
  int position = front.eliminated;
  for (auto& open : body.open) {
    for (int m = 0; m < Space::kDimension; ++m) open.F(m) = front.xi(motion + m, position);
    if (body.apart) open.F = force_to_parent<Space>(body.X_JB, open.F);
    to_screw_force<Space>(joint.pitch, open.F);
    ++position;
  }
  visit_joint<Space>(joint, [&]<class J>(const J&) {
    eliminate_joint<J, Space>(joint.armature, body, M);
    if (!body.open.empty()) pass_rows<J>(system, b, work);
  });
  if (inboard == kNone) return;
  to_screw_inertia<Space>(-joint.pitch, M);
  work.bodies[at(inboard)].M += inertia_to_parent<Space>(body.X_IJ, M);
}

// The factors of all bodies and fronts at placed bodies.
template <class Space>
void assemble(const System<Space>& system, block_elimination::RowChoice rows, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  for (int b = 0; b < system.body_count(); ++b) {
    work.bodies[at(b)].M = to_matrix<Space>(system.carried(b));
    if (work.fronts[at(b)].size > 0) flat<Scalar>([&] { open_rows(b, work); });
  }
  for (const auto& ground : work.ground) {
    for (auto& xi : work.fronts[ground.front].Xi) xi = Scalar(0);
  }
  for (int b = system.body_count() - 1; b >= 0; --b) {
    flat<Scalar>([&] { assemble_body(system, b, rows, work); });
  }
  // Loops over the ground
  for (const auto& ground : work.ground) {
    auto& front = work.fronts[ground.front];
    for (const auto& side : ground.joined) {
      block_elimination::extend_add(work.fronts[side.front], side.to, front);
    }
    if (rows == block_elimination::RowChoice::kChoose) {
      block_elimination::choose_rows(static_cast<int>(ground.front), work);
    }
    block_elimination::factor(front);
  }
}

}  // namespace hamiltree::recursive
