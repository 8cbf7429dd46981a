// Join: two compounds become one. Adding their mobilities row by row IS the statement that both
// sides of a joint carry the same impulse; eliminating the rows that became internal imposes D^T
// (V_child - V_parent) = -r on them [Chadaj2017 eqs. 24-26].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/work.hpp"

namespace hamiltree::hdca {

// Adds the handles' part of a side's mobility to the join's.
template <class Scalar>
void extend_add(const Front<Scalar>& side, const std::vector<int>& map, Front<Scalar>& join) {
  for (int a = side.eliminated; a < side.size; ++a) {
    const int i = map[at(a - side.eliminated)];
    for (int b = side.eliminated; b < a; ++b) {
      const int k = map[at(b - side.eliminated)];
      join.xi(i, k) += side.xi(a, b);
      join.xi(k, i) += side.xi(a, b);
    }
    join.xi(i, i) += side.xi(a, a);
  }
}

template <class Space>
void fill_join(const Compound& compound, int c, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  const auto i = at(c);
  auto& front = work.fronts[i];
  for (auto& xi : front.Xi) xi = Scalar(0);
  extend_add(work.fronts[at(compound.left)], work.left_map[i], front);
  extend_add(work.fronts[at(compound.right)], work.right_map[i], front);
}

// The same for the biases xi_0.
template <class Scalar>
void extend_add_bias(const Front<Scalar>& side, const std::vector<int>& map, Front<Scalar>& join) {
  for (int a = side.eliminated; a < side.size; ++a) {
    join.x_at(map[at(a - side.eliminated)]) += side.x_at(a);
  }
}

template <class Space>
void fill_join_bias(const Compound& compound, int c, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  const auto i = at(c);
  auto& front = work.fronts[i];
  for (auto& x : front.x) x = Scalar(0);
  extend_add_bias(work.fronts[at(compound.left)], work.left_map[i], front);
  extend_add_bias(work.fronts[at(compound.right)], work.right_map[i], front);
}

}  // namespace hamiltree::hdca
