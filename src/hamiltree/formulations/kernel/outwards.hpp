// Outwards: the rates of the joints, the motions of the bodies, the impulses of closed rows.
#pragma once

#include "hamiltree/formulations/kernel/closing.hpp"
#include "hamiltree/formulations/kernel/place.hpp"
#include "hamiltree/formulations/kernel/rows.hpp"

namespace hamiltree::kernel {

// Impulses of the rows that are open at a joint, and their efforts along its axes.
template <int n>
struct Impulses {
  const Body& body;
  ImpulsesOf<n> sigma;
  const LanesOf<n>* phi;

  Real along(int k) const { return dot_of_rows(phi[k], sigma, body.lane.data(), body.open); }
};
inline Four solved(const Number* inverse, Real x, Real y, Real z) {
  return Four{inverse[0] * x + inverse[1] * y + inverse[2] * z,
              inverse[1] * x + inverse[3] * y + inverse[4] * z,
              inverse[2] * x + inverse[4] * y + inverse[5] * z, 0.0};
}
template <int n>
inline Four along_three(const Number* inverse, int first, const Impulses<n>& impulses) {
  return solved(inverse, impulses.along(first), impulses.along(first + 1),
                impulses.along(first + 2));
}

// The motion of a body on its way: v and w are those of the inboard body at the body's point.
template <int n>
struct Moving {
  Four v, w;
  Eight inboard;  // [v 1 | w 0] at the inboard body's point
  Impulses<n> impulses;
};

template <int kAxes, int n>
inline void find_rates(const Body& body, const Moving<n>& now, BodyWork& w) {
#pragma GCC unroll 3
  for (int k = 0; k < kAxes; ++k) {
    Real rate = -dot(load(w.W[k]), now.inboard);
    if (body.open > 0) rate += w.inverse[k] * now.impulses.along(k);
    if (k == 1) rate -= Real(w.between[0]) * w.rate[0];
    if (k == 2) rate -= Real(w.between[1]) * w.rate[0] + Real(w.between[2]) * w.rate[1];
    w.rate[k] = rate;
  }
}

// The angular velocity of what may turn freely.
template <int n>
inline Four turning_of(const Body& body, const BodyWork& w, const Eight& V,
                       const Impulses<n>& impulses) {
  const Four turning{-dot(load(w.W[0]), V), -dot(load(w.W[1]), V), -dot(load(w.W[2]), V), 0.0};
  return body.open == 0 ? turning : turning + along_three(w.inverse, 0, impulses);
}

inline void give(Four x, const BodyWork& w, double sign, Number* to) {
  for (int i = 0; i < 3; ++i) to[i] = sign * dot(load(w.axis[i]), x);
}

inline void give_quaternion_rate(const Number* q, const Number* turning, Number* to) {
  const Real x[4] = {q[0], q[1], q[2], q[3]};
  const Real omega[3] = {turning[0], turning[1], turning[2]};
  Real rate[4];
  quaternion::rate(x, omega, rate);
  for (int i = 0; i < 4; ++i) to[i] = rate[i];
}

// v and q_dot of the joint, and the motion of the body.
template <int n>
inline void move_joint(const Body& body, const Arrays& state, Moving<n>& now, BodyWork& w,
                       const Work& work) {
  Number* v = state.v + body.v;
  Number* q_dot = state.q_dot + body.q;
  const auto same_rates = [&](int count) {
    for (int i = 0; i < count; ++i) q_dot[i] = v[i] = body.outward * w.rate[i];
  };
  switch (body.kind) {
    case Kind::kFixed:
      return;
    case Kind::kRevolute:
      find_rates<1>(body, now, w);
      now.w += load(w.axis[0]) * w.rate[0];
      return same_rates(1);
    case Kind::kPrismatic:
      find_rates<1>(body, now, w);
      now.v += load(w.axis[0]) * w.rate[0];
      return same_rates(1);
    case Kind::kHelical:
      find_rates<1>(body, now, w);
      now.w += load(w.axis[0]) * w.rate[0];
      now.v += load(w.axis[0]) * (body.pitch * w.rate[0]);
      return same_rates(1);
    case Kind::kUniversal:
      find_rates<2>(body, now, w);
      now.w += load(w.axis[0]) * w.rate[0] + load(w.axis[1]) * w.rate[1];
      return same_rates(2);
    case Kind::kCylindrical:
    case Kind::kPinInSlot:
      find_rates<2>(body, now, w);
      now.v += load(w.axis[0]) * w.rate[0];
      now.w += load(w.axis[1]) * w.rate[1];
      return same_rates(2);
    case Kind::kTranslational:
      find_rates<3>(body, now, w);
      now.v +=
          load(w.axis[0]) * w.rate[0] + load(w.axis[1]) * w.rate[1] + load(w.axis[2]) * w.rate[2];
      return same_rates(3);
    case Kind::kPlanar: {
      find_rates<3>(body, now, w);
      now.v += load(w.axis[0]) * w.rate[0] + load(w.axis[1]) * w.rate[1];
      now.w += load(w.axis[2]) * w.rate[2];
      same_rates(3);
      const Real c = work.cosine[at(body.angle)], s = work.sine[at(body.angle)];
      q_dot[0] = c * v[0] - s * v[1];
      q_dot[1] = s * v[0] + c * v[1];
      return;
    }
    case Kind::kSpherical: {
      const Four turning = turning_of(body, w, now.inboard, now.impulses);
      give(turning - now.w, w, body.outward, v);
      now.w = turning;
      return give_quaternion_rate(state.q + body.q, v, q_dot);
    }
    case Kind::kFree: {
      Four velocity = load_with_one(w.free_v);
      if (body.open > 0) velocity += along_three(w.inverse + 6, 3, now.impulses);
      const Four turning = turning_of(body, w, join(velocity, Four{}), now.impulses);
      give(velocity - now.v, w, 1.0, v);
      give(turning - now.w, w, 1.0, v + 3);
      now.v = velocity;
      now.w = turning;
      const Number* x = state.q + body.q + 3;
      const Real quaternion[4] = {x[0], x[1], x[2], x[3]};
      const auto R = quaternion::rotation_entries(quaternion);
      for (std::size_t i = 0; i < 3; ++i)
        q_dot[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
      return give_quaternion_rate(x, v + 3, q_dot + 3);
    }
  }
}

template <int n>
inline void go_outwards(const Tables& tables, const Arrays& state, Work& work) {
  const Four one{0.0, 0.0, 0.0, 1.0};
  for (std::size_t i = tables.events.size(); i-- > at(tables.first_ground_event);) {
    if (tables.events[i].kind == Event::Kind::kClose)
      find_impulses<n>(tables.events[i], join(one, Four{}), work);
  }
  for (const int b : tables.outward) {
    const auto& body = tables.bodies[at(b)];
    auto& w = work.bodies[at(b)];
    Moving<n> now{
        one,
        Four{},
        join(one, Four{}),
        {body, impulses_at<n>(work.impulses_of(body.impulses)), work.open<n>().phi[at(b)].axis}};
    if (body.inboard != kNothing) {
      const auto& inboard = work.bodies[at(body.inboard)];
      const Four v = load_with_one(inboard.v);
      now.w = load(inboard.w);
      now.inboard = join(v, now.w);
      now.v = v + cross(now.w, load(w.arm));
    }
    if (body.drive != kNothing) {
      now.v += load(w.given_v);
      now.w += load(w.given_w);
    }
    move_joint(body, state, now, w, work);
    store(now.v, w.v);
    store(now.w, w.w);
    for (int i = body.end_event; i-- > body.first_event;) {
      if (tables.events[at(i)].kind == Event::Kind::kClose)
        find_impulses<n>(tables.events[at(i)], join(now.v, now.w), work);
    }
  }
}

// sigma of every row; those that are not in use are zero.
inline void give_impulses(const Tables& tables, const Arrays& state, const Work& work) {
  for (int i = 0; i < tables.constraints; ++i) state.sigma[i] = 0.0;
  for (std::size_t c = 0; c < tables.cuts.size(); ++c) {
    const auto& cut = tables.cuts[c];
    if (cut.is_ball) {
      const Number* sigma = work.impulses_of(cut.impulses) + cut.lane;
      const Four f{sigma[0], sigma[1], sigma[2], 0.0};
      for (int i = 0; i < 3; ++i)
        state.sigma[cut.rows[at(i)].row] = dot(load(work.cuts[c].E[i]), f);
      continue;
    }
    for (const auto& row : cut.rows)
      state.sigma[row.row] = work.impulses_of(row.impulses)[row.lane];
  }
}

}  // namespace hamiltree::kernel
