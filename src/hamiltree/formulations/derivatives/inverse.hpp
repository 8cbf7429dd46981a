// Inverse: what a motion asks for, in one sweep over the bodies and without any factorisation:
// momenta and their rates from velocities, forces from accelerations. Templates over the Scalar, so
// that they can be differentiated; the unknowns of the equations of motion are inputs here.
#pragma once

#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/model/accelerations.hpp"

namespace hamiltree::derivatives {

template <class Space>
struct Inverse : RateWork<Space> {
  using Scalar = typename Space::Scalar;
  using Force = typename Space::Force;
  using Motion = typename Space::Motion;

  explicit Inverse(System<Space> tables)
      : RateWork<Space>(tables),
        system(std::move(tables)),
        q(at(system.coordinates)),
        v(at(system.velocities)),
        v_dot(v.size()),
        impulses(at(system.constraints)),
        efforts(system.joints.size()),
        generalized(v.size()),
        closing(impulses.size()),
        transmitted(system.bodies.size(), Force::Zero()) {}

  System<Space> system;
  // In
  Scalar t{0};
  std::vector<Scalar> q, v, v_dot;
  std::vector<Scalar> impulses;  // of the rows of cuts and couplings; forces of accelerations
  std::vector<Scalar> efforts;   // of each joint, besides those of the forces on it
  // Out: p or the missing efforts, and by how much the rows are missed; result.q_dot and p_dot
  std::vector<Scalar> generalized, closing;

  std::vector<Force> transmitted;  // by the tree joints, world axes at their bodies' origins
};

// Takes what the rows of cuts and couplings carry off `generalized` and off what is transmitted.
template <class Space>
void take_off_impulses(Inverse<Space>& work) {
  using Scalar = typename Space::Scalar;
  work.transmitted = work.kin.P;
  if (work.system.constraints == 0) return;
  add_loop_impulses(work.system, Scalar(-1), work.impulses.data(), work.kin,
                    work.generalized.data());
  for (std::size_t b = 0; b < work.transmitted.size(); ++b) work.transmitted[b] += work.kin.P[b];
}

// The momenta of a motion with these impulses in its loops, and how fast the loops open:
//   (1)  p = M v + b - A^T sigma
//   (2)  A v + a
template <class Space>
void invert_velocities(Inverse<Space>& work) {
  const auto& system = work.system;
  place(system, work.t, work.q.data(), work.kin);
  move(system, work.v.data(), work.kin);
  momenta(system, work.kin, work.generalized.data());
  take_off_impulses(work);
  velocity_residual(system, work.kin, work.closing.data());
}

template <class Space>
void add_efforts(Inverse<Space>& work) {
  const auto& system = work.system;
  for (int j = 0; j < system.joint_count(); ++j) {
    if (system.joint(j).along == kNone) continue;
    apply_effort(system, work.kin, j, work.efforts[at(j)], work.loads);
  }
}

// What the rows of cuts and couplings carry, on the children of all cuts.
template <class Space>
void find_cut_wrenches(Inverse<Space>& work) {
  const auto& system = work.system;
  const typename Space::Scalar one(1);
  for (int c = system.body_count(); c < system.joint_count(); ++c)
    work.wrench[at(c)] = cut_impulse(system, work.kin, c, one, work.impulses.data());
  coupled_cut_impulses(system, work.kin, one, work.impulses.data(),
                       [&](int c, const typename Space::Force& F) { work.wrench[at(c)] += F; });
}

// qdot and pdot, after invert_velocities(), of formulations with this leak.
template <class Space>
void evaluate_rates(double leak, Inverse<Space>& work) {
  const auto& system = work.system;
  coordinate_rates(system, work.q.data(), work.v.data(), work.result.q_dot.data());
  evaluate_loads(system, work.kin, work.t, work.q.data(), work.loads);
  add_efforts(work);
  find_cut_wrenches(work);
  add_cut_loads(system, work.wrench, work);
  accumulate(system, work.kin, work.loads.body);
  for (int b = 0; b < system.body_count(); ++b) {
    momentum_rate(system, b, at_joint(system, work.kin, b, work.transmitted[at(b)]),
                  work.loads.body[at(b)], work);
  }
  add_coupling_rates(system, work.kin, work.v.data(), work.impulses.data(),
                     work.result.p_dot.data());
  if (leak == 0.0) return;
  work.result.sigma = work.impulses;
  add_leak(system, leak, work);
}

// Accelerations of all bodies, spatial, at their origins in world axes.
template <class Space>
void accelerate(Inverse<Space>& work) {
  const auto& system = work.system;
  for (int j = 0; j < system.joint_count(); ++j) {
    work.gamma[at(j)] = bias_acceleration(system, work.kin, j);
  }
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    const int inboard = system.inboard(b);
    typename Space::Motion A =
        work.kin.joint(b).to_world_motion(from_free(joint, work.v_dot.data()));
    A += work.gamma[at(b)];
    if (joint.reversed) A = -A;
    const auto& O = work.kin.origin(b);
    if (inboard != kNone)
      A += shift_motion<Space>(O - work.kin.pose(inboard).r, work.A[at(inboard)]);
    work.A[at(b)] = shift_motion<Space>(work.kin.pose(b).r - O, A);
  }
}

