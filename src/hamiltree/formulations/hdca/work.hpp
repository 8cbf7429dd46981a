// Memory of the HDCA: one front per compound and the quantities at joints, laid out once for a
// plan.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/ballast_return.hpp"
#include "hamiltree/formulations/block_elimination/free_mobility.hpp"
#include "hamiltree/formulations/block_elimination/front.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/hdca/executor.hpp"
#include "hamiltree/formulations/hdca/mobility.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree::hdca {

// A constraint row: a component of a joint's coordinates along D, or a coupling, which joins the
// free components of two joints. Or the armature I_a of a joint: sqrt(I_a) H with the compliance 1,
// so its impulse z = -sqrt(I_a) qdot takes I_a qdot from the p that the bodies receive.
template <class Scalar>
struct Row {
  struct End {
    int joint = 0;
    int component = 0;
    Scalar factor{1};
  };
  std::vector<End> ends;  // one, of a coupling two
  int phi = kNone;        // its place in Phi, for cuts and couplings
  bool yields = false;    // compliance 1
};

// How many rows the armature of a joint has; they stand before those of its constraints.
template <class Space>
int armature_rows(const Joint<Space>& joint) {
  return joint.armature > 0.0 ? joint.velocities : 0;
}

// The same seen from a joint: a row that one of its components is part of.
template <class Scalar>
struct Part {
  int row = 0;
  int component = 0;
  Scalar factor{1};
};

template <class Space>
struct Work : RateWork<Space> {
  using Scalar = typename Space::Scalar;

  Work(const System<Space>& system, const Plan& plan);

  Executor executor;                               // of the present evaluation
  std::vector<Row<Scalar>> rows;                   // all constraint rows of all joints
  std::vector<std::vector<Part<Scalar>>> parts;    // of each joint
  std::vector<int> first_row;                      // of each joint, then of each coupling
  bool loses_digits = false;                       // see refine()
  std::vector<Scalar> sigma;                       // one per row
  std::vector<Scalar> r;                           // one per row: D^T (V_child - V_parent) = -r
  std::vector<Scalar> residual, sigma_correction;  // one per row, of the refinement
  std::vector<block_elimination::Front<Scalar>> fronts;  // one per compound
  std::vector<std::vector<int>> left_map;  // position in a join of each handle row of its left side
  std::vector<std::vector<int>> right_map;
  std::vector<Mobility<Space>> mobility;              // of all bodies
  std::vector<std::vector<typename Space::Force>> D;  // per leaf: D of its rows at its com, world
  std::vector<typename Space::Force> known;  // what bodies receive but for sigma, world axes at com
  std::vector<typename Space::Force> Pbar;   // D sigma + H p, world axes at O
  std::vector<typename Space::Force> correction;  // of what joints carry, by the last sweep
  std::vector<typename Space::Motion> change;     // of the bodies' motions, by the last sweep
  std::vector<typename Space::Force> Q;     // accumulated load per compound at its root's origin
  std::vector<typename Space::Force> Qbar;  // articulated load per tree joint at O
  std::vector<int> ranks;                   // independent rows per front, see block_elimination/
  std::vector<int> kept_ranks;              // while others are tried
  double rank_gap = block_elimination::kRankGap;  // below it rows count as dependent
  std::vector<double> scratch;                    // of the choice of rows
  BallastReturn<Space> ballast;
};

