// Axes: how bodies and momenta move with each velocity, and what a displacement along each axis
// does to them. A displacement along the axis S of a joint turns all that is outboard as one rigid
// body, so that of the momenta only these are left (tilde: at the frame that stays behind):
//   Psi = V~ x S        what the motions outboard miss of turning with it
//   S'  = V_J x S       how the axis itself moves with its frame
//   F = I S,  B = I Psi + S x* P,  E = I S' + S x* P,  A = I G + S x* T,  G = g x S
// with I, P and T inertia, momentum and weight of all that is outboard. In a unit of time a drive
// displaces all that is outboard along the motion D that it adds, which changes as well:
//   S = D               Psi = V~ x D + D'
// Velocities that are rates of coordinates turn with what stays behind, S' = Psi and E = B; axes of
// quasi-velocities, which need not, are displaced beside the coordinates.
#pragma once

#include "hamiltree/formulations/derivatives/products.hpp"
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
template <int kDim, class X>
inline Screw screw_of(const X& from) {
  const auto x = [&](int i) { return component(from, i); };
  if constexpr (kDim == 6) return {Four{x(0), x(1), x(2), 0.0}, Four{x(3), x(4), x(5), 0.0}};
  return {Four{x(0), x(1), 0.0, 0.0}, Four{0.0, 0.0, x(2), 0.0}};
}

// The momentum of a body that moves at V.
inline Screw times(double mass, const kernel::BodyWork& I, const Screw& V) {
  const Four mc = load(I.mc);
  const Four J = load(I.J[0]) * V.a[0] + load(I.J[1]) * V.a[1] + load(I.J[2]) * V.a[2];
  return {V.l * mass + cross(V.a, mc), J + cross(mc, V.l)};
}

// Adds what is behind a joint to the inboard body.
inline void hand_over(double mass, const Composite& from, Four arm, Composite& to) {
  const Four c = load(from.mc);
  const double square = 2.0 * dot(c, arm) + mass * dot(arm, arm);
  const Four moved = c + arm * mass;
  const Four diagonal[3] = {
      {square, 0.0, 0.0, 0.0}, {0.0, square, 0.0, 0.0}, {0.0, 0.0, square, 0.0}};
  for (int i = 0; i < 3; ++i) {
    store(load(to.J[i]) + load(from.J[i]) + diagonal[i] - c * arm[i] - arm * moved[i], to.J[i]);
  }
  store(load(to.mc) + moved, to.mc);
}

inline void find_composites(const Tables& tables, const kernel::Work& placed, Work& work) {
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    auto& I = work.composites[b];
    I.mc = placed.bodies[b].mc;
    for (int i = 0; i < 3; ++i) I.J[i] = placed.bodies[b].J[i];
  }
  for (std::size_t b = tables.bodies.size(); b-- > 0;) {
    const int inboard = tables.bodies[b].inboard;
    if (inboard == kNothing) continue;
    hand_over(tables.bodies[b].outboard_mass, work.composites[b], load(placed.bodies[b].arm),
              work.composites[at(inboard)]);
  }
}

inline Four from_reference(const Half& point, const Work& work) {
  const double* r = work.reference;
  return load(point) - Four{r[0], r[1], r[2], 0.0};
}

