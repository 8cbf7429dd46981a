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

// One column of a matrix.
struct Column {
  const double* first;
  std::ptrdiff_t stride;
  [[gnu::always_inline]] Column(const PackMatrix& columns, std::size_t k)
      : first(columns.data.data()->lane + k), stride(kLaneCount * columns.packs) {}
};
[[gnu::always_inline]] inline double component(const Column& x, int i) {
  return x.first[i * x.stride];
}
[[gnu::always_inline]] inline double component(const Lanes& x, int i) { return x.lane[i]; }

// sum_i x_i columns_i of one pack; x is Lanes or a Column.
template <int kDim, class X>
[[gnu::always_inline]] inline Pack product(const X& x, const PackMatrix& columns, int pack) {
  const Lanes* column = columns.data.data() + pack;
  Pack sum = Pack(component(x, 0)) * pack_of(*column);
  for (int i = 1; i < kDim; ++i) {
    column += columns.packs;
    sum += Pack(component(x, i)) * pack_of(*column);
  }
  return sum;
}

// One pack of columns in registers.
template <int kDim>
struct PackColumns {
  Pack row[kDim];

  [[gnu::always_inline]] PackColumns(const PackMatrix& columns, int pack) {
#pragma GCC unroll 6
    for (int i = 0; i < kDim; ++i) row[i] = pack_of(columns.row(i)[pack]);
  }
  [[gnu::always_inline]] Pack product(const Column& x) const {
    Pack sum = Pack(component(x, 0)) * row[0];
#pragma GCC unroll 6
    for (int i = 1; i < kDim; ++i) sum += Pack(component(x, i)) * row[i];
    return sum;
  }
};

// The entries of M that are eliminated: with inboard axes, and with those of the same joint.
template <int kDim>
inline void find_masses(const Tables& tables, Work& work) {
  work.K.clear();
  for (int pack = 0; pack < tables.v_packs; ++pack) {
    const PackColumns<kDim> S(work.v_S, pack);
    for (const auto& part : tables.v_parts[at(pack)]) {
      if (!part.has_inboard && !part.has_own) continue;
      Pack M = pack_of(part.inboard) * S.product(Column(work.v_F, at(part.axis)));
      if (part.has_own)
        M += pack_of(part.own) * product<kDim>(Column(work.v_S, at(part.axis)), work.v_F, pack);
      store(M, work.K.row(part.axis)[pack]);
    }
  }
  for (std::size_t k = 0; k < tables.axes.size(); ++k)
    work.K.entries(static_cast<int>(k))[k] += tables.axes[k].armature;
}

// Slopes of the momenta without impulses of loops.
template <int kDim>
inline void displace_momenta(const Tables& tables, int pack, Work& work) {
  constexpr int kLinear = kDim == 6 ? 3 : 2;  // what weights have
  const PackColumns<kDim> Psi(work.q_Psi, pack), B(work.q_B, pack), A(work.q_A, pack);
  const PackColumns<kLinear> G(work.q_G, pack);
  for (const auto& part : tables.q_parts[at(pack)]) {
    const std::size_t k = at(part.axis);
    Pack p(0.0), rate(0.0);
    if (part.has_inboard) {
      const Pack mask = pack_of(part.inboard);
      const Column F(work.v_F, k);
      p += mask * Psi.product(F);
      rate += mask * (Psi.product(Column(work.v_E, k)) + G.product(F));
    }
    if (part.has_outboard) {
      const Pack mask = pack_of(part.outboard);
      const Column S(work.v_S, k);
      p += mask * B.product(S);
      rate += mask * (B.product(Column(work.v_S_dot, k)) + A.product(S));
    }
    store(-p, work.X.row(part.axis)[pack]);
    store(rate, work.P_dot.row(part.axis)[pack]);
  }
}
template <int kDim>
inline void move_momenta(const Tables& tables, int pack, Work& work) {
  const PackColumns<kDim> S(work.v_S, pack), F(work.v_F, pack);
  for (const auto& part : tables.v_parts[at(pack)]) {
    const std::size_t k = at(part.axis);
    Pack rate(0.0);
    if (part.has_inboard) rate += pack_of(part.inboard) * S.product(Column(work.v_E, k));
    if (part.has_outboard) rate += pack_of(part.outboard) * F.product(Column(work.v_S_dot, k));
    store(rate, work.by_velocity.row(part.axis)[pack]);
  }
}

template <int kDim>
inline void differentiate_momenta(const Tables& tables, Work& work) {
  for (int pack = 0; pack < tables.q_packs; ++pack) displace_momenta<kDim>(tables, pack, work);
  for (int pack = 0; pack < tables.v_packs; ++pack) move_momenta<kDim>(tables, pack, work);
  for (int k = 0; k < tables.velocities; ++k)
    work.X.entries(k)[kLaneCount * tables.q_packs + k] = 1.0;  // its own momentum
}

}  // namespace hamiltree::derivatives
