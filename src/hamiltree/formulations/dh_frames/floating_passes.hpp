// A chain whose segments float, in eight lanes: every segment goes inwards on its own and is a
// compound of two ends then, joined with those before it in its lane; the lanes are joined two by
// two; and every segment goes outwards and back.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "hamiltree/formulations/dh_frames/carry.hpp"
#include "hamiltree/formulations/dh_frames/floating_chain.hpp"
#include "hamiltree/formulations/dh_frames/floating_work.hpp"
#include "hamiltree/formulations/dh_frames/lane_state.hpp"

namespace hamiltree::dh_frames {

using FloatingLanes = std::array<int, kLanes>;

inline void scatter(const Pack& all, const FloatingLanes& places, double* to, int offset = 0) {
  for (int lane = 0; lane < kLanes; ++lane) {
    const int place = places[at(lane)];
    if (place != kNobody) to[place + offset] = all[lane];
  }
}

// The next segment of every row; for the last one `beyond`.
template <class Member>
inline Pack of_next(const FloatingWork& work, std::size_t r, Member member, double beyond) {
  return r + 1 < work.segments.size() ? work.segments[r + 1].*member
                                      : next_lane(work.segments.front().*member, beyond);
}

// Where a base is, in world axes:
//   R_B = Rot(q),  O = F + R_F (x, y) + r,  r = R_B revolute
inline void place_base(const FloatingBase& base, const double* q, FloatingSegment& own) {
  sin_cos(gather(q, base.angle) + base.offset, own.s, own.c);
  own.arm_x = base.revolute_x, own.arm_y = base.revolute_y;
  rotate(own.arm_x, own.arm_y, own.s, own.c);
  Pack x = gather(q, base.q), y = gather(q, base.q, 1);
  rotate(x, y, base.origin_sin, base.origin_cos);
  own.x = base.origin_x + x + own.arm_x, own.y = base.origin_y + y + own.arm_y;
}

// Its momentum, and the moment of that about O:
//   p_w = R_B p,  p_c - r x p_w
inline void take_base(const FloatingBase& base, const double* p, FloatingSegment& own) {
  own.px = gather(p, base.p), own.py = gather(p, base.p, 1);
  rotate(own.px, own.py, own.s, own.c);
  own.moment = gather(p, base.p_angle) - (own.arm_x * own.py - own.arm_y * own.px);
}

// The first one of all.
inline BasePlace first_base(const FloatingChain& chain, const double* q) {
  FloatingSegment first;
  place_base(chain.rows.front().base, q, first);
  return {first.x[0], first.y[0]};
}

// Sines and cosines of a row's links, and of each one's number in `numbers`, momentum or velocity.
inline void take_links(const FloatingChain& chain, std::size_t r, const double* q,
                       const double* numbers, FloatingWork& work, std::vector<Pack>& taken) {
  const auto& row = chain.rows[r];
  for (std::size_t k = row.first; k < row.last; ++k) {
    const auto& link = chain.links[k];
    auto& step = work.steps[k];
    sin_cos(gather(q, link.coordinate) + link.offset, step.s, step.c);
    taken[k - row.first] = gather(numbers, link.velocity);
  }
}

// Momenta of a row's links; a base has its own about O.
inline void take_momenta(const FloatingChain& chain, std::size_t r, const FloatingRequest& asked,
                         FloatingWork& work) {
  take_links(chain, r, asked.q, asked.p, work, work.momenta);
  const auto& row = chain.rows[r];
  for (int lane = 0; lane < kLanes; ++lane)
    work.momenta[at(row.start[at(lane)])].set(lane, work.segments[r].moment[lane]);
}

// How far the next segment's O is from the last revolute, loop closed or not.
inline void find_end(const FloatingChain& chain, std::size_t r, const BasePlace& beyond,
                     FloatingWork& work) {
  const auto& row = chain.rows[r];
  auto& own = work.segments[r];
  Pack s(0.0), c(1.0), x = own.x, y = own.y;
  for (std::size_t k = row.first; k < row.last; ++k) {
    const auto& a = chain.links[k].a;
    x += a * c, y += a * s;
    rotate(c, s, work.steps[k].s, work.steps[k].c);
  }
  own.end_sin = s, own.end_cos = c;
  own.end_x = row.next_x + (of_next(work, r, &FloatingSegment::x, beyond.x) - x);
  own.end_y = row.next_y + (of_next(work, r, &FloatingSegment::y, beyond.y) - y);
  rotate_back(own.end_x, own.end_y, s, c);
}

// By how much the loop at a segment's end is open, world axes.
inline void find_gap(const FloatingRow& row, const FloatingSegment& own, Pack& x, Pack& y) {
  x = row.is_joined * (own.end_x - row.offset), y = row.is_joined * own.end_y;
  rotate(x, y, own.end_sin, own.end_cos);
}

// Masses times their places, counted from F, kg m; of a lane's bodies.
inline void add_moments(const FloatingChain& chain, std::size_t r, const FloatingWork& work,
                        Pack& moment_x, Pack& moment_y) {
  const auto& row = chain.rows[r];
  const auto& own = work.segments[r];
  Pack s(0.0), c(1.0), x = own.x, y = own.y;
  for (std::size_t k = row.first; k < row.last; ++k) {
    const auto& link = chain.links[k];
    x += link.a * c, y += link.a * s;
    rotate(c, s, work.steps[k].s, work.steps[k].c);
    moment_x += link.mass * x + (link.mx * c - link.my * s);
    moment_y += link.mass * y + (link.mx * s + link.my * c);
  }
}

// A segment inwards, M = [A b; b^T C] and D of all behind a revolute, F of what is handed out, y:
//   (1)  M of the body is added
//   (2)  W = b / C,  u = (p - D_c) / C,  phi = F_c / C
//   (3)  A <- A - b W^T,  D <- D + b u,  F <- F - W F_c^T,  b = 0,  C = 0,  D_c = p,  F_c = 0
//   (4)  Psi <- Psi + phi F_c^T,  f <- f + F_c u
//   (5)  to the frame inboard; that of a base is the world's, at O
// The turning of a base is eliminated as a revolute is, its momentum is known; its way is the
// compound's.
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
    rotate(Dx, Dy, step.s, step.c);
    bx = link.a * Axy, by = link.a * Ayy, C = link.a * by, Dc += link.a * Dy;
#pragma GCC unroll 2
    for (std::size_t j = 0; j < 2; ++j) {
      rotate(Fx[j], Fy[j], step.s, step.c);
      Fc[j] = link.a * Fy[j];
    }
  }
  own.A = factor(PinnedSquare<2>{{{Axx}, {Axy, Ayy}}});
  own.F = {{{Fx[0], Fy[0]}, {Fx[1], Fy[1]}}};
  own.rest = {own.px - Dx, own.py - Dy};
  const std::array<Pinned<2>, 2> E{{{Pack(1.0), Pack(0.0)}, {Pack(0.0), Pack(1.0)}}};
  auto compound = compound_of(own.A, E, own.F, own.rest, Psi, f);
  // Where a lane has no more segments, its compound gives way to anything: nothing is handed on.
  for (std::size_t i = 0; i < 2; ++i) compound.a[i][i] += row.base.none;
  return compound;
}

