// Storage that an evaluation writes.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include "hamiltree/formulations/kernel/tables.hpp"

namespace hamiltree::kernel {

// World axes, everything at the body's own point: the origin of its frame, where its joint is.
struct BodyWork {
  Half R[3];     // columns
  Half r, arm;   // the point, and the way to it from that of the inboard body
  Half axis[3];  // of the joint: one for each velocity, or the frame that they are measured in
  Half mc, J[3];
  // Articulated inertia, one row for each component of the momentum: [M_l D | M_a 0].
  Lanes M[6];
  // The joint's answer to the inboard body's motion [v 1 | w 0], one row for each axis.
  Lanes W[3];
  double inverse[12];     // of the inertia along the axes
  double between[3];      // W of an axis on an axis eliminated after it: 1 on 0, 2 on 0, 2 on 1
  Half free_v;            // of a free joint
  Half given_v, given_w;  // what a drive adds to the motion
  Half v, w;              // lane 3 of v is 1
  double rate[3];
  Lanes X, Y;  // [P_l | T_l] and [P_a | T_a]: momentum and load of all behind
};

// Open rows that meet somewhere: P = M V + D - F sigma, rates of opening = F^T V + b + Psi sigma.
// Each row has one of n lanes.
template <int n>
struct Rows {
  LanesOf<n> F[6];
  LanesOf<n> Psi[n];
  LanesOf<n> b;
};

template <int n>
struct Closed {
  Lanes G[n];         // [F_l b | F_a 0] of each row
  LanesOf<n> L[n];    // its row of Psi
  double inverse[n];  // of the pivot; 0 where it is masked
  // 1/kg, by the first lane of rows that are alike: their largest pivot when the tables were made.
  double reference[n];
};

// Efforts of open rows along the axes of a joint.
template <int n>
struct AlongAxes {
  LanesOf<n> axis[6];
};

template <int n>
struct OpenWork {
  void resize(const Tables& tables) {
    rows.resize(at(tables.rows));
    closed.resize(at(tables.closed));
    phi.resize(tables.bodies.size());
  }
  std::vector<Rows<n>> rows;
  std::vector<Closed<n>> closed;
  std::vector<AlongAxes<n>> phi;
};

struct CutWork {
  Half E[3];      // axes of the joint's frame
  Half lever[2];  // from the points of child and parent to the joint's
  double gap[6];  // by row
};

// A drive at the time of the evaluation: the frame that it moves, and its motion in its own axes.
struct DriveWork {
  double R[9], r[3], v[3], w[3];  // R by columns
};

struct Work {
  explicit Work(const Tables& tables)
      : bodies(tables.bodies.size()),
        lanes(tables.lanes),
        impulses(at(tables.impulses * tables.lanes / kLaneCount)),
        cuts(tables.cuts.size()),
        drives(at(tables.drives)),
        sine(tables.angles.size()),
        cosine(tables.angles.size()) {
    with_open([&](auto& open) { open.resize(tables); });
  }

  // Work of rows in n lanes, as many as the tables have.
  template <int n>
  OpenWork<n>& open() {
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
  double* impulses_of(int object) { return impulses[at(object * lanes / kLaneCount)].lane; }
  const double* impulses_of(int object) const {
    return impulses[at(object * lanes / kLaneCount)].lane;
  }

  std::vector<BodyWork> bodies;
  int lanes = kLaneCount;
  OpenWork<kLaneCount> open_in_eight;
  OpenWork<kMostLanes> open_in_sixteen;
  std::vector<Lanes> impulses;
  std::vector<CutWork> cuts;
  std::vector<DriveWork> drives;
  std::vector<double> sine, cosine;
  double mask = 0.0;   // pivots below this part of the trace are masked
  bool held = false;   // some loop cannot close where the tables would have it
  bool moving = true;  // drives move
};

// The arrays of a state and of results; null where there is nothing.
struct Arrays {
  const double* q = nullptr;
  const double* p = nullptr;
  const double* phi = nullptr;    // what rows are to close by
  const double* loads = nullptr;  // besides gravity: six of each body at its point, world axes
  double* v = nullptr;
  double* q_dot = nullptr;
  double* sigma = nullptr;
  double* p_dot = nullptr;
  double* p_clean = nullptr;  // with the momentum rates: p without the impulses of loops
};

}  // namespace hamiltree::kernel
