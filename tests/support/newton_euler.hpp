// Newton and Euler, body by body: what is left of the momentum's rate when gravity, forces on
// bodies and the reported wrenches of all joints are taken away. Shares no elimination and no
// acceleration formula with the formulations: momenta are differentiated on dual numbers along the
// motion.
#pragma once

#include <Eigen/Core>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree::test {

struct Balance {
  double residual = 0.0;  // largest |force| or |moment| left over, N and N m
  double size = 0.0;      // largest of those that were added up
  double power_residual = 0.0, power_size = 0.0;  // W: the same of dT/dt
};

// After formulation.accelerations() at (t, q).
template <class Space>
Balance newton_euler(const System<Space>& system, const Formulation& formulation,
                     const Workspace& workspace, double t, const Eigen::VectorXd& q);

}  // namespace hamiltree::test
