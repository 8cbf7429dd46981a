// A chain whose segments float, in eight lanes: every segment goes inwards on its own and is a
// compound of two ends then, joined with those before it in its lane; the lanes are joined two by
// two; and every segment goes outwards and back.
#pragma once

#include <array>
#include <cstddef>

#include "hamiltree/formulations/screws/carry.hpp"
#include "hamiltree/formulations/screws/floating_chain.hpp"
#include "hamiltree/formulations/screws/floating_work.hpp"
#include "hamiltree/formulations/screws/lane_state.hpp"

namespace hamiltree::screws {

using FloatingLanes = std::array<int, kLanes>;

inline Pack gather(const double* from, const FloatingLanes& places, int offset = 0) {
  double values[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    values[lane] = places[lane] == kNobody ? 0.0 : from[places[lane] + offset];
  return Pack::load(values);
}
inline void scatter(const Pack& all, const FloatingLanes& places, double* to, int offset = 0) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const int place = places[at(lane)];
    if (place != kNobody) to[place + offset] = all[lane];
  }
}

// What the next segment of every row has there, of the last one zero.
template <class Member>
inline Pack of_next(const FloatingWork& work, std::size_t r, Member member) {
  return r + 1 < work.segments.size() ? work.segments[r + 1].*member
                                      : next_lane(work.segments.front().*member);
}

// Where the bases are, and their momenta, in world axes:
//   (1)  R_B = Rot(q),  O = F + R_F (x, y) + r,  r = R_B pin
//   (2)  p_w = R_B p,   its moment about O  p_c - r x p_w
inline void place_base(const FloatingBase& base, const FloatingRequest& asked,
                       FloatingSegment& own) {
  // (1)
  sin_cos(gather(asked.q, base.angle) + base.offset, own.s, own.c);
  own.arm_x = base.pin_x, own.arm_y = base.pin_y;
  turn(own.arm_x, own.arm_y, own.s, own.c);
  Pack x = gather(asked.q, base.q), y = gather(asked.q, base.q, 1);
  turn(x, y, base.origin_sin, base.origin_cos);
  own.x = base.origin_x + x + own.arm_x, own.y = base.origin_y + y + own.arm_y;
  // (2)
  own.px = gather(asked.p, base.p), own.py = gather(asked.p, base.p, 1);
  turn(own.px, own.py, own.s, own.c);
  own.moment = gather(asked.p, base.p_angle) - (own.arm_x * own.py - own.arm_y * own.px);
}

// Sines and cosines and momenta of a row's links; how far the next segment's O is from the last
// pin, loop closed or not.
inline void place_links(const FloatingChain& chain, std::size_t r, const FloatingRequest& asked,
                        FloatingWork& work) {
  const auto& row = chain.rows[r];
  auto& own = work.segments[r];
  for (std::size_t k = row.first; k < row.last; ++k) {
    const auto& link = chain.links[k];
    auto& step = work.steps[k];
    sin_cos(gather(asked.q, link.coordinate) + link.offset, step.s, step.c);
    work.momenta[k - row.first] = gather(asked.p, link.velocity);
  }
  for (int lane = 0; lane < kLanes; ++lane)
    work.momenta[at(row.start[at(lane)])].set(lane, own.moment[lane]);
  Pack s(0.0), c(1.0), x = own.x, y = own.y;
  for (std::size_t k = row.first; k < row.last; ++k) {
    const auto& a = chain.links[k].a;
    x += a * c, y += a * s;
    turn(c, s, work.steps[k].s, work.steps[k].c);
  }
  own.end_sin = s, own.end_cos = c;
  own.end_x = of_next(work, r, &FloatingSegment::x) - x;
  own.end_y = of_next(work, r, &FloatingSegment::y) - y;
  turn_back(own.end_x, own.end_y, s, c);
}

