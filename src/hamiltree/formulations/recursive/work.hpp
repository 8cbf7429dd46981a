// Memory of the recursive algorithm: the articulated bodies of the tree, and for the loops a front
// per body that carries some. While a loop is open, its rows travel inwards with the body; they are
// eliminated at the first body that has all of the loop behind it, or at the ground.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/contraction/front.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree::recursive {

// Where all rows that close at one body are redundant, as those of a second hinge beside the first,
// their mobility is nothing but rounding, about 1e-30 of 1/mass: what is below this part is no row.
inline constexpr double kPivotFloor = 1e-12;

// One body. Its own axes at its origin (B) or the coordinates of its inboard joint (J); signs are
// those of the way outwards.
template <class Space>
struct Articulated {
  Pose<Space> X_IJ;                   // J in the inboard body
  Pose<Space> X_JB;                   // B in J, where they differ
  bool apart = false;                 // whether they do
  typename Space::Scalar outward{1};  // -1 where the tree runs against the joint
  typename Space::Inertia M;          // B: articulated inertia, P = M V + D - F sigma
  typename Space::Force bias;         // B: what the body alone adds to D
  typename Space::Force D;            // B: momentum remainder, of accelerations the force remainder
  typename Space::Inertia W;          // J: U Mj^-1, one column per velocity
  typename Space::Inertia Mj;         // (H^T M H + armature)^-1, top left
  typename Space::Motion e;           // Mj^-1 (p - H^T D), first entries
  typename Space::Motion given;       // J: Omega_t, of accelerations gamma
  bool is_given = false;              // else it is zero
  typename Space::Motion V;           // B: velocity, of accelerations the acceleration
  std::vector<typename Space::Force> F;      // J: per open row, behind the joint
  std::vector<typename Space::Motion> phi;   // per open row: H^T F + its factor of a coupling
  std::vector<typename Space::Scalar> port;  // per open row: factor of the joint's own velocity
  std::vector<int> to;                       // per open row: its position in the front further in
};

// Where a cut or coupling acts on a body: row `row` feels `component` of the body's motion, in the
// coordinates of joint `joint`.
struct End {
  int row = 0, joint = 0, component = 0;
  double factor = 1.0;  // of an impulse on the body: +1 on the child, -1 on the parent
};

template <class Space>
struct Work : RateWork<Space> {
  using Scalar = typename Space::Scalar;

  explicit Work(const System<Space>& system);

  std::vector<Articulated<Space>> bodies;
  std::vector<std::vector<End>> ends;  // of each body
  std::vector<int> row_joint;          // the cut, or the follower of the coupling, of each row
  // One per body, empty for bodies without open loops: rows that close here, rows that stay open,
  // then the motion of the body. One per compound of the ground plan: rows only.
  std::vector<contraction::Front<Scalar>> fronts;
  Plan ground_plan;              // joins the trees whose loops close over the ground
  std::vector<int> bases;        // body at the foot of each tree: leaves of the ground plan
  std::vector<int> base_number;  // of each base body, kNone for others
  std::vector<std::vector<int>> left_map, right_map;  // of the ground plan's compounds
  std::vector<Scalar> values;                  // sigma of all rows, then the motions of all bodies
  std::vector<Scalar> r;                       // one per row
  std::vector<Scalar> free_force;              // p, of accelerations the efforts along the joints
  std::vector<typename Space::Force> impulse;  // of each joint, world axes at O; cuts only
  std::vector<int> ranks;                      // independent rows per front, see contraction/
  std::vector<double> scratch;                 // of the choice of rows

  // The front that takes the open rows of a body.
  std::size_t front_inboard(const System<Space>& system, int b) const {
    const int inboard = system.inboard(b);
    return inboard == kNone ? bodies.size() + at(base_number[at(b)]) : at(inboard);
  }
};

}  // namespace hamiltree::recursive

#include "hamiltree/formulations/recursive/layout.hpp"
