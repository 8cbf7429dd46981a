// Joint space: the equations of motion in the velocities of the joints of a tree and the impulses
// in its loops, as the passes of this folder that are compiled for each instruction set go through
// them. Motions and forces are six numbers, or three in the plane, about one point of the world.
//
// Rows of matrices are the axes of the joints, one for each velocity, then the constraint rows of
// cuts and couplings; columns are the displacements, or the velocities, eight to a pack.
// Displacements are those of a unit of each coordinate, then those of each drive in a unit of time;
// beyond their packs are those along the axes of quasi-velocities.
#pragma once

#include <array>
#include <utility>
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
  bool has_inertia = false;                   // something behind its joint, or its armature
};

struct Axis {
  int body = 0, number = 0;        // of BodyWork::axis
  double slide = 0.0, turn = 0.0;  // along it, for a unit of its velocity
  double armature = 0.0;
  int column = 0;  // its own among the displaced
};

// The bodies of eight axes or displacements, padded with the first, the frames in which these
// rest, and the masses of all behind their joints.
struct LaneBodies {
  int body[kLaneCount]{}, frame[kLaneCount]{};
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

// The part of an axis's row that is not zero in a pack of columns. Patterns are 1 for columns that
// move the row's axis and all beyond it, and for those that it moves; of the latter for those of
// its own joint.
struct RowPart {
  int axis = 0, column = 0;  // its own among the displaced
  int inboard = kNothing, outboard = kNothing, own = kNothing;
};

// A pattern of 1, 0, -1 in a pack of columns; Tables::patterns has each once.
struct Signs {
  int pack = 0, pattern = kNothing;
};

// An axis on the way around a loop, or to a body that is loaded.
struct LoopAxis {
  int axis = 0, column = 0;
  double side = 1.0;  // 1 on the child's side, -1 on the parent's
};

// Columns of a loop: 1 for those that move the child alone, -1 for the parent.
struct LoopColumns {
  Signs signs;
  // By axis, in the order of LoopCut::axes, or none where all are 0: its side where a column moves
  // the axis but not the child, less that where the reverse. Reversed: the same of the axis that is
  // the column's own, moved by this one.
  struct Pattern {
    int of = kNothing, reversed = kNothing;
  };
  std::vector<Pattern> patterns;
};

// A loop's closure.
struct LoopCut {
  int child = kNothing, parent = kNothing;  // as kernel::Cut::body
  int cut = 0;                              // of kernel::Work
  std::vector<kernel::CutRow> rows;
  std::vector<LoopAxis> axes;
  std::vector<LoopColumns> columns;
};

// The entries of an axis in a pack of rows of loops: its sides of these.
struct RowsOfAxis {
  int axis = 0, pattern = kNothing;
};

// The bodies of a force that loads them.
struct LoadedPair {
  int child = kNothing, parent = kNothing;
  std::vector<LoopAxis> axes, movers;        // that it loads; that move either body
  std::vector<std::vector<Signs>> moved_by;  // by axis: its side, for displacements that move it
  std::vector<Signs> sides;                  // of the columns' own axes
  std::vector<Signs> child_moved, parent_moved;  // 1 for columns that move the body
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
  // Displaced are the axes of quasi-velocities, too: in packs beyond those of the state.
  int displaced_packs = 0;
  std::vector<AxesOfBody> bodies;
  std::vector<Axis> axes;
  std::vector<int> coordinate_of;  // of each axis; kNothing: that of a quasi-velocity
  std::vector<int> axis_of;        // of each displaced column, padded to packs: whose own it is
  // By displacement: where its axis's row of pdot has the columns of the momenta, in packs; where
  // it has no axis, in a row of the matrix that is nothing's.
  std::vector<int> transposed_to;
  std::vector<QuasiJoint> quasi;
  std::vector<Run> runs;
  std::vector<Lanes> patterns;
  std::vector<LaneBodies> displaced_bodies, v_bodies;          // by pack
  std::vector<std::vector<RowPart>> displaced_parts, v_parts;  // by pack
  std::vector<std::vector<RowsOfAxis>> row_parts;              // by pack
  std::vector<LoopCut> cuts;
  std::vector<CoupledRow> coupled;
  std::vector<LoadedPair> loads;
  double gravity[3] = {};
  // Packs of the right-hand sides, of the rates of the momenta and of their slopes that no part
  // sets, in the order of their matrices.
  std::vector<int> unset_X, unset_P_dot, unset_slopes;

