// FreeInertias: the inertia that a joint or a tendon feels while all other joints are free to move.
// MuJoCo finds damping from a ratio by it.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// All joints stand at `ref`. Joints that equalities couple or lock are free here as well. Inertias
// are in kg m^2 or kg, and 0 where the mass matrix is singular.
class FreeInertias {
 public:
  // Bodies and their joints are in the order of the tree, joints that close loops behind them.
  FreeInertias(const Tree& tree, const Mechanism& mechanism);

  // The inertia along a joint: the inverse of the mean of its entries on the diagonal of the
  // inverse mass matrix.
  double of(std::size_t joint) const;
  // The inertia along a length that changes by a ratio times the coordinate of each of some joints
  // with one degree of freedom.
  double along(const std::vector<std::size_t>& joints, const std::vector<double>& ratios) const;

 private:
  std::vector<Eigen::Index> first_;  // the first component of each joint, and the number of all
  Eigen::MatrixXd inverse_;          // of the mass matrix; empty where it is singular
};

}  // namespace hamiltree::mjcf