template <class Space>
Work<Space>::Work(const System<Space>& system, const Plan& plan)
    : RateWork<Space>(system),
      fronts(plan.compounds.size()),
      left_map(plan.compounds.size()),
      right_map(plan.compounds.size()),
      mobility(system.bodies.size()),
      D(system.bodies.size()),
      known(system.bodies.size(), Space::Force::Zero()),
      Pbar(system.joints.size(), Space::Force::Zero()),
      correction(system.joints.size(), Space::Force::Zero()),
      change(system.bodies.size(), Space::Motion::Zero()),
      Q(plan.compounds.size(), Space::Force::Zero()),
      Qbar(system.bodies.size(), Space::Force::Zero()),
      ballast(system) {
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    first_row.push_back(static_cast<int>(rows.size()));
    for (int i = 0; i < armature_rows(joint); ++i)
      rows.push_back({{{j, joint.free[at(i)], Scalar(std::sqrt(joint.armature))}}, kNone, true});
    for (int i = 0; i < joint.constraints; ++i) {
      rows.push_back(
          {{{j, joint.constrained[at(i)], Scalar(1)}}, joint.is_cut() ? joint.row + i : kNone});
    }
  }
  for (const auto& c : system.couplings) {
    first_row.push_back(static_cast<int>(rows.size()));
    rows.push_back({{{c.joint, system.joint(c.joint).along, Scalar(1)},
                     {c.to, system.joint(c.to).along, Scalar(-c.ratio)}},
                    c.row});
  }
  loses_digits = !Space::kIsPlanar || system.constraints > 0 ||
                 std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.yields; });
  parts.resize(system.joints.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& end : rows[i].ends) {
      parts[at(end.joint)].push_back({static_cast<int>(i), end.component, end.factor});
    }
  }
  for (auto* rowwise : {&sigma, &r, &residual, &sigma_correction}) {
    rowwise->assign(rows.size(), Scalar(0));
  }

  for (std::size_t c = 0; c < plan.compounds.size(); ++c) {
    const auto& compound = plan.compounds[c];
    auto& front = fronts[c];
    const auto add_rows = [&](int link) {  // a joint, or a coupling
      const int joints = system.joint_count();
      if (link >= joints) {
        front.rows.push_back(first_row[at(link)]);
        front.scale.push_back(row_scale(system, system.couplings[at(link - joints)]));
        return;
      }
      const int first = first_row[at(link)] + armature_rows(system.joint(link));
      for (int i = 0; i < system.joint(link).constraints; ++i) {
        front.rows.push_back(first + i);
        front.scale.push_back(row_scale(system, system.joint(link), i));
      }
    };
    const auto add_armature = [&](int link) {
      if (link >= system.joint_count()) return;
      for (int i = 0; i < armature_rows(system.joint(link)); ++i) {
        front.rows.push_back(first_row[at(link)] + i);
        front.scale.push_back(1.0);
      }
    };
    for (const int j : compound.eliminated) add_armature(j);
    front.yielding = static_cast<int>(front.rows.size());
    for (const int j : compound.eliminated) add_rows(j);
    front.resize(static_cast<int>(front.rows.size()),
                 compound.closes_loop ? block_elimination::kPivotMask : 0.0);
    for (const int part : {compound.left, compound.right}) {
      if (part != kNone) front.floor = std::max(front.floor, fronts[at(part)].floor);
    }
    using block_elimination::Ballast;
    const auto mobility_of = [&](int i, Ballast ballast) {
      double mobility = 0.0;
      for (const auto& end : rows[at(front.rows[at(i)])].ends) {
        const double factor = to_double(end.factor);
        mobility += factor * factor *
                    block_elimination::free_mobility(system, end.joint, end.component, ballast);
      }
      return front.scale[at(i)] * front.scale[at(i)] * mobility;
    };
    for (int i = front.yielding; i < front.eliminated; ++i)
      front.floor =
          std::max(front.floor, block_elimination::kRounded * mobility_of(i, Ballast::kMoves));
    for (const int j : compound.kept) add_armature(j);
    for (const int j : compound.kept) add_rows(j);
    front.allocate();
    if (!system.ballasted.empty()) {
      double bare = 0.0;
      for (int i = 0; i < front.size; ++i)
        if (!rows[at(front.rows[at(i)])].yields) bare += mobility_of(i, Ballast::kLeftOut);
      if (bare == 0.0) {  // its own rows hold nothing but ballast, its parts may hold more
        for (const int part : {compound.left, compound.right}) {
          if (part != kNone && !std::isinf(fronts[at(part)].bare_mobility))
            bare = std::max(bare, fronts[at(part)].bare_mobility);
        }
      }
      if (bare > 0.0) front.bare_mobility = bare;
    }
    if (compound.body != kNone) {
      D[at(compound.body)].assign(front.rows.size(), Space::Force::Zero());
    }

    const auto map_of = [&](int child) {
      std::vector<int> map;
      if (child == kNone) return map;
      const auto& from = fronts[at(child)];
      for (int i = from.eliminated; i < from.size; ++i) {
        const int row = from.rows[at(i)];
        const auto found = std::find(front.rows.begin(), front.rows.end(), row);
        map.push_back(static_cast<int>(found - front.rows.begin()));
      }
      return map;
    };
    left_map[c] = map_of(compound.left);
    right_map[c] = map_of(compound.right);
  }
}

}  // namespace hamiltree::hdca