// phi in the axes of M to the world's, sigma back.
inline void turn_to_world(const FloatingBase& base, const FloatingSegment& own, Pack& x, Pack& y) {
  rotate(x, y, base.revolute_sin, base.revolute_cos);
  rotate(x, y, own.s, own.c);
}
inline void turn_to_cut(const FloatingBase& base, const FloatingSegment& own, Pack& x, Pack& y) {
  rotate_back(x, y, own.s, own.c);
  rotate_back(x, y, base.revolute_sin, base.revolute_cos);
}

// A chain, or a chain block of one whose next base is `beyond`, to one compound.
inline void go_in(const FloatingChain& chain, const FloatingRequest& asked, const BasePlace& beyond,
                  FloatingWork& work) {
  for (std::size_t r = 0; r < chain.rows.size(); ++r) {
    place_base(chain.rows[r].base, asked.q, work.segments[r]);
    take_base(chain.rows[r].base, asked.p, work.segments[r]);
  }
  auto& all = work.outside.compound;
  Pack moment_x(0.0), moment_y(0.0), square_of_gap(0.0);
  for (std::size_t r = 0; r < chain.rows.size(); ++r) {
    const auto& row = chain.rows[r];
    auto& own = work.segments[r];
    take_momenta(chain, r, asked, work);
    find_end(chain, r, beyond, work);
    auto compound = inwards(chain, r, work);
    if (asked.phi != nullptr) {
      Pack x = gather(asked.phi, row.base.sigma), y = gather(asked.phi, row.base.sigma, 1);
      turn_to_world(row.base, own, x, y);
      compound.x[0] += x, compound.x[1] += y;
    }
    if (asked.closes) {
      Pack x, y;
      find_gap(row, own, x, y);
      compound.y[0] -= x, compound.y[1] -= y;
      const Pack square = x * x + y * y;
      square_of_gap = select(square_of_gap < square, square, square_of_gap);
    }
    if (asked.weighs) add_moments(chain, r, work, moment_x, moment_y);
    all = r == 0 ? compound : join(all, compound, own.joined);
  }
  join<1>(all, work.joined[0]);
  join<2>(all, work.joined[1]);
  join<4>(all, work.joined[2]);
  work.outside.turn = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  work.outside.moments = {work.moved_x + sum_of_lanes(moment_x),
                          work.moved_y + sum_of_lanes(moment_y), 0.0};
  work.gap = 0.0;
  for (int lane = 0; lane < kLanes; ++lane)
    work.gap = std::max(work.gap, std::sqrt(square_of_gap[lane]));
}

