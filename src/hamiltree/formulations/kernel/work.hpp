// Storage that an evaluation writes.
#pragma once

#include <cstddef>
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
  Lanes phi[6];           // what open rows do along the axes
  double inverse[12];     // of the inertia along the axes
  double between[3];      // W of an axis on an axis eliminated after it: 1 on 0, 2 on 0, 2 on 1
  Half free_v;            // of a free joint
  Half given_v, given_w;  // what a drive adds to the motion
  Half v, w;              // lane 3 of v is 1
  double rate[3];
  Lanes X, Y;  // [P_l | T_l] and [P_a | T_a]: momentum and load of all behind
};

// Open rows that meet somewhere: P = M V + D - F sigma, rates of opening = F^T V + b + Psi sigma.
struct Rows {
  Lanes F[6];
  Lanes Psi[kLaneCount];
  Lanes b;
};

struct Closed {
  Lanes G[kLaneCount];         // [F_l b | F_a 0] of each row
  Lanes L[kLaneCount];         // its row of Psi
  double inverse[kLaneCount];  // of the pivot; 0 where it is masked
  double reference;            // 1/kg; the largest pivot when the tables were made
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
        rows(at(tables.rows)),
        closed(at(tables.closed)),
        impulses(at(tables.impulses)),
        cuts(tables.cuts.size()),
        drives(at(tables.drives)),
        sine(tables.angles.size()),
        cosine(tables.angles.size()) {}

  std::vector<BodyWork> bodies;
  std::vector<Rows> rows;
  std::vector<Closed> closed;
  std::vector<Lanes> impulses;  // the first: none
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
  const double* loads = nullptr;  // six of each body at its point, world axes; null: gravity
  double* v = nullptr;
  double* q_dot = nullptr;
  double* sigma = nullptr;
  double* p_dot = nullptr;
  double* p_clean = nullptr;  // with the momentum rates: p without the impulses of loops
};

}  // namespace hamiltree::kernel
