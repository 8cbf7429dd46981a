// Momenta and loads inwards, and with them the rates of the momenta.
#pragma once

#include "hamiltree/formulations/kernel/joint_size.hpp"
#include "hamiltree/formulations/kernel/outwards.hpp"

namespace hamiltree::kernel {

// [X | .] and [Y | .]: linear and angular parts of momentum and load side by side.
struct Carried {
  Eight X, Y;
};
inline Eight both(Four a) { return join(a, a); }
// a x X in both halves.
inline Eight moments(Four arm, const Eight& X) {
  return join(cross(arm, low(X)), cross(arm, high(X)));
}

// Momentum of a body alone, its weight and what else loads it.
inline Carried carried_alone(const Tables& tables, std::size_t b, const Arrays& state,
                             const BodyWork& w) {
  const auto& body = tables.bodies[b];
  const Four mc = load(w.mc), v = with_fourth(load(w.v), Four{}), turning = load(w.w);
  const Four P = v * body.mass + cross(turning, mc);
  const Four L = load(w.J[0]) * w.w.lane[0] + load(w.J[1]) * w.w.lane[1] +
                 load(w.J[2]) * w.w.lane[2] + cross(mc, v);
  const Four g{tables.gravity[0], tables.gravity[1], tables.gravity[2], 0.0};
  Four force = g * body.mass, moment = cross(mc, g);
  if (state.loads != nullptr) {
    const Number* F = state.loads + 6 * b;
    force += Four{F[0], F[1], F[2], 0.0};
    moment += Four{F[3], F[4], F[5], 0.0};
  }
  return {join(P, force), join(L, moment)};
}

// The impulse of a cut on body[0], about the joint's point.
inline Wrench impulse_of(const Cut& cut, const CutWork& w, const Work& work) {
  if (cut.is_ball) {
    const Number* sigma = work.impulses_of(cut.impulses) + cut.lane;
    return {Four{sigma[0], sigma[1], sigma[2], 0.0}, Four{}};
  }
  Wrench impulse{};
  for (const auto& row : cut.rows) {
    const Number sigma = work.impulses_of(row.impulses)[row.lane];
    const auto [force, moment] = wrench_of(row, w);
    impulse.force += force * sigma;
    impulse.moment += moment * sigma;
  }
  return impulse;
}

// The load of a cut on body[0]: the impulse, and the load from the turning of its axes,
//   L = -V_J x* (D sigma)
inline Carried carried_by_cut(const Cut& cut, const CutWork& w, const Work& work) {
  const auto [f, n] = impulse_of(cut, w, work);
  Four v{}, turning{};
  if (cut.body[0] != kNothing) {
    const auto& child = work.bodies[at(cut.body[0])];
    turning = load(child.w);
    v = with_fourth(load(child.v), Four{}) + cross(turning, load(w.lever[0]));
  }
  if (cut.axes != CutAxes::kOfChild) {  // they do not turn about the joint's last axis
    const Four last = load(w.E[cut.axes == CutAxes::kOfCross ? 1 : 2]);
    Four relative = turning;
    if (cut.body[1] != kNothing) relative -= load(work.bodies[at(cut.body[1])].w);
    turning -= last * dot(last, relative);
  }
  return {join(f, cross(f, turning)), join(n, cross(n, turning) + cross(f, v))};
}

inline void add_cuts(const Tables& tables, Work& work) {
  for (std::size_t c = 0; c < tables.cuts.size(); ++c) {
    const auto& cut = tables.cuts[c];
    if (cut.is_coupling) continue;
    const auto& w = work.cuts[c];
    const auto [X, Y] = carried_by_cut(cut, w, work);
    // The impulses that bodies carry are what loops take from them: P = M V - F sigma.
    const Eight signs = join(all(-1.0), all(1.0));
    const Eight on_child_X = X * signs, on_child_Y = Y * signs;
    for (int side = 0; side < 2; ++side) {
      if (cut.body[at(side)] == kNothing) continue;
      auto& body = work.bodies[at(cut.body[at(side)])];
      const double s = side == 0 ? 1.0 : -1.0;
      store(load(body.X) + on_child_X * s, body.X);
      store(load(body.Y) + (on_child_Y + moments(load(w.lever[side]), on_child_X)) * s, body.Y);
    }
  }
}

// The components of a force and a moment along the axes of the joint.
template <class Force, class Moment>
inline void give_along_axes(const Body& body, const BodyWork& w, const Force& force,
                            const Moment& moment, Number* to) {
  const auto give_along = [&](int k, Four F) { to[k] = body.outward * dot(load(w.axis[k]), F); };
  switch (body.kind) {
    case Kind::kFixed:
      return;
    case Kind::kRevolute:
      return give_along(0, moment());
    case Kind::kPrismatic:
      return give_along(0, force());
    case Kind::kHelical:
      return give_along(0, moment() + force() * body.pitch);
    case Kind::kUniversal: {
      const Four N = moment();
      give_along(0, N);
      return give_along(1, N);
    }
    case Kind::kCylindrical:
    case Kind::kPinInSlot:
      give_along(0, force());
      return give_along(1, moment());
    case Kind::kPlanar: {
      const Four F = force();
      give_along(0, F);
      give_along(1, F);
      return give_along(2, moment());
    }
    case Kind::kTranslational:
      return give(force(), w, body.outward, to);
    case Kind::kSpherical:
      return give(moment(), w, body.outward, to);
    case Kind::kFree:
      give(force(), w, 1.0, to);
      return give(moment(), w, 1.0, to + 3);
  }
}

// p_dot = h^T (T - V_J x* P) for the axes of the joint.
inline void give_rates(const Body& body, const Arrays& state, const BodyWork& w, const Work& work) {
  const Eight X = load(w.X), Y = load(w.Y);
  const Four P = low(X), L = low(Y);
  const Four v = with_fourth(load(w.v), Four{});
  Four turning = load(w.w);  // of the frame J
  if (body.reversed && body.inboard != kNothing) turning = load(work.bodies[at(body.inboard)].w);
  if (body.reversed && body.inboard == kNothing) turning = Four{};
  if (body.kind == Kind::kUniversal || body.kind == Kind::kPinInSlot)
    turning -= load(w.axis[1]) * (state.v[body.v + 1]);
  give_along_axes(
      body, w, [&] { return high(X) + cross(P, turning); },
      [&] { return high(Y) + cross(P, v) + cross(L, turning); }, state.p_dot + body.v);
}

// p + A^T sigma: the momenta of the same motion without impulses in the loops.
// Not as those of the velocities, whose errors are multiplied by the inertias.
inline void reset_momenta(const Tables& tables, const Arrays& state, Work& work) {
  for (auto& w : work.bodies) store(Eight{}, w.X);
  for (std::size_t c = 0; c < tables.cuts.size(); ++c) {
    const auto& cut = tables.cuts[c];
    if (cut.is_coupling) continue;
    const auto [force, moment] = impulse_of(cut, work.cuts[c], work);
    for (std::size_t side = 0; side < 2; ++side) {
      if (cut.body[side] == kNothing) continue;
      auto& X = work.bodies[at(cut.body[side])].X;
      const double s = side == 0 ? 1.0 : -1.0;
      store(load(X) + join(force, moment + cross(load(work.cuts[c].lever[side]), force)) * s, X);
    }
  }
  for (const int b : tables.inward) {
    const auto& body = tables.bodies[at(b)];
    const auto& w = work.bodies[at(b)];
    const Eight X = load(w.X);
    const Four force = low(X), moment = high(X);
    if (body.inboard != kNothing) {
      auto& inboard = work.bodies[at(body.inboard)].X;
      store(load(inboard) + join(force, moment + cross(load(w.arm), force)), inboard);
    }
    Number along[6] = {};
    give_along_axes(
        body, w, [&] { return force; }, [&] { return moment; }, along);
    for (int i = 0; i < velocity_count(body.kind); ++i)
      state.p_clean[body.v + i] = state.p[body.v + i] + along[i];
  }
  for (const auto& cut : tables.cuts) {
    if (!cut.is_coupling) continue;
    for (const auto& row : cut.rows) {
      const Number sigma = work.impulses_of(row.impulses)[row.lane];
      for (std::size_t i = 0; i < 2; ++i) {
        const auto& body = tables.bodies[at(cut.opens_at[i])];
        state.p_clean[body.v] += sigma * (cut.factor[i] * body.outward);
      }
    }
  }
}

inline void find_momentum_rates(const Tables& tables, const Arrays& state, Work& work) {
  if (state.p_clean != nullptr) reset_momenta(tables, state, work);
  for (std::size_t b = 0; b < tables.bodies.size(); ++b) {
    auto& w = work.bodies[b];
    const auto [X, Y] = carried_alone(tables, b, state, w);
    store(X, w.X);
    store(Y, w.Y);
  }
  if (state.p_clean == nullptr) add_cuts(tables, work);
  for (const int b : tables.inward) {
    const auto& body = tables.bodies[at(b)];
    const auto& w = work.bodies[at(b)];
    if (body.inboard != kNothing) {
      auto& inboard = work.bodies[at(body.inboard)];
      const Eight X = load(w.X);
      store(load(inboard.X) + X, inboard.X);
      store(load(inboard.Y) + load(w.Y) + moments(load(w.arm), X), inboard.Y);
    }
    give_rates(body, state, w, work);
  }
}

}  // namespace hamiltree::kernel
