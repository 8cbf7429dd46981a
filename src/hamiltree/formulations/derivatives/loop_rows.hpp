// Rows of loops: what cuts and couplings add to joint space. With w the wrench of a row, W = sum of
// sigma w the one of a cut, which turns with the child, V_c and V_p the motions of its ends, Z =
// V_c x* W, and s the side of an axis (1 outboard of which is the child alone, -1 the parent
// alone):
//   A(r, j) = s_j w S_j
//   d(A v)_r / d q_j = s_j (w Psi_j + (V_p x* w) S_j)
//   d pdot_k / d sigma_r = -s_k (w S'_k + (V_c x* w) S_k)
// A^T sigma at the axis k changes as j displaces only where j moves one of the axis and the child:
//   d(A^T sigma)_k / d q_j = e U S_j     d pdot_k / d v_j = -e U S_j     U = S_k x* W
//   d pdot_k / d q_j = -e (U Psi_j + (S'_k x* W + S_k x* Z) S_j)
// with e the side of k if j moves the axis alone, less that if j moves the child alone.
#pragma once

#include "hamiltree/formulations/derivatives/axes.hpp"
#include "hamiltree/formulations/derivatives/products.hpp"
#include "hamiltree/formulations/kernel/rows.hpp"

namespace hamiltree::derivatives {

template <int kDim>
inline void find_wrenches(const LoopCut& cut, const kernel::Work& placed, Work& work) {
  const auto& w = placed.cuts[at(cut.cut)];
  const bool from_child = cut.child != kNothing;
  const auto& body = placed.bodies[at(from_child ? cut.child : cut.parent)];
  const Four r = from_reference(body.r, work) + load(w.lever[from_child ? 0 : 1]);
  for (const auto& row : cut.rows) {
    const auto [force, moment] = kernel::wrench_of(row, w);
    put<kDim>(force_from(r, Screw{force, moment}), work.wrench[at(row.row)]);
  }
}

// Rows of -A as columns of K: all axes on a row's way are eliminated before it.
template <int kDim>
inline void find_loop_rows(const Tables& tables, const kernel::Work& placed, Work& work) {
  Lanes* A = work.loop_row.row(0);
  const double* entries = work.loop_row.entries(0);
  for (const auto& cut : tables.cuts) {
    find_wrenches<kDim>(cut, placed, work);
    for (const auto& row : cut.rows) {
      const Lanes& w = work.wrench[at(row.row)];
      for (const auto& [pack, sign] : cut.v)
        store(pack_of(sign) * product<kDim>(w, work.v_S, pack), A[pack]);
      const int unknown = tables.unknown_of_row(row.row);
      for (const auto& axis : cut.axes) work.K.entries(axis.axis)[unknown] = -entries[axis.axis];
    }
  }
  for (const auto& coupled : tables.coupled)
    for (std::size_t i = 0; i < 2; ++i)
      work.K.entries(coupled.axis[i])[tables.unknown_of_row(coupled.row)] = -coupled.factor[i];
}

template <int kDim>
inline Screw motion_of(int body, const Work& work) {
  return body == kNothing ? Screw{} : screw_of<kDim>(work.body_motion[at(body)]);
}

// How fast the rows open as the bodies move.
template <int kDim>
inline void find_opening(const LoopCut& cut, const Work& work, double* opening) {
  Lanes relative;
  const Screw child = motion_of<kDim>(cut.child, work), parent = motion_of<kDim>(cut.parent, work);
  put<kDim>({child.l - parent.l, child.a - parent.a}, relative);
  for (const auto& row : cut.rows) {
    const double* w = work.wrench[at(row.row)].lane;
    double sum = 0.0;
    for (int i = 0; i < kDim; ++i) sum += w[i] * relative.lane[i];
    opening[row.row] = sum;
  }
}

template <int kDim>
inline void differentiate_row(const Tables& tables, const LoopCut& cut, int row,
                              const Screw& parent, const Screw& child, Work& work) {
  const Lanes& w = work.wrench[at(row)];
  const Screw W = screw_of<kDim>(w);
  Lanes turned;
  put<kDim>(cross_force(parent, W), turned);
  Lanes* x = work.X.row(tables.unknown_of_row(row));
  for (const auto& [pack, sign] : cut.q) {
    const Pack opening = product<kDim>(w, work.q_Psi, pack) + product<kDim>(turned, work.q_S, pack);
    store(pack_of(sign) * opening, x[pack]);
  }
  put<kDim>(cross_force(child, W), turned);
  Lanes* rate = work.by_impulse.row(row);
  for (const auto& [pack, sign] : cut.v) {
    const Pack change =
        product<kDim>(w, work.v_S_dot, pack) + product<kDim>(turned, work.v_S, pack);
    store(-(pack_of(sign) * change), rate[pack]);
  }
}

template <int kDim>
inline void add_leak(const LoopCut& cut, int row, double leak, Work& work) {
  Lanes* rate = work.by_impulse.row(row);
  for (const auto& [pack, sign] : cut.v) {
    const Pack A = pack_of(sign) * product<kDim>(work.wrench[at(row)], work.v_S, pack);
    store(pack_of(rate[pack]) + A * Pack(leak), rate[pack]);
  }
}

// The impulses that stand still while axes and children turn.
template <int kDim>
inline void displace_impulses(const LoopCut& cut, const Screw& child, const State& state,
                              Work& work) {
  Screw W;
  for (const auto& row : cut.rows)
    W = W + screw_of<kDim>(work.wrench[at(row.row)]) * state.sigma[row.row];
  const Screw Z = cross_force(child, W);
  for (const auto& [axis, side, q, v] : cut.axes) {
    const Screw S = screw_at<kDim>(work.v_S, axis), S_dot = screw_at<kDim>(work.v_S_dot, axis);
    const Screw turned = cross_force(S, W);
    Lanes U, Y;
    put<kDim>(turned, U);
    put<kDim>(cross_force(S_dot, W) + cross_force(S, Z), Y);
    Lanes *x = work.X.row(axis), *p_dot = work.P_dot.row(axis), *by_v = work.by_velocity.row(axis);
    for (const auto& [pack, sign] : q) {
      const Pack e = pack_of(sign), impulse = e * product<kDim>(U, work.q_S, pack);
      const Pack rate = product<kDim>(U, work.q_Psi, pack) + product<kDim>(Y, work.q_S, pack);
      store(pack_of(x[pack]) + impulse, x[pack]);
      store(pack_of(p_dot[pack]) - e * rate + impulse * Pack(state.leak), p_dot[pack]);
    }
    for (const auto& [pack, sign] : v) {
      const Pack change = pack_of(sign) * product<kDim>(U, work.v_S, pack);
      store(pack_of(by_v[pack]) - change, by_v[pack]);
    }
  }
}

// After differentiate_momenta().
template <int kDim>
inline void differentiate_loops(const Tables& tables, const State& state, Work& work) {
  for (const auto& cut : tables.cuts) {
    const Screw child = motion_of<kDim>(cut.child, work);
    const Screw parent = motion_of<kDim>(cut.parent, work);
    for (const auto& row : cut.rows) {
      differentiate_row<kDim>(tables, cut, row.row, parent, child, work);
      if (state.leak != 0.0) add_leak<kDim>(cut, row.row, state.leak, work);
    }
    displace_impulses<kDim>(cut, child, state, work);
  }
  for (const auto& coupled : tables.coupled)
    for (std::size_t i = 0; i < 2; ++i)
      work.by_impulse.entries(coupled.row)[coupled.axis[i]] = state.leak * coupled.factor[i];
}

}  // namespace hamiltree::derivatives