  // Unknowns: velocities, padded to packs, then rows.
  int unknown_of_row(int row) const { return kLaneCount * v_packs + row; }
  int right_pack() const { return v_packs + row_packs; }  // of K
  int unknowns() const { return kLaneCount * (v_packs + row_packs); }
  bool q_dot_is_v() const {
    return quasi.empty() && runs.size() == 1 && runs.front().q == runs.front().v;
  }
  bool displaced_are_axes() const { return q_dot_is_v() && driven.empty(); }
  bool has_wrenches() const { return !cuts.empty() || !loads.empty(); }
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
    int unknown = 0, row = 0;            // of K, in packs
    int first_later = 0, end_later = 0;  // of `later`: unknowns that it is taken from
    int first_pack = 0, end_pack = 0;    // of `packs`: its own, and those of `later`
    int first_earlier = 0, end_earlier = 0;
  };
  // An earlier unknown that this one has an entry with, and its row of K, in packs.
  struct Earlier {
    int unknown = 0, row = 0;
  };
  std::vector<Step> steps;
  std::vector<int> later, packs;
  std::vector<Earlier> earlier;
  std::vector<int> unset;  // packs of K that are zero at first
  // Entries of rows that come before an axis, as numbers of K: where it is, where the pose sets it.
  std::vector<std::pair<int, int>> turned;
  // How many columns are solved for: an unknown, or two of which the second is the first that the
  // first is taken from, in packs in which the same others count. Offsets of their rows are in
  // packs, those of entries of K in numbers; of the terms those of both unknowns come first, then
  // those of the first alone.
  struct Term {
    int row = 0;
    std::array<int, 2> entry{};
  };
  struct Block {
    std::array<int, 2> row{}, unknown{};
    int unknowns = 1, between = 0;  // the entry of one with the other
    int first_pack = 0, packs = 0;
    int first_shared = 0, first_of_first = 0, first_of_second = 0, end = 0;
  };
  std::vector<Block> forwards, backwards;
  std::vector<Term> terms;
  // Some axes side by side, and the unknowns on which the rates of their momenta depend: the
  // offsets of these in X, in packs, and in the slopes.
  struct Rates {
    int first = 0, axes = 1;
    std::vector<std::pair<int, int>> unknowns;
  };
  std::vector<Rates> rates;
};

struct Work {
  explicit Work(const Tables& tables)
      : composites(tables.bodies.size()),
        frames(2 * tables.bodies.size()),
        velocities(tables.bodies.size()),
        momenta(tables.bodies.size()),
        here(at(kLaneCount * tables.v_packs), Pair{}),
        displacements(at(kLaneCount * tables.displaced_packs), Pair{}),
        drive_rates(tables.driven.size()),
        displacement_rates(displacements),
        body_motion(tables.bodies.size()),
        v_S(tables.dimension, tables.v_packs),
        v_F(v_S),
        q_S(tables.dimension, tables.displaced_packs),
        q_Psi(q_S),
        q_B(q_S),
        q_A(q_S),
        q_G(tables.dimension / 2 + tables.dimension % 2, tables.displaced_packs),
        wrench(tables.dimension, tables.row_packs),
        K(tables.unknowns(), tables.right_pack() + 1),
        inverse(at(tables.unknowns())),
        primal(tables.unknowns(), 1),
        X(tables.unknowns(), tables.column_packs()),
        P_dot(tables.velocities + 1, tables.column_packs()),
        Q_dot(tables.q_dot_is_v() ? 0 : tables.coordinates, tables.column_packs()),
        slopes(tables.unknowns(), tables.displaced_packs),
        load_slopes(tables.loads.size()),
        displaced_load(tables.dimension, tables.displaced_packs),
        moved_load(displaced_load),
        quasi(tables.quasi.size()) {}

  double reference[3] = {};  // the point of the world that motions and forces are about
  std::vector<Composite> composites;
  // By body, at its own point: motions of what stays behind as its axes displace, and beyond these
  // of the frame in which they rest; motion of itself; momentum behind it.
  std::vector<Pair> frames, velocities, momenta;
  std::vector<Pair> here;           // by axis, at its body's point: S
  std::vector<Pair> displacements;  // by displacement, at its body's point: S
  // By drive, at its body's point: how what it adds to the motion changes in a unit of time, the
  // inboard body at rest.
  std::vector<Pair> drive_rates;
  std::vector<Pair> displacement_rates;  // by displacement, of drives: what Psi is beside V~ x S
  std::vector<Lanes> body_motion;        // by body, where wrenches act

  PackMatrix v_S, v_F;  // by axis, see axes.hpp
  // By displaced column; of G the linear rows. In those of quasi-velocities Psi is S', B is E.
  PackMatrix q_S, q_Psi, q_B, q_A, q_G;

  PackMatrix wrench;  // by row: of a unit of its impulse

  // [M -A^T; -A 0]; in the last pack right-hand sides: of the state itself, and of the momenta that
  // test.
  PackMatrix K;
  std::vector<double> inverse;  // of the pivots
  PackMatrix primal;            // lanes: v and sigma of these
  PackMatrix X;                 // right-hand sides, then dv and dsigma
  PackMatrix P_dot;
  PackMatrix Q_dot;   // none where it is v
  PackMatrix slopes;  // by unknown: d(pdot)/d(unknown) of the displaced columns' own axes

  std::vector<LoadSlope> load_slopes;
  PackMatrix displaced_load, moved_load;  // of one load

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
