// Assembly: kinematics, leaves, then joins bottom-up. Joints to the ground are rows of the leaf
// that they hold, so the base connection needs no case of its own: a floating leaf has no such rows
// [Chadaj2017 case a], a chain's base has those of one joint [case b], and a compound that reaches
// the ground again closes the loop in the join where the two grounded sides meet [case c].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/block_elimination/rows.hpp"
#include "hamiltree/formulations/hdca/join.hpp"
#include "hamiltree/formulations/hdca/leaf.hpp"

namespace hamiltree::hdca {

// How far the leaders of curved couplings move their rows, at this pose.
template <class Space>
void set_coupling_rows(const System<Space>& system, Work<Space>& work) {
  for (std::size_t i = 0; i < system.couplings.size(); ++i) {
    const auto& coupling = system.couplings[i];
    if (!coupling.is_curved()) continue;
    const int row = work.first_row[system.joints.size() + i];
    const auto factor = -work.kin.couplings[i].slope;
    work.rows[at(row)].ends.back().factor = factor;
    for (auto& part : work.parts[at(coupling.to)]) {
      if (part.row == row) part.factor = factor;
    }
  }
}

// Bodies, joint frames and mobilities in world axes, as place() has them. Only the products of the
// poses wait for one another.
template <class Space>
void place_bodies(const System<Space>& system, const typename Space::Scalar& t,
                  const typename Space::Scalar* q, Work<Space>& work) {
  auto& kin = work.kin;
  evaluate_drives(system, t, kin);
  work.executor.each(system.body_count(),
                     [&](int b) { kin.X_WB[at(b)] = pose_in_inboard(system.joint(b), kin, q); });
  for (int b = 0; b < system.body_count(); ++b) {
    const auto X_IB = kin.X_WB[at(b)];
    place_body(system, b, X_IB, kin);
  }
  work.executor.each(system.joint_count(), [&](int j) {
    kin.joints[at(j)].X_WJ = joint_frame(system, kin, j);
    if (j < system.body_count()) work.mobility[at(j)] = {system.carried(j), kin.pose(j)};
  });
  place_couplings(system, q, kin);
  set_coupling_rows(system, work);
}

// The factors of every compound where the bodies are placed.
template <class Space>
void contract(const System<Space>& system, const Plan& plan, block_elimination::RowChoice rows,
              Work<Space>& work) {
  work.executor.up(static_cast<int>(plan.compounds.size()), [&](int c) {
    const auto& compound = plan.compounds[at(c)];
    if (compound.body != kNone) {
      fill_leaf(system, compound.body, work);
    } else {
      fill_join(compound, c, work);
    }
    if (rows == block_elimination::RowChoice::kChoose) block_elimination::choose_rows(c, work);
    block_elimination::factor(work.fronts[at(c)]);
  });
}

}  // namespace hamiltree::hdca
