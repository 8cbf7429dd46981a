// Results common to all formulations: the results of one evaluation and the
// kinematics and loads that led to them. Kernels derive their Work from it.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/forces/loads.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/state_form.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree {

template <class Scalar>
struct RateResult {
  std::vector<Scalar> v;      // joint velocities
  std::vector<Scalar> q_dot;  // rates of the coordinates; v itself but for quasi-velocities
  std::vector<Scalar> p_dot;  // rates of the momenta
  std::vector<Scalar> sigma;  // impulses of cuts and couplings, N s and N m s, rows as Phi
  // Only of accelerations():
  std::vector<Scalar> v_dot;   // rates of the joint velocities
  std::vector<Scalar> lambda;  // forces of cuts and couplings, N and N m, rows as Phi
};

template <class Space>
struct RateWork {
  using Scalar = typename Space::Scalar;

  explicit RateWork(const System<Space>& system)
      : kin(system),
        loads(system),
        A(system.bodies.size(), Space::Motion::Zero()),
        gamma(system.joints.size(), Space::Motion::Zero()),
        wrench(system.joints.size(), Space::Force::Zero()) {
    const auto nv = at(system.velocities);
    result.v.assign(nv, Scalar(0));
    result.p_dot.assign(nv, Scalar(0));
    result.q_dot.assign(at(system.coordinates), Scalar(0));
    result.sigma.assign(at(system.constraints), Scalar(0));
    result.v_dot.assign(nv, Scalar(0));
    result.lambda.assign(at(system.constraints), Scalar(0));
  }

  RateResult<Scalar> result;
  Kinematics<Space> kin;
  Loads<Space> loads;
  std::vector<typename Space::Motion> A;      // accelerations at the bodies' origins, world axes
  std::vector<typename Space::Motion> gamma;  // bias accelerations of joints, world axes at O
  // The load of each joint on its child, efforts along it included; world axes at O.
  std::vector<typename Space::Force> wrench;
};

// Adds the cut loads L_c = -(Sdot_c D_c + Ddot_c) sigma_c = -V_J x* (D_c sigma_c) to both sides of
// every cut [Chadaj2017 eq. 77, for any number of cuts]. F: what joints carry, world axes at O, of
// which only the cuts are read; it turns with their frames J.
template <class Space>
void add_cut_loads(const System<Space>& system, const std::vector<typename Space::Force>& F,
                   RateWork<Space>& work) {
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& joint = system.joint(c);
    apply_pair<Space>(work.kin, joint.parent, joint.child, work.kin.origin(c),
                      -cross_force<Space>(frame_motion(system, work.kin, c), F[at(c)]),
                      work.loads.body);
  }
}

// p_dot of a tree joint from the rate of what it transmits, Qbar - V_J x* Pbar in its coordinates:
// the components along H, and the effort.
template <class Space>
void set_momentum_rate(const Joint<Space>& joint, int b, const typename Space::Force& rate,
                       RateWork<Space>& work) {
  auto* p_dot = work.result.p_dot.data();
  for (int i = 0; i < joint.velocities; ++i) {
    p_dot[joint.v + i] = rate(joint.free[at(i)]);
    if (joint.along != kNone) p_dot[joint.v + i] += work.loads.effort[at(b)];
  }
}

// p_dot = H^T (Qbar - V_J x* Pbar) + effort [Naudet2003 eq. 35, Chadaj2017 eq. 77]. Pbar: what the
// joint gives to its child, world axes at O; Qbar: the load of the body outboard of it, with all
// bodies further out, world axes at its origin.
template <class Space>
void momentum_rate(const System<Space>& system, int b, const typename Space::Force& Pbar,
                   const typename Space::Force& Qbar, RateWork<Space>& work) {
  const typename Space::Force rate = at_joint(system, work.kin, b, Qbar) -
                                     cross_force<Space>(frame_motion(system, work.kin, b), Pbar);
  set_momentum_rate(system.joint(b), b, work.kin.joint(b).to_joint_force(rate), work);
}

// p_dot += leak A^T sigma
template <class Space>
void add_leak(const System<Space>& system, double leak, RateWork<Space>& work) {
  add_loop_impulses(system, typename Space::Scalar(leak), work.result.sigma.data(), work.kin,
                    work.result.p_dot.data());
}

