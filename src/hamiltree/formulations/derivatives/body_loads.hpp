// Loads on bodies of the tree. With L the load of an element on its child, -L that on its parent, s
// the side of an axis as in loop_rows.hpp, and dL found from what the displacements and motions of
// both ends do (load_slopes.hpp):
//   pdot_k += s_k S_k L
//   d pdot_k / d q_j += s_k (S_k dL_j + m U S_j)     U = S_k x* L, m: 1 where j moves the axis
//   d pdot_k / d v_j += s_k S_k dL_j
#pragma once

#include "hamiltree/formulations/derivatives/loop_rows.hpp"

namespace hamiltree::derivatives {

// As an axis displaces, the motion of a body outboard of it changes by S x V + Psi.
template <int kDim>
inline void displace_end(const Tables& tables, int body, const std::vector<Signs>& columns,
                         const LoadSlope::End& end, Work& work) {
  if (body == kNothing) return;
  const Screw V = motion_of<kDim>(body, work);
  for (int i = 0; i < kDim; ++i) {
    Lanes by_axis;
    put<kDim>(screw_of<kDim>(end.displaced[i]) + cross_force(V, screw_of<kDim>(end.moved[i])),
              by_axis);
    for (const auto& [pack, sign] : columns) {
      const Pack moves = pattern(tables, sign);
      const Pack change =
          product<kDim>(by_axis, work.q_S, pack) + product<kDim>(end.moved[i], work.q_Psi, pack);
      Lanes& displaced = work.displaced_load.row(i)[pack];
      Lanes& moved = work.moved_load.row(i)[pack];
      store(pack_of(displaced) + moves * change, displaced);
      store(pack_of(moved) + moves * product<kDim>(end.moved[i], work.q_S, pack), moved);
    }
  }
}

template <int kDim>
inline void differentiate_load(const Tables& tables, const LoadedPair& pair, const LoadSlope& slope,
                               Work& work) {
  work.displaced_load.clear();
  work.moved_load.clear();
  displace_end<kDim>(tables, pair.child, pair.child_moved, slope.child, work);
  displace_end<kDim>(tables, pair.parent, pair.parent_moved, slope.parent, work);
  const Screw L = screw_of<kDim>(slope.load);
  for (std::size_t i = 0; i < pair.axes.size(); ++i) {
    const auto& [axis, column, side] = pair.axes[i];
    Lanes* p_dot = work.P_dot.row(axis);
    Lanes U, S;
    const Screw motion = screw_of<kDim>(work.v_S.columns().of(axis));
    put<kDim>(cross_force(motion, L), U);
    put<kDim>(motion * side, S);
    for (int pack = 0; pack < tables.q_packs; ++pack)
      store(pack_of(p_dot[pack]) + product<kDim>(S, work.displaced_load, pack), p_dot[pack]);
    for (const auto& [pack, sign] : pair.moved_by[i])
      store(pack_of(p_dot[pack]) + pattern(tables, sign) * product<kDim>(U, work.q_S, pack),
            p_dot[pack]);
  }
  for (const auto& [pack, sides] : pair.sides) {
    const PackColumns<kDim> S(work.q_S, pack);
    const auto slopes = work.slopes.column(pack);
    for (const auto& mover : pair.movers) {
      const Pack change = S.product(work.moved_load.columns().of(mover.column));
      store(pack_of(slopes[mover.axis]) + pattern(tables, sides) * change, slopes[mover.axis]);
    }
  }
}

template <int kDim>
inline void differentiate_loads(const Tables& tables, Work& work) {
  for (std::size_t i = 0; i < tables.loads.size(); ++i)
    differentiate_load<kDim>(tables, tables.loads[i], work.load_slopes[i], work);
}

}  // namespace hamiltree::derivatives
