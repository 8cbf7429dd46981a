// Open rows: a cut opens them at both of its bodies, and they meet. See closing.hpp.
#pragma once

#include "hamiltree/formulations/kernel/row_lanes.hpp"
#include "hamiltree/formulations/kernel/work.hpp"

namespace hamiltree::kernel {

// The three rows of a point, forces along the world's axes.
//   F = s [1; l~]
template <int n>
inline void open_ball(const Cut& cut, const CutWork& w, const Event& event, Rows<n>& rows) {
  const double sign = event.side == 0 ? 1.0 : -1.0;
  const Four l = load(w.lever[event.side]) * sign;
  const LaneOfRow<n> x(cut.lane), y(cut.lane + 1), z(cut.lane + 2);
  x.add(sign, rows.F[0]);
  y.add(sign, rows.F[1]);
  z.add(sign, rows.F[2]);
  y.add(-l[2], rows.F[3]);
  z.add(l[1], rows.F[3]);
  z.add(-l[0], rows.F[4]);
  x.add(l[2], rows.F[4]);
  x.add(-l[1], rows.F[5]);
  y.add(l[0], rows.F[5]);
  if (!event.takes_gap) return;
  const Four axes[3] = {load(w.E[0]), load(w.E[1]), load(w.E[2])};
  const Four b = turned(axes, w.gap);
  x.add(b[0], rows.b);
  y.add(b[1], rows.b);
  z.add(b[2], rows.b);
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

template <int n>
inline void open_any(const Cut& cut, const CutWork& w, const Event& event, Rows<n>& rows) {
  const double sign = event.side == 0 ? 1.0 : -1.0;
  const Four l = load(w.lever[event.side]);
  add_rows(
      cut,
      [&](std::size_t i) {
        const auto [force, moment] = wrench_of(cut.rows[i], w);
        Real gap = 0.0;
        if (event.takes_gap) gap = w.gap[i];
        return join(force * sign + Four{0.0, 0.0, 0.0, gap}, (moment + cross(l, force)) * sign);
      },
      rows);
}

template <int n>
inline void open(const Tables& tables, const Event& event, Work& work) {
  auto& rows = work.open<n>().rows[at(event.rows)];
  if (event.empty) clear(tables.lanes_of_rows[at(event.rows)], rows);
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

// Rows in `count` lanes: their forces, and what they are open by, Psi and b.
template <int n>
inline void add_forces(const Rows<n>& from, const unsigned char* lanes, int count, Rows<n>& to) {
  for_each_part(lanes, count, [&](auto part) {
    for (int m = 0; m < 6; ++m) store(load(to.F[m], part) + load(from.F[m], part), to.F[m], part);
  });
}
template <int n>
inline void add_rates(const Rows<n>& from, const unsigned char* lanes, int count, Rows<n>& to) {
  for_each_part(lanes, count, [&](auto part) {
    for (int i = 0; i < count; ++i)
      store(load(to.Psi[lanes[i]], part) + load(from.Psi[lanes[i]], part), to.Psi[lanes[i]], part);
    store(load(to.b, part) + load(from.b, part), to.b, part);
  });
}

template <int n>
inline void merge(const Tables& tables, const Event& event, Work& work) {
  auto& all = work.open<n>().rows;
  auto& rows = all[at(event.rows)];
  const auto& other = all[at(event.other)];
  if (event.rows == event.other) return clear_forces(tables.lanes_of_rows[at(event.rows)], rows);
  if (!event.of_ground) add_forces(other, event.lane.data(), event.closing, rows);
  add_rates(other, event.lane.data(), event.closing, rows);
}

}  // namespace hamiltree::kernel
