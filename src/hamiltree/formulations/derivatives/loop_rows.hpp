// Rows of loops: what cuts and couplings add to joint space. With w the wrench of a row, W = sum of
// sigma w the one of a cut, which turns with the child, V_c and V_p the motions of its ends, Z =
// V_c x* W, and s the side of an axis (1 outboard of which is the child alone, -1 the parent
// alone):
//   A(r, j) = s_j w S_j
//   d(A v)_r / d q_j = s_j (w Psi_j + (V_p x* w) S_j)
//   d pdot_k / d sigma_r = -s_k (w S'_k + (V_c x* w) S_k)
// A^T sigma at the axis k changes as j displaces only where j moves one of the axis and the child:
//   d(A^T sigma)_k / d q_j = -e U_j S_k     d pdot_k / d v_j = e U_j S_k     U_j = S_j x* W
//   d pdot_k / d q_j = e (U_j S'_k + (Psi_j x* W + S_j x* Z) S_k)
// with e the side of k if j moves the axis alone, less that if j moves the child alone. As U_j S_k
// is -U_k S_j, it tells of the impulse at either axis as the other displaces. Where the formulation
// lets impulses leak, that is taken off V_c x* w, and U_j off Psi_j x* W + S_j x* Z.
#pragma once

#include "hamiltree/formulations/derivatives/axes.hpp"
#include "hamiltree/formulations/derivatives/products.hpp"
#include "hamiltree/formulations/kernel/rows.hpp"

namespace hamiltree::derivatives {

// To one column of a matrix.
template <int kDim>
inline void put(const Screw& x, PackMatrix& to, int column) {
  Lanes entries;
  put<kDim>(x, entries);
  for (int i = 0; i < kDim; ++i) to.entries(i)[column] = entries.lane[i];
}

template <int kDim>
inline void find_wrenches(const LoopCut& cut, const kernel::Work& placed, Work& work) {
  const auto& w = placed.cuts[at(cut.cut)];
  const bool from_child = cut.child != kNothing;
  const auto& body = placed.bodies[at(from_child ? cut.child : cut.parent)];
  const Four r = from_reference(body.r, work) + load(w.lever[from_child ? 0 : 1]);
  for (const auto& row : cut.rows) {
    const auto [force, moment] = kernel::wrench_of(row, w);
    put<kDim>(force_from(r, Screw{force, moment}), work.wrench, row.row);
  }
}

// -A as columns of K, eight rows at a time: all axes on a row's way are eliminated before it.
template <int kDim>
inline void find_loop_rows(const Tables& tables, const kernel::Work& placed, Work& work) {
  for (const auto& cut : tables.cuts) find_wrenches<kDim>(cut, placed, work);
  const auto S = work.v_S.columns();
  for (int pack = 0; pack < tables.row_packs; ++pack) {
    const PackColumns<kDim> w(work.wrench, pack);
    const auto K = work.K.column(tables.v_packs + pack);
    for (const auto& [axis, sides] : tables.row_parts[at(pack)])
      store(-(pattern(tables, sides) * w.product(S.of(axis))), K[axis]);
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
    const auto w = work.wrench.columns().of(row.row);
    double sum = 0.0;
    for (int i = 0; i < kDim; ++i) sum += w[i] * relative.lane[i];
    opening[row.row] = sum;
  }
}

// The impulse of a cut and how it turns with the child; how its rows' wrenches turn with the parent
// while these stand still, and with the child.
struct CutImpulse {
  Screw W, Z;
  Lanes with_parent[6], with_child[6];
};

template <int kDim>
inline void displace_cut(const Tables& tables, const LoopCut& cut, const LoopColumns& columns,
                         const CutImpulse& at_cut, double leak, Work& work) {
  const int pack = columns.signs.pack;
  const bool is_of_state = pack < tables.q_packs;
  const PackColumns<kDim> S(work.q_S, pack), Psi(work.q_Psi, pack);
  const auto X = work.X.column(pack), P_dot = work.P_dot.column(pack);
  const auto slopes = work.slopes.column(pack);
  const Pack sides = pattern(tables, columns.signs.pattern);
  for (std::size_t i = 0; i < cut.rows.size(); ++i) {
    const int row = cut.rows[i].row, unknown = tables.unknown_of_row(row);
    const Pack moved = Psi.product(work.wrench.columns().of(row));
    if (is_of_state) store(sides * (moved + S.product(at_cut.with_parent[i])), X[unknown]);
    store(-(sides * (moved + S.product(at_cut.with_child[i]))), slopes[unknown]);
  }
  const LaneScrew W = in_all_lanes(at_cut.W), by_q = screw_of(S);
  const LaneScrew turned = cross_force(by_q, W);
  const PackColumns<kDim> U = columns_of<kDim>(turned);
  const PackColumns<kDim> Y = columns_of<kDim>(
      cross_force(screw_of(Psi), W) + cross_force(by_q, in_all_lanes(at_cut.Z)) + turned * -leak);
  const auto v_S = work.v_S.columns(), S_dot = work.q_Psi.columns();
  for (std::size_t i = 0; i < cut.axes.size(); ++i) {
    const auto& [axis, column, side] = cut.axes[i];
    const auto& [of, reversed] = columns.patterns[i];
    if (of == kNothing && reversed == kNothing) continue;
    const Pack impulse = U.product(v_S.of(axis));
    if (of != kNothing) {
      const Pack e = pattern(tables, of);
      store(pack_of(X[axis]) - e * impulse, X[axis]);
      store(pack_of(P_dot[axis]) + e * (Y.product(v_S.of(axis)) + U.product(S_dot.of(column))),
            P_dot[axis]);
    }
    if (reversed != kNothing)
      store(pack_of(slopes[axis]) - pattern(tables, reversed) * impulse, slopes[axis]);
  }
}

template <int kDim>
inline void differentiate_cut(const Tables& tables, const LoopCut& cut, const State& state,
                              Work& work) {
  const Screw child = motion_of<kDim>(cut.child, work);
  const Screw parent = motion_of<kDim>(cut.parent, work);
  CutImpulse at_cut;
  for (std::size_t i = 0; i < cut.rows.size(); ++i) {
    const int row = cut.rows[i].row;
    const Screw w = screw_of<kDim>(work.wrench.columns().of(row));
    at_cut.W = at_cut.W + w * state.sigma[row];
    put<kDim>(cross_force(parent, w), at_cut.with_parent[i]);
    put<kDim>(cross_force(child, w) + w * -state.leak, at_cut.with_child[i]);
  }
  at_cut.Z = cross_force(child, at_cut.W);
  for (const auto& columns : cut.columns)
    displace_cut<kDim>(tables, cut, columns, at_cut, state.leak, work);
}

// After differentiate_momenta().
template <int kDim>
inline void differentiate_loops(const Tables& tables, const State& state, Work& work) {
  for (const auto& cut : tables.cuts) differentiate_cut<kDim>(tables, cut, state, work);
  for (const auto& coupled : tables.coupled)
    for (std::size_t i = 0; i < 2; ++i)
      work.slopes.entries(tables.unknown_of_row(
          coupled.row))[tables.axes[at(coupled.axis[i])].column] = state.leak * coupled.factor[i];
}

}  // namespace hamiltree::derivatives
