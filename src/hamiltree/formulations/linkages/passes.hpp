// The recursive algorithm with open loops, for planar pins. World axes; V is the velocity of a
// body's pin and its turning, P = M V + D - F sigma the momentum behind the pin, w = F^T V + b +
// Psi sigma the opening velocities of the rows that are open there.
#pragma once

#include <cstddef>
#include <type_traits>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/contraction/front.hpp"
#include "hamiltree/formulations/linkages/linkage.hpp"
#include "hamiltree/math/sincos.hpp"

namespace hamiltree::linkages {

// Pivots below this part of the trace say that a cut cannot close while the hub is held: as many
// digits are lost.
inline constexpr double kHeldPivot = 1e-5;

template <class T>
inline Vector2<T> turned(const Vector2<T>& axes, const Vector2<T>& x) {
  return {axes.x * x.x - axes.y * x.y, axes.y * x.x + axes.x * x.y};
}

inline void turn_all(std::size_t count, Work<double>& work) {
  for (std::size_t i = 0; i < count; i += kLanes) {
    Pack s, c;
    sin_cos(Pack::load(work.q.data() + i), s, c);
    s.store(work.sine.data() + i);
    c.store(work.cosine.data() + i);
  }
}
inline void turn_all(std::size_t count, Work<Pack>& work) {
  for (std::size_t i = 0; i < count; ++i) sin_cos(work.q[i], work.sine[i], work.cosine[i]);
}

inline double gather(const double* from, const Place<double>& place) { return from[place.number]; }
inline Pack gather(const double* from, const Place<Pack>& place) {
  alignas(Pack) double values[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) values[lane] = from[place.number[lane]];
  return Pack::load(values);
}
inline void scatter(double value, double* to, const Place<double>& place) {
  to[place.number] = value;
}
// Lanes that are not in use write once more what the last one writes.
inline void scatter(const Pack& values, double* to, const Place<Pack>& place) {
  for (int lane = 0; lane < kLanes; ++lane) to[place.number[at(lane)]] = values[lane];
}

template <class T>
inline void take_state(const Linkage<T>& linkage, const Arrays& state, Work<T>& work) {
  for (std::size_t b = 0; b < linkage.bodies.size(); ++b) {
    const auto& body = linkage.bodies[b];
    work.q[b] = body.sign * gather(state.q, body.coordinate) + body.offset;
    work.p[b] = body.sign * gather(state.p, body.velocity);
  }
}

template <class T>
inline void give_velocities(const Linkage<T>& linkage, const Work<T>& work, const Arrays& state) {
  for (std::size_t b = 0; b < linkage.bodies.size(); ++b)
    scatter(linkage.bodies[b].sign * work.v[b], state.v, linkage.bodies[b].velocity);
  for (std::size_t k = 0; k < linkage.cuts.size(); ++k) {
    const auto& [O, axes, gap, sigma, Lx, Ly, Lm] = work.cuts[k];
    const auto& row = linkage.cuts[k].row;
    scatter(axes.x * sigma.x + axes.y * sigma.y, state.sigma, row);
    scatter(axes.x * sigma.y - axes.y * sigma.x, state.sigma + 1, row);
  }
}

template <class T>
inline void give_momentum_rates(const Linkage<T>& linkage, Work<T>& work, const Arrays& state) {
  work.zeros = T(0);
  for (std::size_t b = 0; b < linkage.bodies.size(); ++b) {
    work.p_dot[b] *= linkage.bodies[b].sign;
    work.zeros += (work.v[b] + work.p_dot[b]) * T(0);
    if (static_cast<int>(b) != linkage.hub || linkage.has_hub)
      scatter(work.p_dot[b], state.p_dot, linkage.bodies[b].velocity);
  }
}

// A point of a body, or of the ground, world.
template <class T>
inline Vector2<T> world_point(const Work<T>& work, int body, const Vector2<T>& point) {
  if (body == kGround) return point;
  const auto& b = work.bodies[at(body)];
  const auto l = turned(b.axes, point);
  return {b.r.x + l.x, b.r.y + l.y};
}

// Poses, the rigid bodies' inertias and momenta at rest, and the cuts of children that are here.
template <class T>
inline void place(const Linkage<T>& linkage, Work<T>& work) {
  turn_all(linkage.bodies.size(), work);
  work.potential = T(0);
  for (std::size_t b = 0; b < linkage.bodies.size(); ++b) {
    const auto& body = linkage.bodies[b];
    auto& w = work.bodies[b];
    w.axes = {work.cosine[b], work.sine[b]};
    w.arm = body.at;
    w.r = body.at;
    if (body.inboard != kGround) {
      const auto& in = work.bodies[at(body.inboard)];
      w.axes = turned(in.axes, w.axes);
      w.arm = turned(in.axes, body.at);
      w.r = {in.r.x + w.arm.x, in.r.y + w.arm.y};
    }
    w.moments = turned(w.axes, body.moments);
    const auto& g = linkage.gravity;
    work.potential -=
        (body.mass * w.r.x + w.moments.x) * g.x + (body.mass * w.r.y + w.moments.y) * g.y;
    w.C = body.inertia;
    w.Dc = T(0);
    if (body.inboard == kGround) continue;
    w.Axx = w.Ayy = body.mass;
    w.Axy = w.Dx = w.Dy = T(0);
    w.Bx = -w.moments.y, w.By = w.moments.x;
  }
  for (std::size_t k = 0; k < linkage.cuts.size(); ++k) {
    const auto& cut = linkage.cuts[k];
    auto& w = work.cuts[k];
    if (cut.child == kElsewhere) continue;
    w.O = world_point(work, cut.child, cut.at);
    w.axes = cut.turn;
    if (cut.child != kGround) w.axes = turned(work.bodies[at(cut.child)].axes, cut.turn);
  }
}

// What the cuts are to close by: Phi, given in its own axes, or as they stand.
template <class T>
inline void take_gaps(const Linkage<T>& linkage, const Arrays& state, Work<T>& work) {
  for (std::size_t k = 0; k < linkage.cuts.size(); ++k) {
    const auto& cut = linkage.cuts[k];
    auto& w = work.cuts[k];
    w.gap = {};
    if (state.phi != nullptr)
      w.gap = turned(w.axes, {gather(state.phi, cut.row), gather(state.phi + 1, cut.row)});
    if (!state.closes) continue;
    const auto on_parent = world_point(work, cut.parent, cut.at_parent);
    w.gap = {w.O.x - on_parent.x, w.O.y - on_parent.y};
  }
}

// The arrays of a front.
template <class T>
struct FrontWork {
  FrontWork(const Front& front, Work<T>& work)
      : bias(work.bias.data() + front.first),
        turning(work.turning.data() + front.first_turning),
        pull(work.pull.data() + front.first_pull),
        Psi(work.blocks.data() + front.first_block) {}

