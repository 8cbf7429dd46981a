// Axes: how bodies and momenta move with each velocity, and what a displacement along each axis
// does to them. A displacement along the axis S of a joint turns all that is outboard as one rigid
// body, so that of the momenta only these are left (tilde: at the frame that stays behind):
//   Psi = V~ x S        what the motions outboard miss of turning with it
//   S'  = V_J x S       how the axis itself moves with its frame
//   F = I S,  B = I Psi + S x* P,  E = I S' + S x* P,  A = I G + S x* T,  G = g x S
// with I, P and T inertia, momentum and weight of all that is outboard. In a unit of time a drive
// displaces all that is outboard along the motion D that it adds, which changes as well:
//   S = D               Psi = V~ x D + D'
#pragma once

#include "hamiltree/formulations/derivatives/joint_space.hpp"
#include "hamiltree/formulations/kernel/lanes.hpp"

namespace hamiltree::derivatives {

using kernel::cross;
using kernel::dot;
using kernel::Four;
using kernel::load;
using kernel::store;

struct Screw {
  Four l{}, a{};
};
inline Screw operator+(const Screw& x, const Screw& y) { return {x.l + y.l, x.a + y.a}; }
inline Screw operator*(const Screw& x, double y) { return {x.l * y, x.a * y}; }
inline Screw load(const Pair& from) { return {load(from.l), load(from.a)}; }
inline void store(const Screw& x, Pair& to) {
  store(x.l, to.l);
  store(x.a, to.a);
}
inline Screw cross_motion(const Screw& V, const Screw& U) {
  return {cross(V.a, U.l) + cross(V.l, U.a), cross(V.a, U.a)};
}
inline Screw cross_force(const Screw& V, const Screw& P) {
  return {cross(V.a, P.l), cross(V.a, P.a) + cross(V.l, P.l)};
}
// A motion of a point, seen at that point plus `arm`, and a motion of that one seen here; a force
// at that point plus arm, seen here.
inline Screw motion_at(Four arm, const Screw& V) { return {V.l + cross(V.a, arm), V.a}; }
inline Screw motion_from(Four arm, const Screw& V) { return {V.l + cross(arm, V.a), V.a}; }
inline Screw force_from(Four arm, const Screw& F) { return {F.l, F.a + cross(arm, F.l)}; }

template <int kDim>
inline void put(const Screw& x, Lanes& to) {
  if constexpr (kDim == 6) {  // the spare lane of the first is the second's
    store(x.l, to.lane);
    store(x.a, to.lane + 3);
  } else {
    to.lane[0] = x.l[0];
    to.lane[1] = x.l[1];
    to.lane[2] = x.a[2];
  }
}
template <int kDim>
inline Screw screw_of(const Lanes& from) {
  const double* x = from.lane;
  if constexpr (kDim == 6) return {Four{x[0], x[1], x[2], 0.0}, Four{x[3], x[4], x[5], 0.0}};
  return {Four{x[0], x[1], 0.0, 0.0}, Four{0.0, 0.0, x[2], 0.0}};
}

// The momentum of an inertia that moves at V; of a Composite or of a body.
template <class Inertia>
inline Screw times(double mass, const Inertia& I, const Screw& V) {
  const Four mc = load(I.mc);
  const Four J = load(I.J[0]) * V.a[0] + load(I.J[1]) * V.a[1] + load(I.J[2]) * V.a[2];
  return {V.l * mass + cross(V.a, mc), J + cross(mc, V.l)};
}
inline Screw times(const Composite& I, const Screw& V) { return times(I.mass, I, V); }

// Adds what is behind a joint to the inboard body.
inline void hand_over(const Composite& from, Four arm, Composite& to) {
  const Four c = load(from.mc);
  const double square = 2.0 * dot(c, arm) + from.mass * dot(arm, arm);
  const Four moved = c + arm * from.mass;
  const Four diagonal[3] = {
      {square, 0.0, 0.0, 0.0}, {0.0, square, 0.0, 0.0}, {0.0, 0.0, square, 0.0}};
  for (int i = 0; i < 3; ++i) {
    store(load(to.J[i]) + load(from.J[i]) + diagonal[i] - c * arm[i] - arm * moved[i], to.J[i]);
  }
  store(load(to.mc) + moved, to.mc);
  to.mass += from.mass;
}

inline void find_composites(const Tables& tables, const kernel::Work& placed, Work& work) {
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    auto& I = work.composites[b];
    I.mass = tables.bodies[b].mass;
    I.mc = placed.bodies[b].mc;
    for (int i = 0; i < 3; ++i) I.J[i] = placed.bodies[b].J[i];
  }
  for (std::size_t b = tables.bodies.size(); b-- > 0;) {
    const int inboard = tables.bodies[b].inboard;
    if (inboard == kNothing) continue;
    hand_over(work.composites[b], load(placed.bodies[b].arm), work.composites[at(inboard)]);
  }
}

