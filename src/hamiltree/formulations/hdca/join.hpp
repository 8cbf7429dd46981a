// Join: two compounds become one. Adding their mobilities row by row IS the statement that both
// sides of a joint carry the same impulse; eliminating the rows that became internal imposes D^T
// (V_child - V_parent) = -r on them [Chadaj2017 eqs. 24-26].
#pragma once

#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/hdca/work.hpp"

namespace hamiltree::hdca {

template <class Space>
void fill_join(const Compound& compound, int c, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  const auto i = at(c);
  auto& front = work.fronts[i];
  for (auto& xi : front.Xi) xi = Scalar(0);
  block_elimination::extend_add(work.fronts[at(compound.left)], work.left_map[i], front);
  block_elimination::extend_add(work.fronts[at(compound.right)], work.right_map[i], front);
}

template <class Space>
void fill_join_bias(const Compound& compound, int c, Work<Space>& work) {
  using Scalar = typename Space::Scalar;
  const auto i = at(c);
  auto& front = work.fronts[i];
  for (auto& x : front.x) x = Scalar(0);
  block_elimination::extend_add_bias(work.fronts[at(compound.left)], work.left_map[i], front);
  block_elimination::extend_add_bias(work.fronts[at(compound.right)], work.right_map[i], front);
}

}  // namespace hamiltree::hdca
