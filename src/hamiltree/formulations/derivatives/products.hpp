// Products of axes: the mass matrix, and how momenta and their rates change as the axes displace
// and as velocities change. Two axes share an entry where one is outboard of the other, in terms of
// axes.hpp and with o the outer one, i the inner one:
//   M(i, o) = S_i F_o
//   d p_i / d q_o = S_i B_o              d p_o / d q_i = F_o Psi_i
//   d pdot_i / d q_o = S'_i B_o + S_i A_o    d pdot_o / d q_i = E_o Psi_i + F_o G_i
//   d pdot_i / d v_o = S'_i F_o          d pdot_o / d v_i = E_o S_i
// The last are the first but for axes of one quasi-velocity's joint, which turn each other.
#pragma once

#include "hamiltree/formulations/derivatives/joint_space.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::derivatives {

[[gnu::always_inline]] inline Pack pack_of(const Lanes& from) { return Pack::load(from.lane); }
[[gnu::always_inline]] inline void store(const Pack& from, Lanes& to) { from.store(to.lane); }
[[gnu::always_inline]] inline Pack pattern(const Tables& tables, int which) {
  return pack_of(tables.patterns[at(which)]);
}
inline void clear(const std::vector<int>& packs, PackMatrix& matrix) {
  Lanes* data = matrix.data.data();
#pragma GCC unroll 4
  for (const int pack : packs) data[pack] = {};
}

[[gnu::always_inline]] inline double component(const Lanes& x, int i) { return x.lane[i]; }
[[gnu::always_inline]] inline double component(const PackMatrix::Entries& x, int i) { return x[i]; }

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

// One pack of columns in registers.
template <int kDim>
struct PackColumns {
  Pack row[kDim];

  PackColumns() = default;
  [[gnu::always_inline]] PackColumns(const PackMatrix& columns, int pack) {
#pragma GCC unroll 6
    for (int i = 0; i < kDim; ++i) row[i] = pack_of(columns.row(i)[pack]);
  }
  template <class X>
  [[gnu::always_inline]] Pack product(const X& x) const {
    Pack sum = Pack(component(x, 0)) * row[0];
#pragma GCC unroll 6
    for (int i = 1; i < kDim; ++i) sum += Pack(component(x, i)) * row[i];
    return sum;
  }
};

// The entries of M that are eliminated: with inboard axes, and with those of the same joint.
template <int kDim>
inline void find_masses(const Tables& tables, Work& work) {
  const auto v_S = work.v_S.columns(), v_F = work.v_F.columns();
  for (int pack = 0; pack < tables.v_packs; ++pack) {
    const PackColumns<kDim> S(work.v_S, pack), F(work.v_F, pack);
    const auto K = work.K.column(pack);
    for (const auto& part : tables.v_parts[at(pack)]) {
      if (part.inboard == kNothing && part.own == kNothing) continue;
      Pack M(0.0);
      if (part.inboard != kNothing)
        M = pattern(tables, part.inboard) * S.product(v_F.of(part.axis));
      if (part.own != kNothing) M += pattern(tables, part.own) * F.product(v_S.of(part.axis));
      store(M, K[part.axis]);
    }
  }
  for (std::size_t k = 0; k < tables.axes.size(); ++k)
    work.K.entries(static_cast<int>(k))[k] += tables.axes[k].armature;
}

// Slopes of the momenta without impulses of loops, and with them those of pdot by velocity: as d
// pdot_k / d v_j is d p_j / d q_k.
template <int kDim>
inline void displace_momenta(const Tables& tables, int pack, Work& work) {
  constexpr int kLinear = kDim == 6 ? 3 : 2;  // what weights have
  const PackColumns<kDim> Psi(work.q_Psi, pack), B(work.q_B, pack), A(work.q_A, pack);
  const PackColumns<kLinear> G(work.q_G, pack);
  const auto v_S = work.v_S.columns(), v_F = work.v_F.columns();
  const auto own_Psi = work.q_Psi.columns(), own_B = work.q_B.columns();
  const auto X = work.X.column(pack), P_dot = work.P_dot.column(pack);
  const auto slopes = work.slopes.column(pack);
  for (const auto& part : tables.displaced_parts[at(pack)]) {
    Pack p(0.0), rate(0.0);
    if (part.inboard != kNothing) {
      const Pack mask = pattern(tables, part.inboard);
      const auto F = v_F.of(part.axis);
      p += mask * Psi.product(F);
      rate += mask * (Psi.product(own_B.of(part.column)) + G.product(F));
    }
    if (part.outboard != kNothing) {
      const Pack mask = pattern(tables, part.outboard);
      const auto S = v_S.of(part.axis);
      p += mask * B.product(S);
      rate += mask * (B.product(own_Psi.of(part.column)) + A.product(S));
    }
    store(-p, X[part.axis]);
    store(rate, P_dot[part.axis]);
    store(p, slopes[part.axis]);
  }
}
template <int kDim>
inline void turn_momenta(const Tables& tables, int pack, Work& work) {
  const PackColumns<kDim> S_dot(work.q_Psi, pack), E(work.q_B, pack);
  const auto v_S = work.v_S.columns(), v_F = work.v_F.columns();
  const auto slopes = work.slopes.column(pack);
  for (const auto& part : tables.displaced_parts[at(pack)]) {
    Pack p(0.0);
    if (part.inboard != kNothing)
      p += pattern(tables, part.inboard) * S_dot.product(v_F.of(part.axis));
    if (part.outboard != kNothing)
      p += pattern(tables, part.outboard) * E.product(v_S.of(part.axis));
    store(p, slopes[part.axis]);
  }
}

template <int kDim>
inline void differentiate_momenta(const Tables& tables, Work& work) {
  clear(tables.unset_X, work.X);
  clear(tables.unset_P_dot, work.P_dot);
  clear(tables.unset_slopes, work.slopes);
  for (int pack = 0; pack < tables.q_packs; ++pack) displace_momenta<kDim>(tables, pack, work);
  for (int pack = tables.q_packs; pack < tables.displaced_packs; ++pack)
    turn_momenta<kDim>(tables, pack, work);
  for (int k = 0; k < tables.velocities; ++k)
    work.X.entries(k)[kLaneCount * tables.q_packs + k] = 1.0;  // its own momentum
}

}  // namespace hamiltree::derivatives