inline Four from_reference(const Half& point, const Work& work) {
  const double* r = work.reference;
  return load(point) - Four{r[0], r[1], r[2], 0.0};
}

// From components in lanes to one row for each component.
template <int kDim>
inline void lay_out(const std::vector<Lanes>& from, PackMatrix& to) {
  for (int pack = 0; pack < to.packs; ++pack) {
    kernel::Eight x[kLaneCount];
    for (int i = 0; i < kLaneCount; ++i) x[i] = load(from[at(kLaneCount * pack + i)]);
    kernel::transpose(x);
    for (int i = 0; i < kDim; ++i) store(x[i], to.row(i)[pack]);
  }
}

template <int kDim>
inline void find_axes(const Tables& tables, const kernel::Work& placed, Work& work) {
  for (std::size_t k = 0; k < tables.axes.size(); ++k) {
    const auto& axis = tables.axes[k];
    const auto& body = placed.bodies[at(axis.body)];
    const Four direction = load(body.axis[axis.number]);
    const Screw S{direction * axis.slide, direction * axis.turn};
    const Screw F = times(work.composites[at(axis.body)], S);
    store(S, work.here[k]);
    const Four r = from_reference(body.r, work);
    put<kDim>(motion_from(r, S), work.S[k]);
    put<kDim>(force_from(r, F), work.F[k]);
  }
  lay_out<kDim>(work.S, work.v_S);
  lay_out<kDim>(work.F, work.v_F);
}

// Motions outwards, then momenta inwards; v null: of the drives alone.
template <int kDim>
inline void move_bodies(const Tables& tables, const kernel::Work& placed, const double* v,
                        Work& work) {
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    const auto& body = tables.bodies[b];
    const auto& at_body = placed.bodies[b];
    Screw V;
    if (body.inboard != kNothing)
      V = motion_at(load(at_body.arm), load(work.velocities[at(body.inboard)]));
    if (body.is_driven) V = V + Screw{load(at_body.given_v), load(at_body.given_w)};
    store(V, work.inwards[b]);
    for (int k = body.first; v != nullptr && k < body.first + body.count; ++k)
      V = V + load(work.here[at(k)]) * v[k];
    store(V, work.velocities[b]);
    const Four r = from_reference(at_body.r, work);
    put<kDim>(motion_from(r, V), work.body_motion[b]);
    store(times(body.mass, at_body, V), work.momenta[b]);
  }
  for (std::size_t b = tables.bodies.size(); b-- > 0;) {
    const int inboard = tables.bodies[b].inboard;
    if (inboard == kNothing) continue;
    auto& to = work.momenta[at(inboard)];
    store(load(to) + force_from(load(placed.bodies[b].arm), load(work.momenta[b])), to);
  }
}

struct AxisTerms {
  Screw S, Psi, B, A, G;  // about the reference
};

template <int kDim>
inline void put_column(const AxisTerms& x, int column, Work& work) {
  put<kDim>(x.S, work.columns.S[at(column)]);
  put<kDim>(x.Psi, work.columns.Psi[at(column)]);
  put<kDim>(x.B, work.columns.B[at(column)]);
  put<kDim>(x.A, work.columns.A[at(column)]);
  put<kDim>(x.G, work.columns.G[at(column)]);
}

// The motions of what stays behind as an axis displaces, and of the frame in which it rests.
struct Frames {
  Screw behind, own;
};
inline Frames frames_of(const AxesOfBody& body, std::size_t b, const double* v, const Work& work) {
  const Screw before = load(work.inwards[b]), after = load(work.velocities[b]);
  switch (body.in) {
    case AxesIn::kOutboard:
      return {before, after};
    case AxesIn::kInboard:
      return {after, before};
    case AxesIn::kBetween:
      break;
  }
  const Screw between = before + load(work.here[at(body.turning)]) * v[body.turning];
  return {between, between};
}

