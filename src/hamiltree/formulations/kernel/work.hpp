// Storage that an evaluation writes, of one state, or of eight in the lanes of every number.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "hamiltree/formulations/kernel/tables.hpp"

namespace hamiltree::kernel {

template <class Number>
inline constexpr bool kIsOneState = std::is_same_v<Number, double>;

// World axes, everything at the body's own point: the origin of its frame, where its joint is.
template <class Number>
struct BodyWorkIn {
  using Half = HalfIn<Number>;
  using Lanes = LanesIn<Number, kLaneCount>;

  Half R[3];     // columns
  Half r, arm;   // the point, and the way to it from that of the inboard body
  Half axis[3];  // of the joint: one for each velocity, or the frame that they are measured in
  Half mc, J[3];
  // Articulated inertia, one row for each component of the momentum: [M_l D | M_a 0].
  Lanes M[6];
  // The joint's answer to the inboard body's motion [v 1 | w 0], one row for each axis.
  Lanes W[3];
  Number inverse[12];     // of the inertia along the axes
  Number between[3];      // W of an axis on an axis eliminated after it: 1 on 0, 2 on 0, 2 on 1
  Half free_v;            // of a free joint
  Half given_v, given_w;  // what a drive adds to the motion
  Half v, w;              // lane 3 of v is 1, if it has one
  Number rate[3];
  Lanes X, Y;  // [P_l | T_l] and [P_a | T_a]: momentum and load of all behind
};

// Open rows that meet somewhere: P = M V + D - F sigma, rates of opening = F^T V + b + Psi sigma.
// Each row has one of n lanes.
template <class Number, int n>
struct RowsIn {
  LanesIn<Number, n> F[6];
  LanesIn<Number, n> Psi[n];
  LanesIn<Number, n> b;
};

template <class Number, int n>
struct ClosedIn {
  LanesIn<Number, kLaneCount> G[n];  // [F_l b | F_a 0] of each row
  LanesIn<Number, n> L[n];           // its row of Psi
  Number inverse[n];                 // of the pivot; 0 where it is masked
  // 1/kg, by the first lane of rows that are alike: their largest pivot when the tables were made.
  double reference[n];
};

// Efforts of open rows along the axes of a joint.
template <class Number, int n>
struct AlongAxesIn {
  LanesIn<Number, n> axis[6];
};

template <class Number, int n>
struct OpenWorkIn {
  void resize(const Tables& tables) {
    rows.resize(at(tables.rows));
    closed.resize(at(tables.closed));
    phi.resize(tables.bodies.size());
  }
  std::vector<RowsIn<Number, n>> rows;
  std::vector<ClosedIn<Number, n>> closed;
  std::vector<AlongAxesIn<Number, n>> phi;
};

template <class Number>
struct CutWorkIn {
  HalfIn<Number> E[3];      // axes along which unit impulses of rows act on body[0]
  HalfIn<Number> lever[2];  // from the points of the bodies to the joint's
  Number gap[6];            // by row
};

// A drive at the time of the evaluation: the frame that it moves, and its motion in its own axes.
struct DriveWork {
  double R[9], r[3], v[3], w[3];  // R by columns
};

template <class Number>
struct WorkIn {
  explicit WorkIn(const Tables& tables)
      : bodies(tables.bodies.size()),
        lanes(kIsOneState<Number> ? tables.lanes : kMostLanes),
        impulses(at(tables.impulses * lanes / kLaneCount)),
        cuts(tables.cuts.size()),
        drives(at(tables.drives)),
        sine(tables.angles.size()),
        cosine(tables.angles.size()) {
    with_open([&](auto& open) { open.resize(tables); });
  }

  // Work of rows in n lanes, as many as there are.
  template <int n>
  OpenWorkIn<Number, n>& open() {
    if constexpr (n == kLaneCount) {
      return open_in_eight;
    } else {
      return open_in_sixteen;
    }
  }
  template <class F>
  void with_open(const F& f) {
    lanes == kLaneCount ? f(open_in_eight) : f(open_in_sixteen);
  }
  template <class F>
  void with_open(const F& f) const {
    lanes == kLaneCount ? f(open_in_eight) : f(open_in_sixteen);
  }
  // By lane; the first object: none.
  Number* impulses_of(int object) { return impulses[at(object * lanes / kLaneCount)].lane; }
  const Number* impulses_of(int object) const {
    return impulses[at(object * lanes / kLaneCount)].lane;
  }

  std::vector<BodyWorkIn<Number>> bodies;
  // Of open rows: as many as the tables have; evaluations of states
  // touch those only that some row has.
  int lanes;
  OpenWorkIn<Number, kLaneCount> open_in_eight;
  OpenWorkIn<Number, kMostLanes> open_in_sixteen;
  std::vector<LanesIn<Number, kLaneCount>> impulses;
  std::vector<CutWorkIn<Number>> cuts;
  std::vector<DriveWork> drives;
  std::vector<Number> sine, cosine;
  double mask = 0.0;  // pivots below this part of the trace are masked
  // Whether some loop cannot close where the tables would have it, or a watched pivot is
  // lost; of states: 1 where that is so.
  std::conditional_t<kIsOneState<Number>, bool, Number> held{};
  bool moving = true;  // drives move
};

// The arrays of a state and of results; null where there is nothing.
template <class Number>
struct ArraysIn {
  const Number* q = nullptr;
  const Number* p = nullptr;
  const Number* phi = nullptr;    // what rows are to close by
  const Number* loads = nullptr;  // besides gravity: six of each body at its point, world axes
  Number* v = nullptr;
  Number* q_dot = nullptr;
  Number* sigma = nullptr;
  Number* p_dot = nullptr;
  // With the momentum rates: p without the impulses of loops; may be p. The rates are then those of
  // it.
  Number* p_clean = nullptr;
};

// Of one state; state_lanes.hpp gives kernels of eight the same names.
using BodyWork = BodyWorkIn<double>;
template <int n>
using Rows = RowsIn<double, n>;
template <int n>
using Closed = ClosedIn<double, n>;
using CutWork = CutWorkIn<double>;
using Work = WorkIn<double>;
using Arrays = ArraysIn<double>;

}  // namespace hamiltree::kernel