// A segment inwards, M = [A b; b^T C] and D of all behind a pin, F of what is handed out, y:
//   (1)  M of the body is added
//   (2)  W = b / C,  u = (p - D_c) / C,  phi = F_c / C
//   (3)  A <- A - b W^T,  D <- D + b u,  F <- F - W F_c^T,  b = 0,  C = 0,  D_c = p,  F_c = 0
//   (4)  Psi <- Psi + phi F_c^T,  f <- f + F_c u
//   (5)  to the frame inboard; that of a base is the world's, at O
// What a base turns is eliminated as a pin is, its momentum is known; its way is the compound's.
inline Compound<2> inwards(const FloatingChain& chain, std::size_t r, FloatingWork& work) {
  const auto& row = chain.rows[r];
  auto& own = work.segments[r];
  Pack Axx(0.0), Axy(0.0), Ayy(0.0), bx(0.0), by(0.0), C(0.0), Dx(0.0), Dy(0.0), Dc(0.0);
  std::array<Pack, 2> Fx{own.end_cos, own.end_sin}, Fy{-own.end_sin, own.end_cos}, Fc;
  for (std::size_t j = 0; j < 2; ++j) Fc[j] = own.end_x * Fy[j] - own.end_y * Fx[j];
  PinnedSquare<2> Psi{};
  Pinned<2> f{};
  for (std::size_t k = row.last; k-- > row.first;) {
    const auto& link = chain.links[k];
    auto& step = work.steps[k];
    // (1)
    Axx += link.mass, Ayy += link.mass, bx -= link.my, by += link.mx, C += link.J;
    // (2)
    const Pack inverse = Pack(1.0) / C;
    const Pack& p = work.momenta[k - row.first];
    const Pack Wx = bx * inverse, Wy = by * inverse, u = (p - Dc) * inverse;
    step.Wx = Wx, step.Wy = Wy, step.u = u;
    // (3), (4)
    Axx -= bx * Wx, Axy -= bx * Wy, Ayy -= by * Wy;
    Dx += bx * u, Dy += by * u, Dc = p;
#pragma GCC unroll 2
    for (std::size_t i = 0; i < 2; ++i) {
      Fx[i] -= Wx * Fc[i], Fy[i] -= Wy * Fc[i];
      const Pack phi = Fc[i] * inverse;
      step.phi[i] = phi;
#pragma GCC unroll 2
      for (std::size_t j = 0; j <= i; ++j) Psi[i][j] += phi * Fc[j];
      f[i] += Fc[i] * u;
    }
    // (5)
    turn_symmetric(Axx, Axy, Ayy, step.s, step.c, step.c + step.c);
    turn(Dx, Dy, step.s, step.c);
    bx = link.a * Axy, by = link.a * Ayy, C = link.a * by, Dc += link.a * Dy;
#pragma GCC unroll 2
    for (std::size_t j = 0; j < 2; ++j) {
      turn(Fx[j], Fy[j], step.s, step.c);
      Fc[j] = link.a * Fy[j];
    }
  }
  own.A = factor(PinnedSquare<2>{{{Axx}, {Axy, Ayy}}});
  own.F = {{{Fx[0], Fy[0]}, {Fx[1], Fy[1]}}};
  own.rest = {own.px - Dx, own.py - Dy};
  const std::array<Pinned<2>, 2> E{{{Pack(1.0), Pack(0.0)}, {Pack(0.0), Pack(1.0)}}};
  auto compound = compound_of(own.A, E, own.F, own.rest, Psi, f);
  // Where a lane has no more segments, its compound gives way to anything: nothing is handed on.
  for (std::size_t i = 0; i < 2; ++i) compound.a[i][i] += row.base.nobody;
  return compound;
}

// phi in the axes of M to the world's, sigma back.
inline void turn_to_world(const FloatingBase& base, const FloatingSegment& own, Pack& x, Pack& y) {
  turn(x, y, base.pin_sin, base.pin_cos);
  turn(x, y, own.s, own.c);
}
inline void turn_to_cut(const FloatingBase& base, const FloatingSegment& own, Pack& x, Pack& y) {
  turn_back(x, y, own.s, own.c);
  turn_back(x, y, base.pin_sin, base.pin_cos);
}

// All compounds, joined and taken apart: T_1 and T_2 of every segment.
inline void hand_on(const FloatingChain& chain, const FloatingRequest& asked, FloatingWork& work) {
  Compound<2> all;
  for (std::size_t r = 0; r < chain.rows.size(); ++r) {
    const auto& base = chain.rows[r].base;
    place_links(chain, r, asked, work);
    auto compound = inwards(chain, r, work);
    if (asked.phi != nullptr) {
      Pack x = gather(asked.phi, base.sigma), y = gather(asked.phi, base.sigma, 1);
      turn_to_world(base, work.segments[r], x, y);
      compound.x[0] += x, compound.x[1] += y;
    }
    all = r == 0 ? compound : join(all, compound, work.segments[r].joined);
  }
  join<1>(all, work.joined[0]);
  join<2>(all, work.joined[1]);
  join<4>(all, work.joined[2]);
  Pinned<2> T_1{}, T_2{};
  if (chain.on_ground) close(all, T_1, T_2);
  part<4>(work.joined[2], T_1, T_2);
  part<2>(work.joined[1], T_1, T_2);
  part<1>(work.joined[0], T_1, T_2);
  for (std::size_t r = chain.rows.size(); r-- > 0;) {
    auto& own = work.segments[r];
    own.T_2 = T_2;
    own.T_1 = r == 0 ? T_1 : handed_on(own.joined, T_1, T_2);
    for (std::size_t i = 0; i < 2; ++i) T_2[i] = -own.T_1[i];
  }
}