// S and Psi at the body's own point, r from the reference.
inline AxisTerms terms_of(const Tables& tables, std::size_t b, const Screw& S, const Screw& Psi,
                          Four r, const Work& work) {
  const auto& I = work.composites[b];
  const Four g{tables.gravity[0], tables.gravity[1], tables.gravity[2], 0.0};
  const Screw weight{g * I.mass, cross(load(I.mc), g)};
  const Screw G{cross(g, S.a), Four{}};
  const Screw turned = cross_force(S, load(work.momenta[b]));
  return {motion_from(r, S), motion_from(r, Psi), force_from(r, times(I, Psi) + turned),
          force_from(r, times(I, G) + cross_force(S, weight)), G};
}

template <int kDim>
inline AxisTerms find_terms(const Tables& tables, std::size_t k, const Frames& frames, Four r,
                            Work& work) {
  const std::size_t b = at(tables.axes[k].body);
  const Screw S = load(work.here[k]);
  const AxisTerms terms = terms_of(tables, b, S, cross_motion(frames.behind, S), r, work);
  if (tables.coordinate_of[k] != kNothing) {  // the axes of such joints do not turn each other
    put<kDim>(terms.Psi, work.S_dot[k]);
    put<kDim>(terms.B, work.E[k]);
    return terms;
  }
  const Screw S_dot = cross_motion(frames.own, S);
  const Screw turned = cross_force(S, load(work.momenta[b]));
  put<kDim>(motion_from(r, S_dot), work.S_dot[k]);
  put<kDim>(force_from(r, times(work.composites[b], S_dot) + turned), work.E[k]);
  return terms;
}

template <int kDim>
inline void put_quasi(const QuasiJoint& joint, const Work::Quasi& maps, const AxisTerms* axes,
                      Work& work) {
  for (int c = 0; c < joint.coordinates; ++c) {
    AxisTerms sum;
    for (int k = 0; k < joint.velocities; ++k) {
      const double share = maps.axes_for[k][c];
      if (share == 0.0) continue;
      sum.S = sum.S + axes[k].S * share;
      sum.Psi = sum.Psi + axes[k].Psi * share;
      sum.B = sum.B + axes[k].B * share;
      sum.A = sum.A + axes[k].A * share;
      sum.G = sum.G + axes[k].G * share;
    }
    put_column<kDim>(sum, joint.q + c, work);
  }
}

template <int kDim>
inline void displace_drives(const Tables& tables, const kernel::Work& placed, Work& work) {
  for (std::size_t i = 0; i < tables.driven.size(); ++i) {
    const std::size_t b = at(tables.driven[i]);
    const auto& body = placed.bodies[b];
    const Screw D{load(body.given_v), load(body.given_w)};
    const Screw Psi = cross_motion(load(work.inwards[b]), D) + load(work.drive_rates[i]);
    put_column<kDim>(terms_of(tables, b, D, Psi, from_reference(body.r, work), work),
                     tables.coordinates + static_cast<int>(i), work);
  }
}

// After move_bodies() with all velocities.
template <int kDim>
inline void displace_axes(const Tables& tables, const kernel::Work& placed, const State& state,
                          Work& work) {
  std::size_t quasi = 0;
  AxisTerms of_joint[6];
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    const auto& body = tables.bodies[b];
    if (body.count == 0) continue;
    const auto frames = frames_of(body, b, state.v, work);
    const Four r = from_reference(placed.bodies[b].r, work);
    const bool is_quasi = tables.coordinate_of[at(body.first)] == kNothing;
    for (int i = 0; i < body.count; ++i) {
      const std::size_t k = at(body.first + i);
      const auto terms = find_terms<kDim>(tables, k, frames, r, work);
      if (is_quasi) {
        of_joint[i] = terms;
      } else {
        put_column<kDim>(terms, tables.coordinate_of[k], work);
      }
    }
    if (!is_quasi) continue;
    put_quasi<kDim>(tables.quasi[quasi], work.quasi[quasi], of_joint, work);
    ++quasi;
  }
  displace_drives<kDim>(tables, placed, work);
  if (!tables.cuts.empty()) lay_out<kDim>(work.S_dot, work.v_S_dot);
  lay_out<kDim>(work.columns.S, work.q_S);
  lay_out<kDim>(work.columns.Psi, work.q_Psi);
  lay_out<kDim>(work.columns.B, work.q_B);
  lay_out<kDim>(work.columns.A, work.q_A);
  lay_out<kDim>(work.columns.G, work.q_G);
}

}  // namespace hamiltree::derivatives
