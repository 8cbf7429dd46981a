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
inline void displace_end(int body, const std::vector<Signs>& q, const std::vector<Signs>& v,
                         const LoadSlope::End& end, Work& work) {
  if (body == kNothing) return;
  const Screw V = motion_of<kDim>(body, work);
  for (int i = 0; i < kDim; ++i) {
    Lanes by_axis;
    put<kDim>(screw_of<kDim>(end.displaced[i]) + cross_force(V, screw_of<kDim>(end.moved[i])),
              by_axis);
    for (const auto& [pack, sign] : q) {
      const Pack change =
          product<kDim>(by_axis, work.q_S, pack) + product<kDim>(end.moved[i], work.q_Psi, pack);
      Lanes& to = work.q_load.row(i)[pack];
      store(pack_of(to) + pack_of(sign) * change, to);
    }
    for (const auto& [pack, sign] : v) {
      Lanes& to = work.v_load.row(i)[pack];
      store(pack_of(to) + pack_of(sign) * product<kDim>(end.moved[i], work.v_S, pack), to);
    }
  }
}

template <int kDim>
inline void differentiate_load(const LoadedPair& pair, const LoadSlope& slope, Work& work) {
  work.q_load.clear();
  work.v_load.clear();
  displace_end<kDim>(pair.child, pair.child_q, pair.child_v, slope.child, work);
  displace_end<kDim>(pair.parent, pair.parent_q, pair.parent_v, slope.parent, work);
  const Screw L = screw_of<kDim>(slope.load);
  for (const auto& [axis, side, q, v] : pair.axes) {
    Lanes *p_dot = work.P_dot.row(axis), *by_v = work.by_velocity.row(axis);
    Lanes U, S;
    const Screw motion = screw_at<kDim>(work.v_S, axis);
    put<kDim>(cross_force(motion, L), U);
    put<kDim>(motion * side, S);
    for (int pack = 0; pack < work.q_load.packs; ++pack)
      store(pack_of(p_dot[pack]) + product<kDim>(S, work.q_load, pack), p_dot[pack]);
    for (int pack = 0; pack < work.v_load.packs; ++pack)
      store(pack_of(by_v[pack]) + product<kDim>(S, work.v_load, pack), by_v[pack]);
    for (const auto& [pack, sign] : q)
      store(pack_of(p_dot[pack]) + pack_of(sign) * product<kDim>(U, work.q_S, pack), p_dot[pack]);
  }
}

template <int kDim>
inline void differentiate_loads(const Tables& tables, Work& work) {
  for (std::size_t i = 0; i < tables.loads.size(); ++i)
    differentiate_load<kDim>(tables.loads[i], work.load_slopes[i], work);
}

}  // namespace hamiltree::derivatives
