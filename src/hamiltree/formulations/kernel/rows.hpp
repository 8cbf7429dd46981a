// Open rows: a cut opens them at both of its bodies, and they meet. See closing.hpp.
#pragma once

#include "hamiltree/formulations/kernel/row_lanes.hpp"
#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree::kernel {

template <int n>
inline void clear(Rows<n>& rows) {
  const Open<n> none{};
  for (auto& F : rows.F) store(none, F);
  for (auto& Psi : rows.Psi) store(none, Psi);
  store(none, rows.b);
}

template <int n>
inline void add(const Open<n>* F, const Open<n>& b, Rows<n>& rows) {
  for (int m = 0; m < 6; ++m) store(load(rows.F[m]) + F[m], rows.F[m]);
  store(load(rows.b) + b, rows.b);
}

// The three rows of a point, forces along the world's axes, in lanes from kLane on.
//   F = s [1; l~]
template <int kLane>
inline void open_ball(const CutWork& w, double sign, Four l, bool takes_gap,
                      Rows<kLaneCount>& rows) {
  const Four minus = -l;  // lane 3 is 0
  const Eight F[6] = {three_lanes<kLane>(Four{sign, 0.0, 0.0, 0.0}),
                      three_lanes<kLane>(Four{0.0, sign, 0.0, 0.0}),
                      three_lanes<kLane>(Four{0.0, 0.0, sign, 0.0}),
                      three_lanes<kLane>(shuffled<3, 6, 1, 3>(l, minus)),
                      three_lanes<kLane>(shuffled<2, 3, 4, 3>(l, minus)),
                      three_lanes<kLane>(shuffled<5, 0, 3, 3>(l, minus))};
  Eight b{};
  if (takes_gap) {
    const Four axes[3] = {load(w.E[0]), load(w.E[1]), load(w.E[2])};
    b = three_lanes<kLane>(turned(axes, w.gap));
  }
  add<kLaneCount>(F, b, rows);
}
inline void open_ball(const Cut& cut, const CutWork& w, const Event& event,
                      Rows<kLaneCount>& rows) {
  const double sign = event.side == 0 ? 1.0 : -1.0;
  const Four l = load(w.lever[event.side]) * sign;
  switch (cut.lane) {
    case 0:
      return open_ball<0>(w, sign, l, event.takes_gap, rows);
    case 1:
      return open_ball<1>(w, sign, l, event.takes_gap, rows);
    case 2:
      return open_ball<2>(w, sign, l, event.takes_gap, rows);
    case 3:
      return open_ball<3>(w, sign, l, event.takes_gap, rows);
    case 4:
      return open_ball<4>(w, sign, l, event.takes_gap, rows);
    default:
      return open_ball<5>(w, sign, l, event.takes_gap, rows);
  }
}

// Force and moment of a row about the joint's point, for a unit of its sigma.
struct Wrench {
  Four force, moment;
};
inline Wrench wrench_of(const CutRow& row, const CutWork& w) {
  if (row.component >= 3) return {Four{}, load(w.E[row.component - 3])};
  const Four axis = load(w.E[row.component]);
  return {axis, axis * row.advance};
}

// wrench(i), gap(i) of each row.
template <int n, class WrenchOf, class GapOf>
inline void open_rows(const Cut& cut, const CutWork& w, const Event& event, const WrenchOf& wrench,
                      const GapOf& gap_of, Rows<n>& rows) {
  const double sign = event.side == 0 ? 1.0 : -1.0;
  const Four l = load(w.lever[event.side]);
  Eight G[n] = {};
  for (std::size_t i = 0; i < cut.rows.size(); ++i) {
    const auto [force, moment] = wrench(i);
    Real gap = 0.0;
    if (event.takes_gap) gap = gap_of(i);
    G[cut.rows[i].lane] =
        join(force * sign + Four{0.0, 0.0, 0.0, gap}, (moment + cross(l, force)) * sign);
  }
  Open<n> F[6], b;
  lanes_from_rows<n>(G, F, b);
  add(F, b, rows);
}
template <int n>
inline void open_any(const Cut& cut, const CutWork& w, const Event& event, Rows<n>& rows) {
  open_rows(
      cut, w, event, [&](std::size_t i) { return wrench_of(cut.rows[i], w); },
      [&](std::size_t i) { return w.gap[i]; }, rows);
}
inline void open_ball(const Cut& cut, const CutWork& w, const Event& event,
                      Rows<kMostLanes>& rows) {
  const Four axes[3] = {load(w.E[0]), load(w.E[1]), load(w.E[2])};
  const Four gap = turned(axes, w.gap);
  open_rows(
      cut, w, event,
      [&](std::size_t i) {
        return Wrench{Four{i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0, 0.0},
                      Four{}};
      },
      [&](std::size_t i) { return i == 0   ? gap[0]
                                  : i == 1 ? gap[1]
                                           : gap[2]; }, rows);
}

template <int n>
inline void open(const Tables& tables, const Event& event, Work& work) {
  auto& rows = work.open<n>().rows[at(event.rows)];
  if (event.empty) clear(rows);
  const auto& cut = tables.cuts[at(event.cut)];
  const auto& w = work.cuts[at(event.cut)];
  if (cut.is_coupling) {  // bodies feel nothing of it
    if (event.takes_gap) rows.b.lane[cut.lane] += w.gap[0];
  } else if (cut.is_ball) {
    open_ball(cut, w, event, rows);
  } else {
    open_any(cut, w, event, rows);
  }
}

// Rows in lanes: their forces and what they are open by.
template <int n>
inline void add_forces(const Rows<n>& from, Rows<n>& to) {
  for (int m = 0; m < 6; ++m) store(load(to.F[m]) + load(from.F[m]), to.F[m]);
}
// Psi of `count` lanes, and b.
template <int n>
inline void add_rates(const Rows<n>& from, const unsigned char* lanes, int count, Rows<n>& to) {
  for (int i = 0; i < count; ++i)
    store(load(to.Psi[lanes[i]]) + load(from.Psi[lanes[i]]), to.Psi[lanes[i]]);
  store(load(to.b) + load(from.b), to.b);
}

template <int n>
inline void merge(const Event& event, Work& work) {
  auto& all = work.open<n>().rows;
  auto& rows = all[at(event.rows)];
  const auto& other = all[at(event.other)];
  if (event.empty) clear(rows);
  if (!event.of_ground) add_forces(other, rows);
  add_rates(other, event.lane.data(), event.closing, rows);
}

}  // namespace hamiltree::kernel