// The motion of a base, V at O:
//   A V = p - D + T_1 - F y,    y = -T_2
//   omega = u - W . V - phi . y
inline void move_base(const FloatingRow& row, FloatingSegment& own, const FloatingWork& work) {
  Pinned<2> V;
  for (std::size_t i = 0; i < 2; ++i)
    V[i] = own.rest[i] + own.T_1[i] + (own.F[0][i] * own.T_2[0] + own.F[1][i] * own.T_2[1]);
  forward(own.A, V);
  for (std::size_t i = 0; i < 2; ++i) V[i] *= own.A.inverse[i];
  backward(own.A, V);
  own.Vx = V[0], own.Vy = V[1];
  FloatingStep step = work.steps[row.first];
  if (!row.is_even) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const auto& its = work.steps[row.first + at(row.start[at(lane)])];
      for (const auto member : {&FloatingStep::s, &FloatingStep::c, &FloatingStep::Wx,
                                &FloatingStep::Wy, &FloatingStep::u})
        (step.*member).set(lane, (its.*member)[lane]);
      for (std::size_t i = 0; i < 2; ++i) step.phi[i].set(lane, its.phi[i][lane]);
    }
  }
  turn_back(V[0], V[1], step.s, step.c);
  own.turning = step.u + dot<0, 2>(step.phi, own.T_2) - (step.Wx * V[0] + step.Wy * V[1]);
}

// From the base to the last link.
inline Pack outwards(const FloatingChain& chain, std::size_t r, const FloatingRequest& asked,
                     FloatingWork& work) {
  const auto& row = chain.rows[r];
  const auto& own = work.segments[r];
  Pack x = own.Vx, y = own.Vy, turning(0.0), sum(0.0);
  Pack gx(chain.gravity_x), gy(chain.gravity_y);
  for (std::size_t k = row.first; k < row.last; ++k) {
    const auto& link = chain.links[k];
    const auto& step = work.steps[k];
    y += link.a * turning;
    turn_back(x, y, step.s, step.c);
    turn_back(gx, gy, step.s, step.c);
    const Pack alone = step.u + dot<0, 2>(step.phi, own.T_2);
    const Pack all = alone - (step.Wx * x + step.Wy * y);
    const Pack v = all - turning;
    turning = all;
    work.motions[k - row.first] = {x, y, turning, gx, gy};
    scatter(v, link.velocity, asked.v);
    scatter(v, link.coordinate, asked.q_dot);
    sum += v * Pack(0.0);
  }
  return sum;
}

// The velocity of a base in its own axes and the rate of its coordinates; sigma of its cut.
inline Pack give_base(const FloatingBase& base, const FloatingSegment& own,
                      const FloatingRequest& asked) {
  Pack x = own.Vx + own.turning * own.arm_y, y = own.Vy - own.turning * own.arm_x;
  Pack rate_x = x, rate_y = y;
  turn_back(rate_x, rate_y, base.origin_sin, base.origin_cos);
  scatter(rate_x, base.q, asked.q_dot);
  scatter(rate_y, base.q, asked.q_dot, 1);
  turn_back(x, y, own.s, own.c);
  scatter(x, base.p, asked.v);
  scatter(y, base.p, asked.v, 1);
  Pack sigma_x = own.T_1[0], sigma_y = own.T_1[1];
  turn_to_cut(base, own, sigma_x, sigma_y);
  scatter(sigma_x, base.sigma, asked.sigma);
  scatter(sigma_y, base.sigma, asked.sigma, 1);
  return (x + y) * Pack(0.0);
}

struct FloatingLoad {
  Pack x{0.0}, y{0.0}, moment{0.0};
};

