// Between the arrays of a state and the numbers of a part, one by one and in lanes.
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/planar_loops/linkage.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree::planar_loops {

template <class T>
inline Vector2<T> turned(const Vector2<T>& axes, const Vector2<T>& x) {
  return {axes.x * x.x - axes.y * x.y, axes.y * x.x + axes.x * x.y};
}

inline double gather(const double* from, const Place<double>& place) { return from[place.number]; }
inline Pack gather(const double* from, const Place<Pack>& place) {
  return Pack::of_lanes([&](int lane) { return from[place.number[at(lane)]]; });
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
  for (std::size_t k = 0; k < linkage.loop_cuts; ++k) {
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

// The gaps that the cuts are to close: Phi, given in its own axes, or as they stand.
template <class T>
inline void take_gaps(const Linkage<T>& linkage, const Arrays& state, Work<T>& work) {
  for (std::size_t k = 0; k < linkage.cuts.size(); ++k) {
    const auto& cut = linkage.cuts[k];
    auto& w = work.cuts[k];
    w.gap = {};
    if (k >= linkage.loop_cuts) continue;
    if (state.phi != nullptr)
      w.gap = turned(w.axes, {gather(state.phi, cut.row), gather(state.phi + 1, cut.row)});
    if (!state.closes) continue;
    const auto on_parent = world_point(work, cut.parent, cut.at_parent);
    w.gap = {w.O.x - on_parent.x, w.O.y - on_parent.y};
  }
}

}  // namespace hamiltree::planar_loops
