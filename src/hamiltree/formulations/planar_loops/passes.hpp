// The passes of the recursive algorithm with open loops, for planar pins. World axes; V is the
// velocity of a body's pin and its turning, P = M V + D - F sigma the momentum behind the pin, w =
// F^T V + b + Psi sigma the opening velocities of the rows that are open there.
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/planar_loops/arrays.hpp"
#include "hamiltree/formulations/planar_loops/fronts.hpp"
#include "hamiltree/formulations/planar_loops/linkage.hpp"
#include "hamiltree/math/sincos_of_all.hpp"

namespace hamiltree::planar_loops {

// Pivots below this part of the trace say that a cut cannot close while the hub is held: as many
// digits are lost.
inline constexpr double kHeldPivot = 1e-5;

// Poses, the rigid bodies' inertias and momenta at rest, and the cuts of children that are here.
template <class T>
inline void place(const Linkage<T>& linkage, Work<T>& work) {
  sin_cos_of_all(linkage.bodies.size(), work.q.data(), work.sine.data(), work.cosine.data());
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

// A body whose pin is one of its cuts moves freely but for these, with p as a moment:
//   M [V; omega] = [0; p] - D + F sigma,      M = L d L^T
//   b <- b + F^T M^-1 ([0; p] - D),   Psi <- Psi + F^T M^-1 F
template <class T>
inline void contract_loose_body(const Linkage<T>& linkage, std::size_t b, Work<T>& work) {
  auto& w = work.bodies[b];
  const auto& front = linkage.fronts[at(linkage.bodies[b].front)];
  const FrontWork<T> rows(front, work);
  close_rows<Retained::kAll>(linkage, front, Counts<int, int>{front.cuts, front.closing}, rows,
                             work, &w);
  const T inverse_x = T(1) / w.Axx, l_yx = w.Axy * inverse_x, l_cx = w.Bx * inverse_x;
  const T d_y = w.Ayy - l_yx * w.Axy, g_cy = w.By - l_yx * w.Bx;
  const T inverse_y = T(1) / d_y, l_cy = g_cy * inverse_y;
  const T inverse_c = T(1) / (w.C - l_cx * w.Bx - l_cy * g_cy);
  struct Three {
    T x, y, c;
  };
  // f^T M^-1 g = (L^-1 f) . d^-1 (L^-1 g), and the last entry of d^-1 L^-1 f is that of M^-1 f.
  const auto forward = [&](const T& x, const T& y, const T& c) {
    const T own_y = y - l_yx * x;
    return Three{x, own_y, c - l_cx * x - l_cy * own_y};
  };
  const auto scaled = [&](const Three& f) {
    return Three{f.x * inverse_x, f.y * inverse_y, f.c * inverse_c};
  };
  const auto dot = [](const Three& f, const Three& g) { return f.x * g.x + f.y * g.y + f.c * g.c; };
  const Three momentum = scaled(forward(-w.Dx, -w.Dy, work.p[b] - w.Dc));
  w.u = momentum.c;
  w.Wx = w.Wy = T(0);
  work.bodies[at(linkage.bodies[b].inboard)].Dc += work.p[b];
  const Receiver<T> into(linkage, front, work);
  // F becomes L^-1 F.
  for (int i = front.closing; i < front.cuts; ++i) {
    const auto& pull = rows.pull[i];
    const auto& turning = rows.turning[i];
    const Three f = forward(pull.xx, pull.yx, turning.x), g = forward(pull.xy, pull.yy, turning.y);
    rows.pull[i] = {f.x, g.x, f.y, g.y};
    rows.turning[i] = {f.c, g.c};
    into.add_bias(i, rows.bias[i].x + dot(f, momentum), rows.bias[i].y + dot(g, momentum));
    const Three f_scaled = scaled(f), g_scaled = scaled(g);
    for (int j = front.closing; j <= i; ++j) {
      const auto& other = rows.pull[j];
      const Three other_f{other.xx, other.yx, rows.turning[j].x};
      const Three other_g{other.xy, other.yy, rows.turning[j].y};
      const auto& Psi = rows.block(i, j);
      into.add({Psi.xx + dot(f_scaled, other_f), Psi.xy + dot(f_scaled, other_g),
                Psi.yx + dot(g_scaled, other_f), Psi.yy + dot(g_scaled, other_g)},
               i, j);
    }
  }
  for (int i = front.closing; i < front.cuts; ++i)
    rows.turning[i] = {rows.turning[i].x * inverse_c, rows.turning[i].y * inverse_c};  // rates
}

// A body, then what it is for the pin further in:
//   (1)  W = B / C,   u = (p - D_c) / C
//   (2)  A <- A - B W^T,   D <- D + B u
//   (3)  phi = F_c,   F <- F - W phi,   b <- b + phi u,   Psi <- Psi + phi phi^T / C
// On the ground V is zero: then C, u and phi are all.
template <Retained kRetained, class T, class Count>
inline void contract_body(const Linkage<T>& linkage, std::size_t b, const Front* front,
                          const Count& counts, Work<T>& work) {
  constexpr bool kOnGround = kRetained != Retained::kAll;
  const auto& body = linkage.bodies[b];
  auto& w = work.bodies[b];
  if (front != nullptr) {
    close_rows<kRetained>(linkage, *front, counts, FrontWork<T>(*front, work), work, &w);
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
  const FrontWork<T> rows(*front, work);
  const Receiver<T> into(linkage, *front, work);
  for (int i = counts.closing; i < counts.cuts; ++i) {
    const Vector2<T> phi = rows.turning[i];
    rows.turning[i] = {phi.x * inverse, phi.y * inverse};  // rates
    into.add_bias(i, rows.bias[i].x + phi.x * u, rows.bias[i].y + phi.y * u);
    if constexpr (!kOnGround) {
      const auto& own = rows.pull[i];
      const Block<T> pull{own.xx - Wx * phi.x, own.xy - Wx * phi.y, own.yx - Wy * phi.x,
                          own.yy - Wy * phi.y};
      auto& turning = into.sum.turning[into.to[i]];
      turning.x += a.x * pull.yx - a.y * pull.xx;
      turning.y += a.x * pull.yy - a.y * pull.xy;
      if (into.retained == Retained::kAll) {
        auto& further_in = into.sum.pull[into.to[i]];
        further_in.xx += pull.xx, further_in.xy += pull.xy;
        further_in.yx += pull.yx, further_in.yy += pull.yy;
      }
    }
    for (int j = counts.closing; j <= i; ++j) {
      const auto& Psi = rows.block(i, j);
      const auto& rate = rows.turning[j];
      into.add({Psi.xx + phi.x * rate.x, Psi.xy + phi.x * rate.y, Psi.yx + phi.y * rate.x,
                Psi.yy + phi.y * rate.y},
               i, j);
    }
  }
}

template <Retained kRetained, class T>
inline void contract_body(const Linkage<T>& linkage, std::size_t b, Work<T>& work) {
  const int f = linkage.bodies[b].front;
  if (f == kNoFront)
    return contract_body<kRetained>(linkage, b, nullptr, Counts<int, int>{0, 0}, work);
  const auto& front = linkage.fronts[at(f)];
  with_counts(front, [&](const auto& counts) {
    contract_body<kRetained>(linkage, b, &front, counts, work);
  });
}

template <class T>
inline void contract_bodies(const Linkage<T>& linkage, Work<T>& work) {
  for (std::size_t b = linkage.bodies.size(); b-- > 0;) {
    if (linkage.bodies[b].is_loose) {
      contract_loose_body(linkage, b, work);
    } else if (linkage.bodies[b].inboard != kGround) {
      contract_body<Retained::kAll>(linkage, b, work);
    } else if (static_cast<int>(b) != linkage.hub) {
      contract_body<Retained::kTurning>(linkage, b, work);
    }
  }
}

template <Retained kRetained, class T>
inline void contract_over_ground(const Linkage<T>& linkage, Work<T>& work) {
  constexpr bool kHub = kRetained != Retained::kNothing;
  BodyWork<T>* hub = nullptr;
  if constexpr (kHub) hub = &work.bodies[at(linkage.hub)];
  work.held = T(0);
  for (std::size_t k = linkage.body_fronts; k < linkage.fronts.size(); ++k) {
    const auto& front = linkage.fronts[k];
    const FrontWork<T> rows(front, work);
    with_counts(front, [&](const auto& counts) {
      close_rows<kRetained>(linkage, front, counts, rows, work, hub,
                            kHub ? kHeldPivot : block_elimination::kPivotMask);
      for (int s = 0; s < counts.closing && kHub; ++s) {
        const auto& d = rows.block(s, s);
        work.held += select(T(0) < d.xx, T(0), T(1)) + select(T(0) < d.yy, T(0), T(1));
      }
      if (front.into == kNoFront) return;
      hand_over(counts, rows, Receiver<T>(linkage, front, work),
                [](const T& x) -> const T& { return x; });
    });
  }
}

template <Retained kRetained, class T>
inline void release_over_ground(const Linkage<T>& linkage, Work<T>& work) {
  const BodyWork<T>* hub = nullptr;
  if constexpr (kRetained != Retained::kNothing) hub = &work.bodies[at(linkage.hub)];
  for (std::size_t k = linkage.fronts.size(); k-- > linkage.body_fronts;)
    with_counts(linkage.fronts[k], [&](const auto& counts) {
      release<kRetained>(linkage, linkage.fronts[k], counts, hub, work);
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
        release<Retained::kTurning>(linkage, front, counts, &w, work);
      } else {
        release<Retained::kAll>(linkage, front, counts, &w, work);
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
  for (std::size_t k = 0; k < linkage.loop_cuts; ++k) {
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
    if (at(end.cut) >= linkage.loop_cuts) continue;
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

template <class T>
inline void drop_impulses(Work<T>& work) {
  for (auto& cut : work.cuts) {
    cut.sigma = {};
    cut.Lx = cut.Ly = cut.Lm = T(0);
  }
}

// The momenta of the motion if no cut carries an impulse, after move_bodies(): p of a pin is the
// moment about it of the momentum behind it. `summed`: bodies have the momentum of all behind them,
// as after find_momentum_rates() without impulses.
template <bool summed, class T>
inline void find_momenta(const Linkage<T>& linkage, double* p, Work<T>& work) {
  for (std::size_t b = 0; b < linkage.bodies.size(); ++b) {
    auto& w = work.bodies[b];
    w.Qm = linkage.bodies[b].inertia * w.omega + (w.moments.x * w.Vy - w.moments.y * w.Vx);
  }
  for (std::size_t b = linkage.bodies.size(); b-- > 0;) {
    const auto& body = linkage.bodies[b];
    const auto& w = work.bodies[b];
    work.p[b] = body.sign * w.Qm;
    if (static_cast<int>(b) != linkage.hub || linkage.has_hub) scatter(work.p[b], p, body.velocity);
    if (body.inboard == kGround) continue;
    auto& in = work.bodies[at(body.inboard)];
    if constexpr (!summed) in.Px += w.Px, in.Py += w.Py;
    in.Qm += w.Qm + (w.arm.x * w.Py - w.arm.y * w.Px);
  }
}

}  // namespace hamiltree::planar_loops
