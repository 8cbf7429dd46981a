// Between a state and revolutes side by side.
#pragma once

#include <array>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/request.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/formulations/dh_frames/zero.hpp"
#include "hamiltree/math/sincos.hpp"

namespace hamiltree::dh_frames {

// Numbers of a state in lanes; 0 where there is nobody.
inline Pack gather(const double* from, const std::array<int, kLanes>& places, int offset = 0) {
  return Pack::of_lanes([&](int lane) {
    const int place = places[at(lane)];
    return place == kNobody ? 0.0 : from[place + offset];
  });
}

inline void take_state(const LaneRevolutes& lanes, std::size_t i, const Request<double>& asked,
                       Pack& s, Pack& c, Pack& p) {
  const Pack q = gather(asked.q, lanes.coordinate[i]);
  sin_cos(lanes.sign[i] * q + lanes.offset[i], s, c);
  p = lanes.sign[i] * gather(asked.p, lanes.velocity[i]);
}

// Returns zeros, unless something is not finite.
inline Pack give_rates(const LaneRevolutes& lanes, std::size_t i, const Pack& v, const Pack& p_dot,
                       const Request<double>& asked) {
  const Pack rate = lanes.sign[i] * v, momentum_rate = lanes.sign[i] * p_dot;
  for (int lane = 0; lane < kLanes; ++lane) {
    const int velocity = lanes.velocity[i][at(lane)];
    if (velocity == kNobody) continue;
    asked.v[velocity] = rate[lane];
    asked.q_dot[lanes.coordinate[i][at(lane)]] = rate[lane];
    asked.p_dot[velocity] = momentum_rate[lane];
  }
  return (rate + momentum_rate) * Pack(0.0);
}

// The next segment's entry, after the last one and, below, before the first one what is
// given.
inline Pack next_lane(const Pack& pack, double after = 0.0) {
  return Pack::of_lanes([&](int lane) { return lane + 1 < kLanes ? pack[lane + 1] : after; });
}
inline Pack lane_before(const Pack& pack) {
  return Pack::of_lanes([&](int lane) { return lane > 0 ? pack[lane - 1] : 0.0; });
}

inline double lane_of(const Pack& all, int lane) { return all[lane]; }
inline double lane_of(Zero, int) { return 0.0; }
template <class One>
inline void set_lanes(Pack& all, const One& one) {
  all = Pack::of_lanes(one);
}
template <class One>
inline void set_lanes(Zero&, const One&) {}

}  // namespace hamiltree::dh_frames