// D^T (A_child - A_parent - gamma) of all cuts, and by how much couplings are missed.
template <class Space>
void close_accelerations(Inverse<Space>& work) {
  const auto& system = work.system;
  const auto& kin = work.kin;
  const auto of = [&](int body, const typename Space::Position& x) {
    if (body == kNone) return typename Space::Motion(Space::Motion::Zero());
    return shift_motion<Space>(x - kin.pose(body).r, work.A[at(body)]);
  };
  const auto at_cut = [&](int c) -> typename Space::Motion {
    const auto& joint = system.joint(c);
    const auto& O = kin.origin(c);
    return kin.joint(c).to_joint_motion(of(joint.child, O) - of(joint.parent, O) -
                                        work.gamma[at(c)]);
  };
  for (int c = system.body_count(); c < system.joint_count(); ++c) {
    const auto& joint = system.joint(c);
    const typename Space::Motion A = at_cut(c);
    for (int i = 0; i < joint.constraints; ++i) {
      work.closing[at(joint.row + i)] = A(joint.constrained[at(i)]);
    }
  }
  const auto along = [&](int j) {
    const auto& joint = system.joint(j);
    return joint.has_velocity() ? work.v_dot[at(joint.v)] : at_cut(j)(joint.along);
  };
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    const auto& coupling = system.couplings[i];
    auto& closing = work.closing[at(coupling.row)];
    closing = along(coupling.joint) - kin.couplings[i].slope * along(coupling.to);
    if (coupling.is_curved()) closing -= coupling_bias(system, kin, work.v.data(), i);
  }
}

// The efforts that an acceleration misses, with these forces in the loops, and by how much it opens
// them:
//   (3)  H^T (sum over the subtree of M A + V x* (M V) - load) - A^T lambda - effort
//   (4)  A vdot - its value along the loops
template <class Space>
void invert_accelerations(Inverse<Space>& work) {
  const auto& system = work.system;
  auto& kin = work.kin;
  place(system, work.t, work.q.data(), kin);
  move(system, work.v.data(), kin);
  evaluate_loads(system, kin, work.t, work.q.data(), work.loads);
  add_efforts(work);
  accelerate(work);
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& R = kin.pose(b).R;
    const typename Space::Motion A = unrotate<Space>(R, work.A[at(b)]);
    kin.P[at(b)] = rotate<Space>(R, momentum<Space>(system.body(b), A)) -
                   gyroscopic_load(system, kin, b) - work.loads.body[at(b)];
  }
  accumulate(system, kin, kin.P);
  for (auto& effort : work.generalized) effort = typename Space::Scalar(0);
  add_along_joints(system, kin, kin.P, work.generalized.data());
  for (int b = 0; b < system.body_count(); ++b) {
    const auto& joint = system.joint(b);
    if (!joint.has_velocity()) continue;
    if (joint.along != kNone) work.generalized[at(joint.v)] -= work.loads.effort[at(b)];
    for (int i = 0; joint.armature > 0.0 && i < joint.velocities; ++i) {
      const auto k = at(joint.v + i);
      work.generalized[k] += typename Space::Scalar(joint.armature) * work.v_dot[k];
    }
  }
  take_off_impulses(work);
  close_accelerations(work);
}

}  // namespace hamiltree::derivatives