// Back to the base with P, momentum of all behind a pin and of what is handed out, and the loads G:
//   (1)  P = y,   G = omega_2 x y - kappa y,  its moment about the next O  V_2 x y
//   (2)  P <- P + M V,   G <- G + m g
//   (3)  pdot = G_c - (V x P)_c
// with omega_2, V_2 those of the next base: what is handed out turns and goes with it, and the
// next segment's loads miss it. Returns G at O in world axes.
inline FloatingLoad back(const FloatingChain& chain, std::size_t r, const FloatingRequest& asked,
                         const FloatingWork& work, Pack& sum) {
  const auto& row = chain.rows[r];
  const auto& own = work.segments[r];
  // (1)
  Pack Px = -own.T_2[0], Py = -own.T_2[1];
  const Pack turning = of_next(work, r, &FloatingSegment::turning), leak(asked.leak);
  FloatingLoad G;
  G.x = -(turning * Py + leak * Px), G.y = turning * Px - leak * Py;
  G.moment =
      of_next(work, r, &FloatingSegment::Vx) * Py - of_next(work, r, &FloatingSegment::Vy) * Px;
  turn_back(Px, Py, own.end_sin, own.end_cos);
  turn_back(G.x, G.y, own.end_sin, own.end_cos);
  G.moment += own.end_x * G.y - own.end_y * G.x;
  for (std::size_t k = row.last; k-- > row.first;) {
    const auto& link = chain.links[k];
    const auto& step = work.steps[k];
    const auto& [x, y, c, gx, gy] = work.motions[k - row.first];
    // (2)
    Px += link.mass * x - link.my * c, Py += link.mass * y + link.mx * c;
    G.x += link.mass * gx, G.y += link.mass * gy;
    G.moment += link.mx * gy - link.my * gx;
    // (3)
    const Pack p_dot = G.moment - (x * Py - y * Px);
    scatter(p_dot, link.velocity, asked.p_dot);
    sum += p_dot * Pack(0.0);
    turn(Px, Py, step.s, step.c);
    turn(G.x, G.y, step.s, step.c);
    G.moment += link.a * G.y;
  }
  return G;
}

// The momentum rate of a base, which is handed T_1:
//   (1)  G <- G - omega x T_1 + kappa T_1,  of its moment  -V x T_1
//   (2)  pdot = R_B^T G - omega x p,  pdot_c = G_c + r x G - v x p    about the origin of B
inline Pack give_base_rates(const FloatingBase& base, const FloatingSegment& own, FloatingLoad G,
                            const FloatingRequest& asked) {
  // (1)
  const Pack &x = own.T_1[0], &y = own.T_1[1], leak(asked.leak);
  G.x += own.turning * y + leak * x, G.y += leak * y - own.turning * x;
  G.moment -= own.Vx * y - own.Vy * x;
  // (2)
  const Pack vx = own.Vx + own.turning * own.arm_y, vy = own.Vy - own.turning * own.arm_x;
  const Pack moment = G.moment + (own.arm_x * G.y - own.arm_y * G.x) - (vx * own.py - vy * own.px);
  G.x += own.turning * own.py, G.y -= own.turning * own.px;
  turn_back(G.x, G.y, own.s, own.c);
  scatter(G.x, base.p, asked.p_dot);
  scatter(G.y, base.p, asked.p_dot, 1);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (base.p[at(lane)] != kNobody) asked.p_dot[base.p_angle[at(lane)]] = moment[lane];
  }
  return (G.x + G.y + moment) * Pack(0.0);
}

// False if a result is not finite.
inline bool move(const FloatingChain& chain, const FloatingRequest& asked, FloatingWork& work) {
  const std::size_t rows = chain.rows.size();
  for (std::size_t r = 0; r < rows; ++r) place_base(chain.rows[r].base, asked, work.segments[r]);
  hand_on(chain, asked, work);
  for (std::size_t r = 0; r < rows; ++r) move_base(chain.rows[r], work.segments[r], work);
  Pack sum(0.0);
  for (std::size_t r = 0; r < rows; ++r) {
    const auto& base = chain.rows[r].base;
    const auto& own = work.segments[r];
    sum += outwards(chain, r, asked, work) + give_base(base, own, asked);
    if (asked.p_dot == nullptr) continue;
    const auto G = back(chain, r, asked, work, sum);
    sum += give_base_rates(base, own, G, asked);
  }
  return sum_of_lanes(sum) == 0.0;
}

}  // namespace hamiltree::screws
