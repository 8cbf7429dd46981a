// The inertia that MuJoCo takes for damping by a ratio: of what is pulled while all joints are free
// to move.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "hamiltree/io/import/mjcf/mjcf_tree.hpp"

namespace hamiltree::mjcf {

// All joints at `ref`; what equalities hold is free, too, as long as they leave its joint what it
// is. kg m^2 or kg, and 0 where the mass matrix is singular.
class FreeInertias {
 public:
  // Bodies and their joints are in the order of the tree, joints that close loops behind them.
  FreeInertias(const Tree& tree, const Mechanism& mechanism);

  // Of a joint: the inverse of the mean of its entries on the diagonal of the inverse mass matrix.
  double of(std::size_t joint) const;
  // Of a length that changes by a ratio times the coordinate of each of some joints with one degree
  // of freedom.
  double along(const std::vector<std::size_t>& joints, const std::vector<double>& ratios) const;

 private:
  std::vector<Eigen::Index> first_;  // component of each joint, and their number
  Eigen::MatrixXd inverse_;          // of the mass matrix; empty where it is singular
};

}  // namespace hamiltree::mjcf