// Adds the efforts along joints whose velocity is not in the state to their wrenches: the bodies
// felt them as loads.
template <class Space>
void add_outside_efforts(const System<Space>& system, RateWork<Space>& work) {
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    if (joint.has_velocity() || joint.along == kNone) continue;
    typename Space::Force F = Space::Force::Zero();
    F(joint.along) = work.loads.effort[at(j)];
    work.wrench[at(j)] += work.kin.joint(j).to_world_force(F);
  }
}

// Power of drives and moving frames, after the wrenches: their motion times what the joint
// transmits, less what its own efforts along a driven coordinate do, which others account for.
//   sum_k F_k^T Omega_t,k - effort_k sdot_k
template <class Space>
typename Space::Scalar driven_power(const System<Space>& system, const RateWork<Space>& work) {
  typename Space::Scalar power(0);
  for (int j = 0; j < system.joint_count(); ++j) {
    const int drive = system.joint(j).drive;
    if (drive == kNone) continue;
    power += work.wrench[at(j)].dot(prescribed_motion(system, work.kin, j));
    if (system.drives[at(drive)].coordinate) {
      power -= work.loads.effort[at(j)] * work.kin.drives[at(drive)].coordinate.rate;
    }
  }
  return power;
}

// Adds the work of a joint's drive as it comes out of rates, without accelerations. With Pbar and
// Qbar as in momentum_rate(), both at O, the joint transmits F = d(Pbar)/dt - Qbar, and so
//   (1)  int F^T Omega_t dt = [Pbar^T Omega_t] - int (Pbar^T Psi + Qbar^T Omega_t) dt
//   (2)  Psi = V_parent x Omega_t + Omega_t'        its rate in the world
// An effort along a joint without a velocity, which the bodies felt as a load, is transmitted too:
// a frame that moves along it does
//   (3)  effort (H^T Omega_t - sdot)                sdot of a driven joint, for others 0
// Velocities must be moved.
template <class Space>
void add_driven_work(const System<Space>& system, const Kinematics<Space>& kin, int j,
                     const typename Space::Force& Pbar, const typename Space::Force& Qbar,
                     double effort, WorkRate& work) {
  using Motion = typename Space::Motion;
  const auto& joint = system.joint(j);
  const auto& drive = kin.drives[at(joint.drive)];
  // A driven joint of the tree is fixed to F.
  const bool is_fixed = joint.type == JointType::kFixed && !joint.reversed && !joint.is_cut();
  const auto X_WF = is_fixed ? kin.pose(joint.child) : parent_frame(system, kin, j);
  const auto seen_at_O = [&](const Motion& V) {
    return shift_motion<Space>(kin.origin(j) - X_WF.r, rotate<Space>(X_WF.R, V));
  };
  const Motion Omega = seen_at_O(drive.V);
  // (2)
  const Motion Psi = cross_motion<Space>(kin.velocity_at(joint.parent, kin.origin(j)), Omega) +
                     seen_at_O(drive.V_dot);
  // (1)
  work.stored = work.stored.value_or(0.0) + Pbar.dot(Omega);
  work.power.driven -= Pbar.dot(Psi) + Qbar.dot(Omega);
  // (3)
  if (joint.has_velocity() || joint.along == kNone || effort == 0.0) return;
  const bool is_driven = system.drives[at(joint.drive)].coordinate.has_value();
  const double s_dot = is_driven ? kin.drives[at(joint.drive)].coordinate.rate : 0.0;
  work.power.driven += effort * (kin.joint(j).to_joint_motion(Omega)(joint.along) - s_dot);
}

// v_dot from the accelerations of the bodies (world axes, at their origins).
//   v_dot_k = H_k^T (A_child - A_parent - gamma)
template <class Space>
void finish_accelerations(const System<Space>& system, RateWork<Space>& work) {
  for (auto& v_dot : work.result.v_dot) v_dot = typename Space::Scalar(0);
  const auto acceleration_at = [&](int body, const typename Space::Position& x) {
    if (body == kNone) return typename Space::Motion(Space::Motion::Zero());
    return shift_motion<Space>(x - work.kin.X_WB[at(body)].r, work.A[at(body)]);
  };
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    const auto& O = work.kin.origin(b);
    add_free(
        joint,
        work.kin.joint(b).to_joint_motion(acceleration_at(joint.child, O) -
                                          acceleration_at(joint.parent, O) - work.gamma[at(b)]),
        work.result.v_dot.data());
  }
}

}  // namespace hamiltree
