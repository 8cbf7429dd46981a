// Join: two compounds become one. Adding their mobilities row by row IS the statement that both sides
// of a joint carry the same impulse; eliminating the rows that became internal imposes
// D^T (V_child - V_parent) = -r on them [Chadaj2017 eqs. 24-26].
#pragma once

#include <cstddef>

#include "hamiltree/formulations/hdca/work.hpp"

namespace hamiltree::hdca {

// Adds the handles' part of a child's front to the join's front.
template <class Scalar>
void extend_add(const Front<Scalar>& child, const std::vector<int>& map, Front<Scalar>& join) {
  for (int a = child.eliminated; a < child.size; ++a) {
    const int i = map[static_cast<std::size_t>(a - child.eliminated)];
    for (int b = child.eliminated; b < a; ++b) {
      const int k = map[static_cast<std::size_t>(b - child.eliminated)];
      join.at(i, k) += child.at(a, b);
      join.at(k, i) += child.at(a, b);
    }
    join.at(i, i) += child.at(a, a);
    join.x_at(i) += child.x_at(a);
  }
}

template <class Space>
void fill_join(const Plan& plan, int c, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  const auto i = static_cast<std::size_t>(c);
  const auto& compound = plan.compounds[i];
  auto& front = work.fronts[i];
  for (auto& xi : front.Xi) xi = Scalar(0);
  for (auto& x : front.x) x = Scalar(0);
  extend_add(work.fronts[static_cast<std::size_t>(compound.left)], work.left_map[i], front);
  extend_add(work.fronts[static_cast<std::size_t>(compound.right)], work.right_map[i], front);
}

// The right-hand side of the constraint: cuts that become internal here get r = phi.
template <class Space>
void add_displacement(const typename Space::Scalar* phi, int c, Work<Space>& work) {
  auto& front = work.fronts[static_cast<std::size_t>(c)];
  for (int i = 0; i < front.eliminated; ++i) {
    const auto& row = work.rows[static_cast<std::size_t>(front.rows[static_cast<std::size_t>(i)])];
    if (row.phi != kNone) front.x_at(i) += phi[row.phi];
  }
}

}  // namespace hamiltree::hdca
