// Joint space: the equations of motion in the velocities of the joints of a tree and the impulses
// in its loops, as the passes of this folder that are compiled for each instruction set go through
// them. Motions and forces are six numbers, or three in the plane, about one point of the world.
//
// Rows of matrices are the axes of the joints, one for each velocity, then the constraint rows of
// cuts and couplings; columns are the displacements, or the velocities, eight to a pack.
// Displacements are those of a unit of each coordinate, then those of each drive in a unit of time.
#pragma once

#include <array>
#include <vector>

#include "hamiltree/formulations/derivatives/pack_matrix.hpp"

namespace hamiltree::derivatives {

using kernel::Half;
using kernel::kNothing;

// The frame in which the axes of a joint rest.
enum class AxesIn {
  kOutboard,  // of the outboard body
  kInboard,   // of the inboard one
  kBetween    // in between, as the cross of a universal joint: one axis turns the other
};

struct AxesOfBody {
  int inboard = kNothing;
  int first = 0, count = 0;  // of the axes of its joint, in the order of the velocities
  AxesIn in = AxesIn::kOutboard;
  int turning = 0;                            // of kBetween: the axis that turns the other
  bool is_driven = false, has_quasi = false;  // its velocities are no rates of coordinates
  double mass = 0.0, outboard_mass = 0.0;     // its own; of all behind its joint
};

struct Axis {
  int body = 0, number = 0;        // of BodyWork::axis
  double slide = 0.0, turn = 0.0;  // along it, for a unit of its velocity
  double armature = 0.0;
};

// The bodies of eight axes or displacements, padded with the first, and the masses of all behind
// their joints.
struct LaneBodies {
  int body[kLaneCount]{};
  Lanes mass{};
};

// Neighbours whose coordinates change by their velocities.
struct Run {
  int q = 0, v = 0, count = 0;
};

// How the columns of some axes make those of quasi-coordinates.
struct QuasiJoint {
  enum class Kind { kPlanar, kSpherical, kFree };
  Kind kind = Kind::kSpherical;
  int q = 0, v = 0, coordinates = 0, velocities = 0;
};

// The part of an axis's row that is not zero in a pack of columns.
struct RowPart {
  int axis = 0;
  bool has_inboard = false, has_outboard = false, has_own = false;
  // Lanes are 1 for columns that move the row's axis and all beyond it, and for those that it
  // moves; of the latter for those of its own joint.
  Lanes inboard{}, outboard{}, own{};
};

// Lanes are 1, 0, -1.
struct Signs {
  int pack = 0;
  Lanes sign{};
};

// An axis on the way around a loop.
struct LoopAxis {
  int axis = 0;
  double side = 1.0;  // 1 on the child's side, -1 on the parent's
  // By column: side where it moves the axis but not the child, -side where the reverse, else 0.
  std::vector<Signs> q, v;
};

// A loop's closure.
struct LoopCut {
  int child = kNothing, parent = kNothing;  // as kernel::Cut::body
  int cut = 0;                              // of kernel::Work
  std::vector<kernel::CutRow> rows;
  std::vector<LoopAxis> axes;
  std::vector<Signs> q, v;  // 1 for columns that move the child alone, -1 for the parent
};

// The bodies of a force that loads them.
struct LoadedPair {
  int child = kNothing, parent = kNothing;
  std::vector<LoopAxis> axes;  // their signs by displacement: side, where it moves the axis
  std::vector<Signs> child_q, child_v, parent_q, parent_v;  // 1 for columns that move the body
};

// How its load on the child, about the reference, changes: rows are its components, lanes those of
// displacements and motions of an end.
struct LoadSlope {
  struct End {
    Lanes displaced[6]{}, moved[6]{};
  };
  Lanes load{}, by_time{};
  End child, parent;
};

// Constant entries of a row that keeps two velocities together.
struct CoupledRow {
  int row = 0;
  std::array<int, 2> axis{};
  std::array<double, 2> factor{};
};

struct Tables {
  int dimension = 6;
  int coordinates = 0, velocities = 0, constraints = 0;
  std::vector<int> driven;  // bodies whose joints have a drive
  int q_packs = 0, v_packs = 0, row_packs = 0;
  std::vector<AxesOfBody> bodies;
  std::vector<Axis> axes;
  std::vector<int> coordinate_of;  // of each axis; kNothing: that of a quasi-velocity
  std::vector<int> axis_of;        // of each displacement, padded to packs; the reverse
  std::vector<QuasiJoint> quasi;
  std::vector<Run> runs;
  std::vector<LaneBodies> q_bodies, v_bodies;          // by pack
  std::vector<std::vector<RowPart>> q_parts, v_parts;  // by pack
  std::vector<LoopCut> cuts;
  std::vector<CoupledRow> coupled;
  std::vector<LoadedPair> loads;
  double gravity[3] = {};