  Block<T>& block(int i, int j) const { return Psi[i * (i + 1) / 2 + j]; }

  Vector2<T>* bias;
  Vector2<T>* turning;
  Block<T>* pull;
  Block<T>* Psi;
};

// How many cuts a front has and how many close there. The commonest numbers are known to the
// compiler.
template <class Cuts, class Closing>
struct Counts {
  Cuts cuts;
  Closing closing;
};

// Calls f with the Counts of a front.
template <class F>
inline void with_counts(const Front& front, const F& f) {
#define HAMILTREE_COUNTS(cuts_, closing_)               \
  if (front.cuts == cuts_ && front.closing == closing_) \
  return f(Counts<std::integral_constant<int, cuts_>, std::integral_constant<int, closing_>>{})
  HAMILTREE_COUNTS(1, 0);
  HAMILTREE_COUNTS(2, 0);
  HAMILTREE_COUNTS(1, 1);
  HAMILTREE_COUNTS(2, 1);
  HAMILTREE_COUNTS(3, 1);
#undef HAMILTREE_COUNTS
  f(Counts<int, int>{front.cuts, front.closing});
}

template <class T>
inline void clear(const Front& front, const FrontWork<T>& rows) {
  for (int i = 0; i < front.cuts; ++i) rows.bias[i] = {};
  for (int i = 0; i < front.cuts && front.feels != Feels::kNothing; ++i) rows.turning[i] = {};
  for (int i = 0; i < front.cuts && front.feels == Feels::kAll; ++i) rows.pull[i] = {};
  for (int i = 0; i < front.cuts * (front.cuts + 1) / 2; ++i) rows.Psi[i] = {};
}

// What the ends that are open here first do to the motion of their body.
template <Feels kFeels, class T>
inline void open_ends(const Linkage<T>& linkage, const Front& front, const FrontWork<T>& rows,
                      const Work<T>& work) {
  for (int k = front.first_end; k < front.first_end + front.ends; ++k) {
    const auto& end = linkage.ends[at(k)];
    const auto& r = work.bodies[at(end.body)].r;
    const auto& O = work.cuts[at(end.cut)].O;
    const T one(end.is_child ? 1.0 : -1.0);
    if constexpr (kFeels != Feels::kNothing) {
      rows.turning[end.position].x -= one * (O.y - r.y);
      rows.turning[end.position].y += one * (O.x - r.x);
    }
    if constexpr (kFeels == Feels::kAll) {
      rows.pull[end.position].xx += one;
      rows.pull[end.position].yy += one;
    }
  }
}

// Eliminates the cuts that close in a front, each as L d L^T of its two rows [Chadaj2017 eqs. 26,
// 34-36]; their stiffness goes to the body whose motion they feel. A pivot lost in a singular pose
// is masked: 1/d := 0 releases its row.
template <Feels kFeels, class T, class Counts>
inline void close_cuts(const Linkage<T>& linkage, const Front& front, const Counts& counts,
                       const FrontWork<T>& rows, const Work<T>& work, BodyWork<T>* body,
                       double mask = contraction::kPivotMask) {
  T trace(0);
  for (int s = 0; s < counts.closing; ++s) trace += rows.block(s, s).xx + rows.block(s, s).yy;
  const T least = T(mask) * trace;
  for (int s = 0; s < counts.closing; ++s) {
    auto& d = rows.block(s, s);
    const T inverse_x = select(least < d.xx, T(1) / d.xx, T(0));
    const T l = d.yx * inverse_x;
    const T second = d.yy - l * d.yx;
    const T inverse_y = select(least < second, T(1) / second, T(0));
    d.xx = inverse_x, d.yx = l, d.yy = inverse_y;
    const auto& gap = work.cuts[at(linkage.front_cuts[at(front.first + s)])].gap;
    auto& bias = rows.bias[s];
    bias.x += gap.x;
    bias.y += gap.y - l * bias.x;
    const T bias_x = inverse_x * bias.x, bias_y = inverse_y * bias.y;
    Vector2<T> m;
    Block<T> f;
    if constexpr (kFeels != Feels::kNothing) {
      rows.turning[s].y -= l * rows.turning[s].x;
      m = rows.turning[s];
      body->C += inverse_x * m.x * m.x + inverse_y * m.y * m.y;
      body->Dc += m.x * bias_x + m.y * bias_y;
    }
    if constexpr (kFeels == Feels::kAll) {
      rows.pull[s].xy -= l * rows.pull[s].xx, rows.pull[s].yy -= l * rows.pull[s].yx;
      f = rows.pull[s];
      const T xx = inverse_x * f.xx, yx = inverse_x * f.yx, xy = inverse_y * f.xy,
              yy = inverse_y * f.yy;
      body->Axx += xx * f.xx + xy * f.xy, body->Axy += xx * f.yx + xy * f.yy;
      body->Ayy += yx * f.yx + yy * f.yy;
      body->Bx += xx * m.x + xy * m.y, body->By += yx * m.x + yy * m.y;
      body->Dx += f.xx * bias_x + f.xy * bias_y, body->Dy += f.yx * bias_x + f.yy * bias_y;
    }
    for (int i = s + 1; i < counts.cuts; ++i) {
      auto& L = rows.block(i, s);
      L.xy -= l * L.xx, L.yy -= l * L.yx;
      const Block<T> G = L;
      L = {inverse_x * G.xx, inverse_y * G.xy, inverse_x * G.yx, inverse_y * G.yy};
      for (int j = s + 1; j < i; ++j) {
        const auto& other = rows.block(j, s);
        auto& Psi = rows.block(i, j);
        Psi.xx -= G.xx * other.xx + G.xy * other.xy, Psi.xy -= G.xx * other.yx + G.xy * other.yy;
        Psi.yx -= G.yx * other.xx + G.yy * other.xy, Psi.yy -= G.yx * other.yx + G.yy * other.yy;
      }
      auto& own = rows.block(i, i);
      own.xx -= G.xx * L.xx + G.xy * L.xy;
      own.yx -= G.yx * L.xx + G.yy * L.xy;
      own.yy -= G.yx * L.yx + G.yy * L.yy;
      rows.bias[i].x -= L.xx * bias.x + L.xy * bias.y;
      rows.bias[i].y -= L.yx * bias.x + L.yy * bias.y;
      if constexpr (kFeels != Feels::kNothing) {
        rows.turning[i].x -= L.xx * m.x + L.xy * m.y;
        rows.turning[i].y -= L.yx * m.x + L.yy * m.y;
      }
      if constexpr (kFeels == Feels::kAll) {
        auto& pull = rows.pull[i];
        pull.xx -= L.xx * f.xx + L.xy * f.xy, pull.yx -= L.xx * f.yx + L.xy * f.yy;
        pull.xy -= L.yx * f.xx + L.yy * f.xy, pull.yy -= L.yx * f.yx + L.yy * f.yy;
      }
    }
  }
}

// Adds Psi of two cuts, the first of which comes later, where they stand in a front.
template <class T>
inline void add(const Block<T>& Psi, int i, int j, const FrontWork<T>& sum) {
  if (j <= i) {
    auto& block = sum.block(i, j);
    block.xx += Psi.xx, block.xy += Psi.xy, block.yx += Psi.yx, block.yy += Psi.yy;
  } else {
    auto& block = sum.block(j, i);
    block.xx += Psi.xx, block.xy += Psi.yx, block.yx += Psi.xy, block.yy += Psi.yy;
  }
}

// A body, then what it is for the pin further in:
//   (1)  W = B / C,   u = (p - D_c) / C
//   (2)  A <- A - B W^T,   D <- D + B u
//   (3)  phi = F_c,   F <- F - W phi,   b <- b + phi u,   Psi <- Psi + phi phi^T / C
// On the ground V is zero: then C, u and phi are all.
template <Feels kFeels, class T, class Counts>
inline void contract_body(const Linkage<T>& linkage, std::size_t b, const Front* front,
                          const Counts& counts, Work<T>& work) {
  constexpr bool kOnGround = kFeels != Feels::kAll;
  const auto& body = linkage.bodies[b];
  auto& w = work.bodies[b];
  if (front != nullptr) {
    const FrontWork<T> rows(*front, work);
    if (front->is_first) clear(*front, rows);
    open_ends<kFeels>(linkage, *front, rows, work);
    close_cuts<kFeels>(linkage, *front, counts, rows, work, &w);
  }
  // (1)
  const T inverse = T(1) / w.C;
  const T u = (work.p[b] - w.Dc) * inverse;
  T Wx(0), Wy(0);
  const Vector2<T> a = w.arm;
  w.u = u;
  if constexpr (!kOnGround) {
    w.Wx = Wx = w.Bx * inverse, w.Wy = Wy = w.By * inverse;
    // (2)
    const T Axx = w.Axx - w.Bx * Wx, Axy = w.Axy - w.Bx * Wy, Ayy = w.Ayy - w.By * Wy;
    const T Dx = w.Dx + w.Bx * u, Dy = w.Dy + w.By * u;
    const T across_x = Axy * a.x - Axx * a.y, across_y = Ayy * a.x - Axy * a.y;
    auto& in = work.bodies[at(body.inboard)];
    in.C += a.x * across_y - a.y * across_x;
    in.Dc += work.p[b] + (a.x * Dy - a.y * Dx);
    if (!linkage.is_on_ground(body.inboard)) {
      in.Axx += Axx, in.Axy += Axy, in.Ayy += Ayy;
      in.Bx += across_x, in.By += across_y;
      in.Dx += Dx, in.Dy += Dy;
    }
  }
  if (front == nullptr || front->into == kNoFront) return;
  // (3)
  const auto& into = linkage.fronts[at(front->into)];
  const FrontWork<T> rows(*front, work), sum(into, work);
  const int* const to = linkage.to.data() + front->first_to - counts.closing;
  if (front->opens) clear(into, sum);
  for (int i = counts.closing; i < counts.cuts; ++i) {
    const Vector2<T> phi = rows.turning[i];
    rows.turning[i] = {phi.x * inverse, phi.y * inverse};  // rates
    sum.bias[to[i]].x += rows.bias[i].x + phi.x * u;
    sum.bias[to[i]].y += rows.bias[i].y + phi.y * u;
    if constexpr (!kOnGround) {
      const auto& own = rows.pull[i];
      const Block<T> pull{own.xx - Wx * phi.x, own.xy - Wx * phi.y, own.yx - Wy * phi.x,
                          own.yy - Wy * phi.y};
      sum.turning[to[i]].x += a.x * pull.yx - a.y * pull.xx;
      sum.turning[to[i]].y += a.x * pull.yy - a.y * pull.xy;
      if (into.feels == Feels::kAll) {
        auto& further_in = sum.pull[to[i]];
        further_in.xx += pull.xx, further_in.xy += pull.xy;
        further_in.yx += pull.yx, further_in.yy += pull.yy;
      }
    }
    for (int j = counts.closing; j <= i; ++j) {
      const auto& Psi = rows.block(i, j);
      const auto& rate = rows.turning[j];
      add({Psi.xx + phi.x * rate.x, Psi.xy + phi.x * rate.y, Psi.yx + phi.y * rate.x,
           Psi.yy + phi.y * rate.y},
          to[i], to[j], sum);
    }
  }
}

template <Feels kFeels, class T>
inline void contract_body(const Linkage<T>& linkage, std::size_t b, Work<T>& work) {
  const int f = linkage.bodies[b].front;
  if (f == kNoFront)
    return contract_body<kFeels>(linkage, b, nullptr, Counts<int, int>{0, 0}, work);
  const auto& front = linkage.fronts[at(f)];
  with_counts(front,
              [&](const auto& counts) { contract_body<kFeels>(linkage, b, &front, counts, work); });
}

// What a front over the ground leaves open, for another one. value(x): the entry x as the other
// one takes it.
template <class T, class U, class Counts, class Value>
inline void hand_over(const Counts& counts, const FrontWork<T>& rows, const Front& into,
                      const int* to, const FrontWork<U>& sum, const Value& value) {
  to -= counts.closing;
  for (int i = counts.closing; i < counts.cuts; ++i) {
    sum.bias[to[i]].x += value(rows.bias[i].x);
    sum.bias[to[i]].y += value(rows.bias[i].y);
    if (into.feels == Feels::kTurning) {
      sum.turning[to[i]].x += value(rows.turning[i].x);
      sum.turning[to[i]].y += value(rows.turning[i].y);
    }
    for (int j = counts.closing; j <= i; ++j) {
      const auto& Psi = rows.block(i, j);
      add<U>({value(Psi.xx), value(Psi.xy), value(Psi.yx), value(Psi.yy)}, to[i], to[j], sum);
    }
  }
}

template <class T>
inline void contract_bodies(const Linkage<T>& linkage, Work<T>& work) {
  for (std::size_t b = linkage.bodies.size(); b-- > 0;) {
    if (linkage.bodies[b].inboard != kGround) {
      contract_body<Feels::kAll>(linkage, b, work);
    } else if (static_cast<int>(b) != linkage.hub) {
      contract_body<Feels::kTurning>(linkage, b, work);
    }
  }
}

template <Feels kFeels, class T>
inline void contract_over_ground(const Linkage<T>& linkage, Work<T>& work) {
  constexpr bool kHub = kFeels != Feels::kNothing;
  BodyWork<T>* hub = nullptr;
  if constexpr (kHub) hub = &work.bodies[at(linkage.hub)];
  work.held = T(0);
  for (std::size_t k = linkage.body_fronts; k < linkage.fronts.size(); ++k) {
    const auto& front = linkage.fronts[k];
    const FrontWork<T> rows(front, work);
    if (front.is_first) clear(front, rows);
    open_ends<kFeels>(linkage, front, rows, work);
    with_counts(front, [&](const auto& counts) {
      close_cuts<kFeels>(linkage, front, counts, rows, work, hub,
                         kHub ? kHeldPivot : contraction::kPivotMask);
      for (int s = 0; s < counts.closing && kHub; ++s) {
        const auto& d = rows.block(s, s);
        work.held += select(T(0) < d.xx, T(0), T(1)) + select(T(0) < d.yy, T(0), T(1));
      }
      if (front.into == kNoFront) return;
      const auto& into = linkage.fronts[at(front.into)];
      const FrontWork<T> sum(into, work);
      if (front.opens) clear(into, sum);
      hand_over(counts, rows, into, &linkage.to[at(front.first_to)], sum,
                [](const T& x) -> const T& { return x; });
    });
  }
}

// sigma of the cuts that closed in a front, from those that were open and the motion felt.
template <Feels kFeels, class T, class Counts>
inline void release(const Linkage<T>& linkage, const Front& front, const Counts& counts,
                    const BodyWork<T>* body, Work<T>& work) {
  const FrontWork<T> rows(front, work);
  const int* const cuts = linkage.front_cuts.data() + front.first;
  for (int s = counts.closing; s-- > 0;) {
    const auto& d = rows.block(s, s);
    Vector2<T> w = rows.bias[s];
    if constexpr (kFeels == Feels::kAll) {
      const auto& f = rows.pull[s];
      w.x += f.xx * body->Vx + f.yx * body->Vy;
      w.y += f.xy * body->Vx + f.yy * body->Vy;
    }
    if constexpr (kFeels != Feels::kNothing) {
      w.x += rows.turning[s].x * body->omega;
      w.y += rows.turning[s].y * body->omega;
    }
    w.x *= d.xx, w.y *= d.yy;
    for (int i = s + 1; i < counts.cuts; ++i) {
      const auto& L = rows.block(i, s);
      const auto& sigma = work.cuts[at(cuts[i])].sigma;
      w.x += L.xx * sigma.x + L.yx * sigma.y;
      w.y += L.xy * sigma.x + L.yy * sigma.y;
    }
    auto& sigma = work.cuts[at(cuts[s])].sigma;
    sigma.y = -w.y;
    sigma.x = -w.x - d.yx * sigma.y;
  }
}

template <Feels kFeels, class T>
inline void release_over_ground(const Linkage<T>& linkage, Work<T>& work) {
  const BodyWork<T>* hub = nullptr;
  if constexpr (kFeels != Feels::kNothing) hub = &work.bodies[at(linkage.hub)];
  for (std::size_t k = linkage.fronts.size(); k-- > linkage.body_fronts;)
    with_counts(linkage.fronts[k], [&](const auto& counts) {
      release<kFeels>(linkage, linkage.fronts[k], counts, hub, work);
    });
}

// Velocities outwards, those of the hub given, with each body's own momentum and load:
//   omega = u + rates sigma - W V
template <class T>
inline void move_bodies(const Linkage<T>& linkage, Work<T>& work) {
  for (std::size_t b = 0; b < linkage.bodies.size(); ++b) {
    const auto& body = linkage.bodies[b];
    auto& w = work.bodies[b];
    T omega = w.u, turning_inboard(0);
    w.Vx = w.Vy = T(0);
    if (body.inboard != kGround) {
      const auto& in = work.bodies[at(body.inboard)];
      turning_inboard = in.omega;
      w.Vx = in.Vx - in.omega * w.arm.y;
      w.Vy = in.Vy + in.omega * w.arm.x;
      omega -= w.Wx * w.Vx + w.Wy * w.Vy;
    } else if (static_cast<int>(b) == linkage.hub) {
      omega = w.omega;
    }
    if (body.front != kNoFront) {
      const auto& front = linkage.fronts[at(body.front)];
      const FrontWork<T> rows(front, work);
      for (int i = front.closing; i < front.cuts; ++i) {
        const auto& sigma = work.cuts[at(linkage.front_cuts[at(front.first + i)])].sigma;
        omega += rows.turning[i].x * sigma.x + rows.turning[i].y * sigma.y;
      }
      w.omega = omega;
      const Counts<int, int> counts{front.cuts, front.closing};
      if (body.inboard == kGround) {
        release<Feels::kTurning>(linkage, front, counts, &w, work);
      } else {
        release<Feels::kAll>(linkage, front, counts, &w, work);
      }
    }
    w.omega = omega;
    work.v[b] = omega - turning_inboard;
    const auto& g = linkage.gravity;
    w.Px = body.mass * w.Vx - omega * w.moments.y;
    w.Py = body.mass * w.Vy + omega * w.moments.x;
    w.Qx = body.mass * g.x, w.Qy = body.mass * g.y;
    w.Qm = w.moments.x * g.y - w.moments.y * g.x;
  }
}

// Cut loads -V_J x* (D sigma) of the cuts whose child is here: D turns with it.
template <class T>
inline void load_cuts(const Linkage<T>& linkage, Work<T>& work) {
  for (std::size_t k = 0; k < linkage.cuts.size(); ++k) {
    const int child = linkage.cuts[k].child;
    if (child < 0) continue;
    auto& cut = work.cuts[k];
    const auto& body = work.bodies[at(child)];
    const T vx = body.Vx - body.omega * (cut.O.y - body.r.y);
    const T vy = body.Vy + body.omega * (cut.O.x - body.r.x);
    cut.Lx = body.omega * cut.sigma.y, cut.Ly = -(body.omega * cut.sigma.x);
    cut.Lm = vy * cut.sigma.x - vx * cut.sigma.y;
  }
}

// p_dot inwards, after move_bodies() [Naudet2003 eq. 35, Chadaj2017 eq. 77]:
//   p_dot = Q_c - (V x P)_c,   with P and Q of all that is behind the pin
template <class T>
inline void find_momentum_rates(const Linkage<T>& linkage, Work<T>& work) {
  for (const auto& end : linkage.ends) {
    auto& w = work.bodies[at(end.body)];
    const auto& cut = work.cuts[at(end.cut)];
    const T one(end.is_child ? 1.0 : -1.0);
    w.Px -= one * cut.sigma.x, w.Py -= one * cut.sigma.y;
    w.Qx += one * cut.Lx, w.Qy += one * cut.Ly;
    w.Qm += one * (cut.Lm + ((cut.O.x - w.r.x) * cut.Ly - (cut.O.y - w.r.y) * cut.Lx));
  }
  for (std::size_t b = linkage.bodies.size(); b-- > 0;) {
    const auto& w = work.bodies[b];
    work.p_dot[b] = w.Qm - (w.Vx * w.Py - w.Vy * w.Px);
    const int inboard = linkage.bodies[b].inboard;
    if (inboard == kGround) continue;
    auto& in = work.bodies[at(inboard)];
    in.Px += w.Px, in.Py += w.Py;
    in.Qx += w.Qx, in.Qy += w.Qy;
    in.Qm += w.Qm + (w.arm.x * w.Qy - w.arm.y * w.Qx);
  }
}

// The momenta of the motion if no cut carries an impulse, after move_bodies(): p of a pin is the
// moment about it of the momentum behind it.
template <class T>
inline void find_momenta(const Linkage<T>& linkage, const Arrays& state, Work<T>& work) {
  for (std::size_t b = 0; b < linkage.bodies.size(); ++b) {
    auto& w = work.bodies[b];
    w.Qm = linkage.bodies[b].inertia * w.omega + (w.moments.x * w.Vy - w.moments.y * w.Vx);
  }
  for (std::size_t b = linkage.bodies.size(); b-- > 0;) {
    const auto& body = linkage.bodies[b];
    const auto& w = work.bodies[b];
    scatter(body.sign * w.Qm, state.p_dot, body.velocity);
    if (body.inboard == kGround) continue;
    auto& in = work.bodies[at(body.inboard)];
    in.Px += w.Px, in.Py += w.Py;
    in.Qm += w.Qm + (w.arm.x * w.Py - w.arm.y * w.Px);
  }
}

}  // namespace hamiltree::linkages
