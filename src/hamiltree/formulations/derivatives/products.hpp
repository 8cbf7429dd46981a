// Products of axes: the mass matrix, and how momenta and their rates change as the axes displace
// and as velocities change. Two axes share an entry where one is outboard of the other, in terms of
// axes.hpp and with o the outer one, i the inner one:
//   M(i, o) = S_i F_o
//   d p_i / d q_o = S_i B_o              d p_o / d q_i = F_o Psi_i
//   d pdot_i / d q_o = S'_i B_o + S_i A_o    d pdot_o / d q_i = E_o Psi_i + F_o G_i
//   d pdot_i / d v_o = S'_i F_o          d pdot_o / d v_i = E_o S_i
#pragma once

#include "hamiltree/formulations/derivatives/joint_space.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::derivatives {

[[gnu::always_inline]] inline Pack pack_of(const Lanes& from) { return Pack::load(from.lane); }
[[gnu::always_inline]] inline void store(const Pack& from, Lanes& to) { from.store(to.lane); }

// sum_i x_i columns_i of one pack.
template <int kDim>
[[gnu::always_inline]] inline Pack product(const Lanes& x, const PackMatrix& columns, int pack) {
  const Lanes* column = columns.data.data() + pack;
  Pack sum = Pack(x.lane[0]) * pack_of(*column);
  for (int i = 1; i < kDim; ++i) {
    column += columns.packs;
    sum += Pack(x.lane[i]) * pack_of(*column);
  }
  return sum;
}

template <int kDim>
inline void find_masses(const Tables& tables, Work& work) {
  work.K.clear();
  for (std::size_t k = 0; k < tables.axes.size(); ++k) {
    Lanes* row = work.K.row(static_cast<int>(k));
    for (const auto& part : tables.v_parts[k]) {
      Pack M(0.0);
      if (part.has_inboard)
        M += pack_of(part.inboard) * product<kDim>(work.F[k], work.v_S, part.pack);
      if (part.has_outboard)
        M += pack_of(part.outboard) * product<kDim>(work.S[k], work.v_F, part.pack);
      store(M, row[part.pack]);
    }
    row->lane[k] += tables.axes[k].armature;
  }
}

// Of the momenta without impulses of loops.
template <int kDim>
inline void differentiate_momenta(const Tables& tables, Work& work) {
  for (std::size_t k = 0; k < tables.axes.size(); ++k) {
    const int row = static_cast<int>(k);
    Lanes *x = work.X.row(row), *p_dot = work.P_dot.row(row), *by_v = work.by_velocity.row(row);
    for (const auto& part : tables.q_parts[k]) {
      Pack p(0.0), rate(0.0);
      if (part.has_inboard) {
        const Pack mask = pack_of(part.inboard);
        p += mask * product<kDim>(work.F[k], work.q_Psi, part.pack);
        rate += mask * (product<kDim>(work.E[k], work.q_Psi, part.pack) +
                        product<kDim>(work.F[k], work.q_G, part.pack));
      }
      if (part.has_outboard) {
        const Pack mask = pack_of(part.outboard);
        p += mask * product<kDim>(work.S[k], work.q_B, part.pack);
        rate += mask * (product<kDim>(work.S_dot[k], work.q_B, part.pack) +
                        product<kDim>(work.S[k], work.q_A, part.pack));
      }
      store(-p, x[part.pack]);
      store(rate, p_dot[part.pack]);
    }
    for (const auto& part : tables.v_parts[k]) {
      Pack rate(0.0);
      if (part.has_inboard)
        rate += pack_of(part.inboard) * product<kDim>(work.E[k], work.v_S, part.pack);
      if (part.has_outboard)
        rate += pack_of(part.outboard) * product<kDim>(work.S_dot[k], work.v_F, part.pack);
      store(rate, by_v[part.pack]);
    }
    x[tables.q_packs].lane[k] = 1.0;  // its own momentum
  }
}

}  // namespace hamiltree::derivatives
