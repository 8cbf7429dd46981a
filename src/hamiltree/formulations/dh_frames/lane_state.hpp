// Between a state and revolutes side by side.
#pragma once

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/dh_frames/request.hpp"
#include "hamiltree/formulations/dh_frames/tree.hpp"
#include "hamiltree/formulations/dh_frames/zero.hpp"
#include "hamiltree/math/sincos.hpp"

namespace hamiltree::dh_frames {

inline void take_state(const LaneRevolutes& lanes, std::size_t i, const Request<double>& asked,
                       Pack& s, Pack& c, Pack& p) {
  double q[kLanes], momenta[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const int coordinate = lanes.coordinate[i][lane], velocity = lanes.velocity[i][lane];
    q[lane] = coordinate == kNobody ? 0.0 : asked.q[coordinate];
    momenta[lane] = velocity == kNobody ? 0.0 : asked.p[velocity];
  }
  sin_cos(lanes.sign[i] * Pack::load(q) + lanes.offset[i], s, c);
  p = lanes.sign[i] * Pack::load(momenta);
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
  Pack next(after);
  for (int lane = 0; lane + 1 < kLanes; ++lane) next.set(lane, pack[lane + 1]);
  return next;
}
inline Pack lane_before(const Pack& pack) {
  Pack before(0.0);
  for (int lane = 1; lane < kLanes; ++lane) before.set(lane, pack[lane - 1]);
  return before;
}

inline double lane_of(const Pack& all, int lane) { return all[lane]; }
inline double lane_of(Zero, int) { return 0.0; }
inline void set_lane(Pack& all, int lane, double one) { all.set(lane, one); }
template <class One>
inline void set_lane(Zero&, int, const One&) {}

}  // namespace hamiltree::dh_frames