// The motion handed to each segment, from that of all.
inline void hand_on(FloatingWork& work) {
  auto [T_1, T_2] = std::pair{work.inside.T_1, work.inside.T_2};
  part<4>(work.joined[2], T_1, T_2);
  part<2>(work.joined[1], T_1, T_2);
  part<1>(work.joined[0], T_1, T_2);
  for (std::size_t r = work.segments.size(); r-- > 0;) {
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
  rotate_back(V[0], V[1], step.s, step.c);
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
    rotate_back(x, y, step.s, step.c);
    rotate_back(gx, gy, step.s, step.c);
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
  rotate_back(rate_x, rate_y, base.origin_sin, base.origin_cos);
  scatter(rate_x, base.q, asked.q_dot);
  scatter(rate_y, base.q, asked.q_dot, 1);
  rotate_back(x, y, own.s, own.c);
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

// Back to the base with P, momentum of all behind a revolute and of what is handed out, and the
// loads G:
//   (1)  P = y,   G = omega_2 x y - kappa y,  its moment about the next O  V_2 x y
//   (2)  P <- P + M V,   G <- G + m g
//   (3)  pdot = G_c - (V x P)_c
// with omega_2, V_2 those of the next base: what is handed out turns and goes with it, and the
// next segment's loads miss it. Returns G at O in world axes.
inline FloatingLoad back(const FloatingChain& chain, std::size_t r, const FloatingRequest& asked,
                         const BaseMotion& beyond, const FloatingWork& work, Pack& sum) {
  const auto& row = chain.rows[r];
  const auto& own = work.segments[r];
  // (1)
  Pack Px = -own.T_2[0], Py = -own.T_2[1];
  const Pack turning = of_next(work, r, &FloatingSegment::turning, beyond.turning);
  const Pack leak(asked.leak);
  FloatingLoad G;
  G.x = -(turning * Py + leak * Px), G.y = turning * Px - leak * Py;
  G.moment = of_next(work, r, &FloatingSegment::Vx, beyond.x) * Py -
             of_next(work, r, &FloatingSegment::Vy, beyond.y) * Px;
  rotate_back(Px, Py, own.end_sin, own.end_cos);
  rotate_back(G.x, G.y, own.end_sin, own.end_cos);
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
    rotate(Px, Py, step.s, step.c);
    rotate(G.x, G.y, step.s, step.c);
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
  rotate_back(G.x, G.y, own.s, own.c);
  scatter(G.x, base.p, asked.p_dot);
  scatter(G.y, base.p, asked.p_dot, 1);
  for (int lane = 0; lane < kLanes; ++lane) {
    if (base.p[at(lane)] != kNobody) asked.p_dot[base.p_angle[at(lane)]] = moment[lane];
  }
  return (G.x + G.y + moment) * Pack(0.0);
}

// The motions of all bases, which segments need of one another.
inline void move_bases(const FloatingChain& chain, FloatingWork& work) {
  hand_on(work);
  for (std::size_t r = 0; r < chain.rows.size(); ++r)
    move_base(chain.rows[r], work.segments[r], work);
}

// Velocities and rates; `beyond`: how the next base moves. False if one is not finite.
inline bool go_out(const FloatingChain& chain, const FloatingRequest& asked,
                   const BaseMotion& beyond, FloatingWork& work) {
  Pack sum(0.0);
  for (std::size_t r = 0; r < chain.rows.size(); ++r) {
    const auto& base = chain.rows[r].base;
    const auto& own = work.segments[r];
    sum += outwards(chain, r, asked, work) + give_base(base, own, asked);
    if (asked.p_dot == nullptr) continue;
    const auto G = back(chain, r, asked, beyond, work, sum);
    sum += give_base_rates(base, own, G, asked);
  }
  return sum_of_lanes(sum) == 0.0;
}

// All of a chain.
inline bool move(const FloatingChain& chain, const FloatingRequest& asked, FloatingWork& work) {
  go_in(chain, asked, {}, work);
  auto& [T_1, T_2, gravity, behind] = work.inside;
  T_1 = T_2 = {Pack(0.0), Pack(0.0)};
  if (chain.on_ground) close(work.outside.compound, T_1, T_2);
  move_bases(chain, work);
  return go_out(chain, asked, {}, work);
}

// F of all bases goes to where they are, and what that takes from the moments is kept.
inline void follow_bases(const FloatingChain& chain, double* q, FloatingWork& work) {
  Pack moment_x(0.0), moment_y(0.0);
  for (const auto& row : chain.rows) {
    Pack mass(0.0);
    for (std::size_t k = row.first; k < row.last; ++k) mass += chain.links[k].mass;
    moment_x += mass * gather(q, row.base.q), moment_y += mass * gather(q, row.base.q, 1);
    scatter(Pack(0.0), row.base.q, q);
    scatter(Pack(0.0), row.base.q, q, 1);
  }
  work.moved_x += sum_of_lanes(moment_x), work.moved_y += sum_of_lanes(moment_y);
}

// From one F to the next, so that no loop is open; after find_momenta() at this pose.
inline void settle(FloatingChain& chain, const double* q, const BasePlace& beyond,
                   FloatingWork& work) {
  for (std::size_t r = 0; r < chain.rows.size(); ++r)
    place_base(chain.rows[r].base, q, work.segments[r]);
  for (std::size_t r = 0; r < chain.rows.size(); ++r) {
    auto& row = chain.rows[r];
    find_end(chain, r, beyond, work);
    Pack x, y;
    find_gap(row, work.segments[r], x, y);
    row.next_x -= x, row.next_y -= y;
  }
}

// Momenta p of segments that move by v, with nothing handed on between them:
//   (1)  the motions of the links, outwards
//   (2)  P <- P + M V, its moment about the revolute p, inwards
//   (3)  of a base R_B^T P and, about the origin of B, p + r x P
inline void find_momenta(const FloatingChain& chain, const double* q, const double* v, double* p,
                         FloatingWork& work) {
  for (std::size_t r = 0; r < chain.rows.size(); ++r) {
    const auto& row = chain.rows[r];
    const auto& base = row.base;
    auto& own = work.segments[r];
    place_base(base, q, own);
    take_links(chain, r, q, v, work, work.momenta);
    // (1)
    Pack x = gather(v, base.p), y = gather(v, base.p, 1), turning = gather(v, base.p_angle);
    rotate(x, y, own.s, own.c);
    x -= turning * own.arm_y, y += turning * own.arm_x;
    turning = Pack(0.0);
    for (std::size_t k = row.first; k < row.last; ++k) {
      y += chain.links[k].a * turning;
      rotate_back(x, y, work.steps[k].s, work.steps[k].c);
      turning += work.momenta[k - row.first];
      auto& motion = work.motions[k - row.first];
      motion.x = x, motion.y = y, motion.turning = turning;
    }
    // (2)
    Pack Px(0.0), Py(0.0), moment(0.0);
    for (std::size_t k = row.last; k-- > row.first;) {
      const auto& link = chain.links[k];
      const auto& [Vx, Vy, c, gx, gy] = work.motions[k - row.first];
      Px += link.mass * Vx - link.my * c, Py += link.mass * Vy + link.mx * c;
      moment += link.J * c + (link.mx * Vy - link.my * Vx);
      scatter(moment, link.velocity, p);
      rotate(Px, Py, work.steps[k].s, work.steps[k].c);
      moment += link.a * Py;
    }
    // (3)
    const Pack about_origin = gather(p, base.p_angle) + (own.arm_x * Py - own.arm_y * Px);
    scatter(about_origin, base.p_angle, p);
    rotate_back(Px, Py, own.s, own.c);
    scatter(Px, base.p, p);
    scatter(Py, base.p, p, 1);
  }
}

}  // namespace hamiltree::dh_frames
