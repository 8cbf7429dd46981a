// Memory of the recursive algorithm: the articulated bodies of the tree, and for the loops a front
// per body that carries some. While a loop is open, its rows travel inwards with the body; they are
// eliminated at the first body that has all of the loop behind it, or at the ground.
#pragma once

#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/ballast_return.hpp"
#include "hamiltree/formulations/block_elimination/front.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/rate_work.hpp"

namespace hamiltree::recursive {

// Where all rows that close at one body are redundant, as those of a second hinge beside the first,
// their mobility is nothing but rounding, about 1e-30 of 1/mass: what is below this part is no row.
inline constexpr double kPivotFloor = 1e-12;

// A row on its way inwards, behind the joint of a body; in the coordinates of the joint.
template <class Space>
struct OpenRow {
  typename Space::Force F;         // what a unit of its sigma does
  typename Space::Motion phi;      // H^T F + its factor of a coupling, first entries
  typename Space::Motion rate;     // Mj^-1 phi, first entries
  typename Space::Scalar port{0};  // factor of the joint's own velocity
  int row = 0;                     // among all rows
  int to = 0;                      // its position in the front that takes it
};

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
  std::vector<OpenRow<Space>> open;
  std::size_t into = 0;  // the front that takes them: of the inboard body, or over the ground
};

// Where a cut or coupling acts on a body: row `row` feels `component` of the body's motion, in the
// coordinates of joint `joint`.
struct End {
  int row = 0, joint = 0, component = 0;
  double factor = 1.0;  // of an impulse on the body: +1 on the child, -1 on the parent
  int position = 0;     // of the row in the body's front
};

// A front over the ground, where loops of trees close that share nothing but the ground.
struct GroundFront {
  struct Joined {
    std::size_t front = 0;
    std::vector<int> to;  // where its handles stand here
  };
  std::size_t front = 0;
  std::vector<Joined> joined;  // earlier ones over the ground; what is open of trees comes besides
};

template <class Space>
struct Work : RateWork<Space> {
  using Scalar = typename Space::Scalar;

  explicit Work(const System<Space>& system);

  std::vector<Articulated<Space>> bodies;
  std::vector<std::vector<End>> ends;  // of each body
  std::vector<int> row_joint;          // the cut, or the follower of the coupling, of each row
  // One per body, empty for bodies without open loops: rows that close here, rows that stay open,
  // then the motion of the body. Those over the ground follow: rows only.
  std::vector<block_elimination::Front<Scalar>> fronts;
  std::vector<GroundFront> ground;             // in the order of their elimination
  std::vector<Scalar> values;                  // sigma of all rows, then the motions of all bodies
  std::vector<Scalar> r;                       // one per row
  std::vector<Scalar> free_force;              // p, of accelerations the efforts along the joints
  std::vector<typename Space::Force> impulse;  // of each joint, world axes at O; cuts only
  std::vector<int> ranks;                      // independent rows per front, see block_elimination/
  std::vector<int> kept_ranks;                 // while others are tried
  double rank_gap = block_elimination::kRankGap;  // below it rows count as dependent
  std::vector<double> scratch;                    // of the choice of rows
  BallastReturn<Space> ballast;

  // A first solution, while what it misses is found.
  struct First {
    typename Space::Motion V;
    typename Space::Force D;
  };
  bool refines = false;  // velocities
  std::vector<First> first;
  std::vector<Scalar> first_values, first_v;
};

}  // namespace hamiltree::recursive

#include "hamiltree/formulations/recursive/layout.hpp"
