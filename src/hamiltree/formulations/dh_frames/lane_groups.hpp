// LaneGroups: subtrees of one system in lanes, between the state and the tree that they are part
// of.
#pragma once

#include <algorithm>

#include "hamiltree/formulations/dh_frames/lane_state.hpp"
#include "hamiltree/formulations/dh_frames/passes.hpp"

namespace hamiltree::dh_frames {

template <class O>
inline void take_state(const LaneGroup& group, const Request<double>& asked,
                       ScrewWork<Pack, O>& work) {
  for (std::size_t i = 0; i < group.revolutes.size(); ++i)
    take_state(group, i, asked, work.s[i], work.c[i], work.p[i]);
}

// Returns a sum of zeros, unless something is not finite.
template <class O>
inline double give_rates(const LaneGroup& group, const ScrewWork<Pack, O>& work,
                         const Request<double>& asked) {
  Pack sum(0.0);
  for (std::size_t i = 0; i < group.revolutes.size(); ++i)
    sum += give_rates(group, i, work.v[i], work.p_dot[i], asked);
  return sum_of_lanes(sum);
}

template <class One, class All>
inline Articulated<double, One> lane_of(const Articulated<Pack, All>& m, int lane) {
  Articulated<double, One> one;
  const auto take = [lane]<class To>(To& to, const auto& from) { to = To(lane_of(from, lane)); };
  take(one.Axx, m.Axx), take(one.Axy, m.Axy), take(one.Axz, m.Axz), take(one.Ayy, m.Ayy),
      take(one.Ayz, m.Ayz), take(one.Azz, m.Azz), take(one.Bxx, m.Bxx), take(one.Bxy, m.Bxy),
      take(one.Bxz, m.Bxz), take(one.Byx, m.Byx), take(one.Byy, m.Byy), take(one.Byz, m.Byz),
      take(one.Bzx, m.Bzx), take(one.Bzy, m.Bzy), take(one.Bzz, m.Bzz), take(one.Cxx, m.Cxx),
      take(one.Cxy, m.Cxy), take(one.Cxz, m.Cxz), take(one.Cyy, m.Cyy), take(one.Cyz, m.Cyz),
      take(one.Czz, m.Czz), take(one.D.x, m.D.x), take(one.D.y, m.D.y), take(one.D.z, m.D.z),
      take(one.D.a, m.D.a), take(one.D.b, m.D.b), take(one.D.c, m.D.c), take(one.mx, m.mx),
      take(one.my, m.my), take(one.mz, m.mz);
  return one;
}

template <class One, class All>
inline void hand_in(const LaneGroup& group, const ScrewWork<Pack, All>& work,
                    ScrewWork<double, One>& tree) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (group.joins[at(lane)] == kNobody) continue;
    add(lane_of<One>(work.handed_in, lane), tree.sums[at(group.joins[at(lane)])]);
  }
}

template <class One, class All>
inline void hand_out(const LaneGroup& group, const ScrewWork<double, One>& tree,
                     ScrewWork<Pack, All>& work) {
  const auto from = [&](int lane) -> const auto& {
    return tree.branches[at(std::max(group.joins[at(lane)], 0))];
  };
  auto& to = work.handed_out;
  set_lanes(to.V.x, [&](int lane) { return from(lane).V.x; });
  set_lanes(to.V.y, [&](int lane) { return from(lane).V.y; });
  set_lanes(to.V.z, [&](int lane) { return from(lane).V.z; });
  set_lanes(to.V.a, [&](int lane) { return from(lane).V.a; });
  set_lanes(to.V.b, [&](int lane) { return from(lane).V.b; });
  set_lanes(to.V.c, [&](int lane) { return from(lane).V.c; });
  set_lanes(to.gx, [&](int lane) { return from(lane).gx; });
  set_lanes(to.gy, [&](int lane) { return from(lane).gy; });
  set_lanes(to.gz, [&](int lane) { return from(lane).gz; });
}

}  // namespace hamiltree::dh_frames
