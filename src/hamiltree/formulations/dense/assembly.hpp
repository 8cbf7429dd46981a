// Mass matrix and constraint matrix of the augmented system, column by column: the momenta and the
// closing velocities of unit joint velocities.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::dense {

//   M e_k = momenta of the motion e_k          A e_k = D^T (V_child - V_parent) of the motion e_k
template <class Space>
void assemble(const System<Space>& system, const double* q, Kinematics<Space>& kin,
              Eigen::VectorXd& unit, Eigen::MatrixXd& M, Eigen::MatrixXd& A) {
  place(system, q, kin);
  for (int k = 0; k < system.velocities; ++k) {
    unit.setZero();
    unit(k) = 1.0;
    move(system, unit.data(), kin);
    momenta(system, kin, M.col(k).data());
    velocity_residual(system, kin, A.col(k).data());
  }
}

}  // namespace hamiltree::dense