// Of eight axes or displacements, one in each lane.
struct LaneVector {
  Pack x, y, z;
};
inline LaneVector operator+(const LaneVector& a, const LaneVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline LaneVector operator*(const LaneVector& a, const Pack& b) {
  return {a.x * b, a.y * b, a.z * b};
}
inline LaneVector cross(const LaneVector& a, const LaneVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
struct LaneScrew {
  LaneVector l, a;
};
inline LaneScrew operator+(const LaneScrew& x, const LaneScrew& y) {
  return {x.l + y.l, x.a + y.a};
}
inline LaneScrew operator*(const LaneScrew& x, const Pack& y) { return {x.l * y, x.a * y}; }
inline LaneScrew cross_motion(const LaneScrew& V, const LaneScrew& U) {
  return {cross(V.a, U.l) + cross(V.l, U.a), cross(V.a, U.a)};
}
inline LaneScrew cross_force(const LaneScrew& V, const LaneScrew& P) {
  return {cross(V.a, P.l), cross(V.a, P.a) + cross(V.l, P.l)};
}
inline LaneScrew motion_from(const LaneVector& arm, const LaneScrew& V) {
  return {V.l + cross(arm, V.a), V.a};
}
inline LaneScrew force_from(const LaneVector& arm, const LaneScrew& F) {
  return {F.l, F.a + cross(arm, F.l)};
}

// What is outboard of eight axes as one body each.
struct LaneInertia {
  Pack mass;
  LaneVector mc, J[3];
};
inline LaneScrew times(const LaneInertia& I, const LaneScrew& V) {
  const LaneVector J = I.J[0] * V.a.x + I.J[1] * V.a.y + I.J[2] * V.a.z;
  return {V.l * I.mass + cross(V.a, I.mc), J + cross(I.mc, V.l)};
}

// Rows of eight numbers to one Pack for each of their places.
template <class F>
inline void to_lanes(const F& row, Pack* to) {
  kernel::Eight x[kLaneCount];
  for (int i = 0; i < kLaneCount; ++i) x[i] = row(i);
  kernel::transpose(x);
  for (int i = 0; i < kLaneCount; ++i) {
    Lanes lanes;
    store(x[i], lanes);
    to[i] = pack_of(lanes);
  }
}
inline kernel::Eight eight_of(const Half& first, const Half& last) {
  return kernel::join(load(first), load(last));
}
inline LaneScrew screws(const std::vector<Pair>& from, const int* which) {
  Pack x[kLaneCount];
  to_lanes([&](int i) { return eight_of(from[at(which[i])].l, from[at(which[i])].a); }, x);
  return {{x[0], x[1], x[2]}, {x[4], x[5], x[6]}};
}
inline LaneScrew screws(const std::vector<Pair>& from, int pack) {
  Pack x[kLaneCount];
  const Pair* first = from.data() + kLaneCount * pack;
  to_lanes([&](int i) { return eight_of(first[i].l, first[i].a); }, x);
  return {{x[0], x[1], x[2]}, {x[4], x[5], x[6]}};
}
inline LaneVector points(const kernel::Work& placed, const int* bodies, const Work& work) {
  Pack x[kLaneCount];
  to_lanes([&](int i) { return eight_of(placed.bodies[at(bodies[i])].r, Half{}); }, x);
  const double* r = work.reference;
  return {x[0] - Pack(r[0]), x[1] - Pack(r[1]), x[2] - Pack(r[2])};
}
inline LaneInertia composites(const LaneBodies& of, const Work& work) {
  Pack x[kLaneCount], y[kLaneCount];
  const auto composite = [&](int i) -> const Composite& { return work.composites[at(of.body[i])]; };
  to_lanes([&](int i) { return eight_of(composite(i).mc, composite(i).J[0]); }, x);
  to_lanes([&](int i) { return eight_of(composite(i).J[1], composite(i).J[2]); }, y);
  return {pack_of(of.mass),
          {x[0], x[1], x[2]},
          {{x[4], x[5], x[6]}, {y[0], y[1], y[2]}, {y[4], y[5], y[6]}}};
}

inline LaneVector in_all_lanes(Four x) { return {Pack(x[0]), Pack(x[1]), Pack(x[2])}; }
inline LaneScrew in_all_lanes(const Screw& x) { return {in_all_lanes(x.l), in_all_lanes(x.a)}; }

// One row for each component.
template <int kDim>
inline LaneScrew screw_of(const PackColumns<kDim>& x) {
  if constexpr (kDim == 6) return {{x.row[0], x.row[1], x.row[2]}, {x.row[3], x.row[4], x.row[5]}};
  const Pack none(0.0);
  return {{x.row[0], x.row[1], none}, {none, none, x.row[2]}};
}
template <int kDim>
inline PackColumns<kDim> columns_of(const LaneScrew& x) {
  PackColumns<kDim> columns;
  columns.row[0] = x.l.x;
  columns.row[1] = x.l.y;
  if constexpr (kDim == 6) {
    columns.row[2] = x.l.z;
    columns.row[3] = x.a.x;
    columns.row[4] = x.a.y;
  }
  columns.row[kDim - 1] = x.a.z;
  return columns;
}
template <int kDim>
inline void put(const LaneScrew& x, PackMatrix& to, int pack) {
  const auto columns = columns_of<kDim>(x);
  for (int i = 0; i < kDim; ++i) store(columns.row[i], to.row(i)[pack]);
}
template <int kDim>
inline void find_axes(const Tables& tables, const kernel::Work& placed, Work& work) {
  for (std::size_t k = 0; k < tables.axes.size(); ++k) {
    const auto& axis = tables.axes[k];
    const Four direction = load(placed.bodies[at(axis.body)].axis[axis.number]);
    store(Screw{direction * axis.slide, direction * axis.turn}, work.here[k]);
  }
  for (int pack = 0; pack < tables.v_packs; ++pack) {
    const auto& of = tables.v_bodies[at(pack)];
    const LaneVector r = points(placed, of.body, work);
    const LaneScrew S = screws(work.here, pack);
    put<kDim>(motion_from(r, S), work.v_S, pack);
    put<kDim>(force_from(r, times(composites(of, work), S)), work.v_F, pack);
  }
}

// Of a body that its own axes do not move.
inline Screw motion_before(const Tables& tables, const kernel::Work& placed, std::size_t b,
                           const Work& work) {
  const auto& body = tables.bodies[b];
  const auto& at_body = placed.bodies[b];
  Screw V;
  if (body.inboard != kNothing)
    V = motion_at(load(at_body.arm), load(work.velocities[at(body.inboard)]));
  if (body.is_driven) V = V + Screw{load(at_body.given_v), load(at_body.given_w)};
  return V;
}

// The motions of what stays behind as its axes displace, and of the frame in which they rest. Axes
// of coordinates do not turn each other: these move as with what is behind.
inline void find_frames(const AxesOfBody& body, const double* v, const Screw& before,
                        const Screw& after, std::size_t b, Work& work) {
  const bool turns_others = body.count > 0 && body.has_quasi;
  Pair &behind = work.frames[b], &own = work.frames[b + work.velocities.size()];
  switch (body.in) {
    case AxesIn::kOutboard:
      store(before, behind);
      store(turns_others ? after : before, own);
      return;
    case AxesIn::kInboard:
      store(after, behind);
      store(turns_others ? before : after, own);
      return;
    case AxesIn::kBetween:
      break;
  }
  const Screw between = before + load(work.here[at(body.turning)]) * v[body.turning];
  store(between, behind);
  store(between, own);
}

// Motions outwards, then momenta inwards; v null: of the drives alone.
template <int kDim>
inline void move_bodies(const Tables& tables, const kernel::Work& placed, const double* v,
                        Work& work) {
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    const auto& body = tables.bodies[b];
    const auto& at_body = placed.bodies[b];
    const Screw before = motion_before(tables, placed, b, work);
    Screw V = before;
    for (int k = body.first; v != nullptr && k < body.first + body.count; ++k)
      V = V + load(work.here[at(k)]) * v[k];
    store(V, work.velocities[b]);
    if (v != nullptr) find_frames(body, v, before, V, b, work);
    if (tables.has_wrenches())
      put<kDim>(motion_from(from_reference(at_body.r, work), V), work.body_motion[b]);
    store(times(body.mass, at_body, V), work.momenta[b]);
  }
  for (std::size_t b = tables.bodies.size(); b-- > 0;) {
    const int inboard = tables.bodies[b].inboard;
    if (inboard == kNothing) continue;
    auto& to = work.momenta[at(inboard)];
    store(load(to) + force_from(load(placed.bodies[b].arm), load(work.momenta[b])), to);
  }
}

// Those of coordinates, of drives and of quasi-velocities.
inline void find_displacements(const Tables& tables, const kernel::Work& placed, Work& work) {
  for (const auto& [q, v, count] : tables.runs)
    std::copy_n(work.here.begin() + v, count, work.displacements.begin() + q);
  for (std::size_t i = 0; i < tables.quasi.size(); ++i) {
    const auto& joint = tables.quasi[i];
    for (int c = 0; c < joint.coordinates; ++c) {
      Screw S;
      for (int k = 0; k < joint.velocities; ++k)
        S = S + load(work.here[at(joint.v + k)]) * work.quasi[i].axes_for[k][c];
      store(S, work.displacements[at(joint.q + c)]);
    }
    for (int k = joint.v; k < joint.v + joint.velocities; ++k)
      work.displacements[at(tables.axes[at(k)].column)] = work.here[at(k)];
  }
  for (std::size_t i = 0; i < tables.driven.size(); ++i) {
    const std::size_t b = at(tables.driven[i]), column = at(tables.coordinates) + i;
    const auto& body = placed.bodies[b];
    const Screw D{load(body.given_v), load(body.given_w)};
    const Screw behind = motion_before(tables, placed, b, work) + load(work.frames[b]) * -1.0;
    store(D, work.displacements[column]);
    store(load(work.drive_rates[i]) + cross_motion(behind, D), work.displacement_rates[column]);
  }
}

// Eight displacements.
template <int kDim>
inline void displace(const Tables& tables, const kernel::Work& placed, int pack, Work& work) {
  const auto& of = tables.displaced_bodies[at(pack)];
  const LaneVector r = points(placed, of.body, work);
  const LaneScrew S = screws(tables.displaced_are_axes() ? work.here : work.displacements, pack);
  LaneScrew Psi = cross_motion(screws(work.frames, of.frame), S);
  if (!tables.driven.empty()) Psi = Psi + screws(work.displacement_rates, pack);
  put<kDim>(motion_from(r, S), work.q_S, pack);
  put<kDim>(motion_from(r, Psi), work.q_Psi, pack);
  const LaneInertia I = composites(of, work);
  const LaneScrew turned = cross_force(S, screws(work.momenta, of.body));
  put<kDim>(force_from(r, times(I, Psi) + turned), work.q_B, pack);
  const LaneVector g{Pack(tables.gravity[0]), Pack(tables.gravity[1]), Pack(tables.gravity[2])};
  const LaneScrew weight{g * I.mass, cross(I.mc, g)};
  const LaneVector G = cross(g, S.a);
  const LaneScrew lifted{G * I.mass, cross(I.mc, G)};
  put<kDim>(force_from(r, lifted + cross_force(S, weight)), work.q_A, pack);
  store(G.x, work.q_G.row(0)[pack]);
  store(G.y, work.q_G.row(1)[pack]);
  if constexpr (kDim == 6) store(G.z, work.q_G.row(2)[pack]);
}

// After move_bodies() with all velocities.
template <int kDim>
inline void displace_axes(const Tables& tables, const kernel::Work& placed, Work& work) {
  if (!tables.displaced_are_axes()) find_displacements(tables, placed, work);
  for (int pack = 0; pack < tables.displaced_packs; ++pack)
    displace<kDim>(tables, placed, pack, work);
}

}  // namespace hamiltree::derivatives
