// Memory of the HDCA: one front per compound and the quantities at joints, laid out once for a
// plan.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/front.hpp"
#include "hamiltree/formulations/hdca/mobility.hpp"
#include "hamiltree/formulations/rate_work.hpp"
#include "hamiltree/plan/plan.hpp"

namespace hamiltree::hdca {

// Pivots below this part of the trace are masked in joins that close loops. Measured: 1e-9 to 1e-6
// works; 1e-12 to 1e-14 loses the branch at singular poses.
inline constexpr double kPivotMask = 1e-8;

// A constraint row: column `component` of D of a joint.
struct Row {
  int joint = 0;
  int component = 0;
  int phi = kNone;  // its place in Phi, for cuts
};

template <class Space>
struct Work : RateWork<Space> {
  using Scalar = typename Space::Scalar;

  Work(const System<Space>& system, const Plan& plan);

  std::vector<Row> rows;                           // all constraint rows of all joints
  std::vector<int> first_row;                      // of each joint
  std::vector<Scalar> sigma;                       // one per row
  std::vector<Scalar> r;                           // one per row: D^T (V_child - V_parent) = -r
  std::vector<Scalar> residual, sigma_correction;  // one per row, of the refinement
  std::vector<Front<Scalar>> fronts;               // one per compound
  std::vector<std::vector<int>> left_map;  // position in a join of each handle row of its left side
  std::vector<std::vector<int>> right_map;
  std::vector<Pose<Space>> X_WM;                      // child frames of all joints, world
  std::vector<Mobility<Space>> mobility;              // of all bodies
  std::vector<std::vector<typename Space::Force>> A;  // per leaf: D of its rows at its com, world
  std::vector<typename Space::Force> Hp;          // H p of tree joints, world axes at O; 0 for cuts
  std::vector<typename Space::Force> Pbar;        // D sigma + H p, world axes at O
  std::vector<typename Space::Force> correction;  // of Pbar, by the refinement
  std::vector<typename Space::Force> Q;     // accumulated load per compound at its root's origin
  std::vector<typename Space::Force> Qbar;  // articulated load per tree joint at O
  std::vector<int> ranks;                   // independent rows per compound, see choices.hpp
  std::vector<double> scratch;              // of the choice of rows
};

template <class Space>
Work<Space>::Work(const System<Space>& system, const Plan& plan)
    : RateWork<Space>(system),
      fronts(plan.compounds.size()),
      left_map(plan.compounds.size()),
      right_map(plan.compounds.size()),
      X_WM(system.joints.size()),
      mobility(system.bodies.size()),
      A(system.bodies.size()),
      Hp(system.joints.size(), Space::Force::Zero()),
      Pbar(system.joints.size(), Space::Force::Zero()),
      correction(system.joints.size(), Space::Force::Zero()),
      Q(plan.compounds.size(), Space::Force::Zero()),
      Qbar(system.bodies.size(), Space::Force::Zero()) {
  for (int j = 0; j < system.joint_count(); ++j) {
    const auto& joint = system.joint(j);
    first_row.push_back(static_cast<int>(rows.size()));
    for (int i = 0; i < joint.constraints; ++i) {
      rows.push_back({j, i, joint.is_cut() ? joint.row + i : kNone});
    }
  }
  for (auto* rowwise : {&sigma, &r, &residual, &sigma_correction}) {
    rowwise->assign(rows.size(), Scalar(0));
  }

  for (std::size_t c = 0; c < plan.compounds.size(); ++c) {
    const auto& compound = plan.compounds[c];
    auto& front = fronts[c];
    const auto add_rows = [&](int j) {
      for (int i = 0; i < system.joint(j).constraints; ++i) {
        front.rows.push_back(first_row[at(j)] + i);
        front.scale.push_back(row_scale(system, system.joint(j), i));
      }
    };
    for (const int j : compound.eliminated) add_rows(j);
    front.resize(static_cast<int>(front.rows.size()), compound.closes_loop ? kPivotMask : 0.0);
    for (const int j : compound.kept) add_rows(j);
    front.allocate();
    if (compound.body != kNone) {
      A[at(compound.body)].assign(front.rows.size(), Space::Force::Zero());
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