  // Unknowns: velocities, padded to packs, then rows.
  int unknown_of_row(int row) const { return kLaneCount * v_packs + row; }
  int right_pack() const { return v_packs + row_packs; }  // of K
  int unknowns() const { return kLaneCount * (v_packs + row_packs); }
  bool q_dot_is_v() const {
    return quasi.empty() && runs.size() == 1 && runs.front().q == runs.front().v;
  }
  bool displacements_are_axes() const { return q_dot_is_v() && driven.empty(); }
  int displacements() const { return coordinates + static_cast<int>(driven.size()); }
  // Right-hand sides: the displacements, padded, then the momenta.
  int column_packs() const { return q_packs + v_packs; }
};

// A linear part and an angular one.
struct Pair {
  Half l, a;
};

// Everything behind a joint as one body, world axes, about its body's own point.
struct Composite {
  Half mc, J[3];
};

// The elimination of the unknowns, in an order in which no pivot is lost but where the mechanism is
// singular. Lists are by step.
struct Elimination {
  struct Step {
    int unknown = 0;
    int first_later = 0, end_later = 0;  // of `later`: unknowns that it is taken from
    int first_pack = 0, end_pack = 0;    // of `packs`: its own, and those of `later`
    int first_earlier = 0, end_earlier = 0;
  };
  // An earlier unknown that this one has an entry with, and where its factor is.
  struct Earlier {
    int unknown = 0, factor = 0;
  };
  std::vector<Step> steps;
  std::vector<int> later, packs;
  std::vector<Earlier> earlier;
  // How many columns are solved for: an unknown, or two of which the second is the first that the
  // first is taken from, in packs in which the same others count. Offsets of their rows are in
  // packs; of the terms those of both unknowns come first, then those of the first alone.
  struct Term {
    int row = 0;
    std::array<int, 2> factor{};
  };
  struct Block {
    std::array<int, 2> row{}, unknown{};
    int unknowns = 1, between = 0;  // the factor of one with the other
    int first_pack = 0, packs = 0;
    int first_shared = 0, first_of_first = 0, first_of_second = 0, end = 0;
  };
  std::vector<Block> forwards, backwards;
  std::vector<Term> terms;
  // One or two axes of a joint's neighbourhood, and the unknowns on which the rates of their
  // momenta depend: velocities, and rows of impulses.
  struct Rates {
    int axis = 0, other = kNothing;
    std::vector<int> velocities, rows;
  };
  std::vector<Rates> rates;
};

struct Work {
  explicit Work(const Tables& tables)
      : composites(tables.bodies.size()),
        behind(tables.bodies.size()),
        own(tables.bodies.size()),
        velocities(tables.bodies.size()),
        momenta(tables.bodies.size()),
        here(at(kLaneCount * tables.v_packs), Pair{}),
        displacements(at(kLaneCount * tables.q_packs), Pair{}),
        drive_rates(tables.driven.size()),
        displacement_rates(displacements),
        body_motion(tables.bodies.size()),
        v_S(tables.dimension, tables.v_packs),
        v_S_dot(v_S),
        v_F(v_S),
        v_E(v_S),
        q_S(tables.dimension, tables.q_packs),
        q_Psi(q_S),
        q_B(q_S),
        q_A(q_S),
        q_G(tables.dimension / 2 + tables.dimension % 2, tables.q_packs),
        wrench(at(tables.constraints)),
        loop_row(1, tables.v_packs),
        K(tables.unknowns(), tables.right_pack() + 1),
        inverse(at(tables.unknowns())),
        primal(tables.unknowns(), 1),
        X(tables.unknowns(), tables.column_packs()),
        P_dot(tables.velocities, tables.column_packs()),
        Q_dot(tables.q_dot_is_v() ? 0 : tables.coordinates, tables.column_packs()),
        by_velocity(tables.velocities, tables.v_packs),
        by_impulse(tables.constraints, tables.v_packs),
        load_slopes(tables.loads.size()),
        q_load(tables.dimension, tables.q_packs),
        v_load(tables.dimension, tables.v_packs),
        quasi(tables.quasi.size()) {}

  double reference[3] = {};  // the point of the world that motions and forces are about
  std::vector<Composite> composites;
  // By body, at its own point: motions of what stays behind as its axes displace and of the frame
  // in which they rest, of itself; momentum behind it.
  std::vector<Pair> behind, own, velocities, momenta;
  std::vector<Pair> here;           // by axis, at its body's point: S
  std::vector<Pair> displacements;  // by displacement, at its body's point: S
  // By drive, at its body's point: how what it adds to the motion changes in a unit of time, the
  // inboard body at rest.
  std::vector<Pair> drive_rates;
  std::vector<Pair>
      displacement_rates;          // by displacement, of drives: what Psi is beside `behind` x S
  std::vector<Lanes> body_motion;  // by body

  // By axis: motion for a unit of its velocity, how it changes in time; the momentum that a unit
  // gives to all behind, and how that changes.
  PackMatrix v_S, v_S_dot, v_F, v_E;
  PackMatrix q_S, q_Psi, q_B, q_A, q_G;  // by displacement, see axes.hpp; of G the linear rows

  std::vector<Lanes> wrench;  // of a unit of each row's impulse
  PackMatrix loop_row;        // of A

  // [M -A^T; -A 0]; in the last pack right-hand sides: of the state itself, and of the momenta that
  // test.
  PackMatrix K;
  std::vector<double> inverse;  // of the pivots
  std::vector<double> factors;
  PackMatrix primal;  // lanes: v and sigma of these
  PackMatrix X;       // right-hand sides, then dv and dsigma
  PackMatrix P_dot;
  PackMatrix Q_dot;                    // none where it is v
  PackMatrix by_velocity, by_impulse;  // d(pdot)/dv; d(pdot)/d(sigma), one row for each sigma

  std::vector<LoadSlope> load_slopes;
  PackMatrix q_load, v_load;  // of one load

  // By quasi-joint: displacements along its axes for a unit of each coordinate, the rates of the
  // coordinates for a unit of each velocity, and how these rates change with the coordinates.
  struct Quasi {
    double axes_for[6][7], rates_for[7][6], turned[7][7];
  };
  std::vector<Quasi> quasi;
};

// The part of the state that the passes need.
struct State {
  const double* q = nullptr;
  const double* v = nullptr;
  const double* sigma = nullptr;
  double leak = 0.0;
};

}  // namespace hamiltree::derivatives
