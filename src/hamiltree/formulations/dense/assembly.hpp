// Mass matrix and constraint matrix of the augmented system, column by column: the momenta and the
// closing velocities of unit joint velocities.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/formulations/dense/augmented.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::dense {

// Momenta and closing velocities are affine in v when drives move: P = M v + b, A v + a = 0.
//   M e_k = momenta of the displacement e_k      A e_k = D^T (V_child - V_parent) of it
template <class Space>
void assemble(const System<Space>& system, double t, const double* q, Kinematics<Space>& kin,
              Eigen::VectorXd& unit, Augmented& augmented) {
  place(system, t, q, kin);
  kin.frozen = true;
  for (int k = 0; k < system.velocities; ++k) {
    unit.setZero();
    unit(k) = 1.0;
    move(system, unit.data(), kin);
    momenta(system, kin, augmented.M.col(k).data());
    velocity_residual(system, kin, augmented.A.col(k).data());
  }
  kin.frozen = false;
  unit.setZero();
  move(system, unit.data(), kin);
  momenta(system, kin, augmented.b.data());
}

}  // namespace hamiltree::dense
