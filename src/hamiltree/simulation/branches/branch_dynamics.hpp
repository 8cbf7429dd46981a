// BranchDynamics: how a mechanism moves when the blocks of loops at a singular pose may only move
// along given directions T, which are regular there, instead of being held by their own rows, which
// are not. Velocities are v = T u, with the joints outside these blocks free and their loops
// closed:
//
//   (1)  v_dot = T u_dot + gamma
//   (2)  T^T M T u_dot - A^T lambda = T^T M (v_dot_open - gamma)
//   (3)  A u_dot = -(dA/dt) u
//
// v_dot_open: of the mechanism with all loops open. A: the rows of all other loops.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/simulation/branches/loop_block.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree::branches {

// Motions of a block: velocities of unit rates of its parameters, and what these velocities change
// by at constant rates.
struct Freedom {
  const LoopBlock* block = nullptr;
  Eigen::MatrixXd T;
  Eigen::VectorXd gamma;
};

class BranchDynamics {
 public:
  // For a model without drives.
  explicit BranchDynamics(const Model& model);

  // The velocities outside the blocks, then the parameters of each block in turn.
  int size(const std::vector<Freedom>& freedoms) const;
  // v = T u.
  Eigen::VectorXd velocities(const std::vector<Freedom>& freedoms, const Eigen::VectorXd& u) const;
  // The closest to the velocities v in the mass metric, outside the blocks the same: u.
  Eigen::VectorXd closest(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          const std::vector<Freedom>& freedoms);

  struct Accelerations {
    Eigen::VectorXd u_rate;
    Eigen::VectorXd q_rate;  // of the model's coordinates
    Power power;
    // J/s^2: how much less the accelerations miss those of the open mechanism, in the mass metric,
    // than those without u_rate: the larger, the less the loops resist [Gauss's principle].
    double gain = 0.0;
    bool finite = false;
  };
  Accelerations accelerations(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                              const std::vector<Freedom>& freedoms);

  // M v
  Eigen::VectorXd momenta(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  // Brings q onto the loops outside the blocks and u onto velocities that keep them closed.
  void project(double t, Eigen::VectorXd& q, Eigen::VectorXd& u,
               const std::vector<Freedom>& freedoms);

  Probe& probe() { return *probe_; }

 private:
  std::vector<int> velocities_outside(const std::vector<Freedom>& freedoms) const;
  std::vector<int> rows_outside(const std::vector<Freedom>& freedoms) const;
  Eigen::MatrixXd columns(const std::vector<Freedom>& freedoms) const;
  Eigen::VectorXd rows_at(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          const std::vector<int>& rows);
  Eigen::VectorXd coordinate_rates(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  struct Reduced {
    Eigen::MatrixXd T, MT, A;
  };
  Reduced reduced(double t, const Eigen::VectorXd& q, const std::vector<Freedom>& freedoms);

  Model model_;
  std::unique_ptr<Probe> probe_;
  std::unique_ptr<Formulation> open_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<double> row_scales_;
};

}  // namespace hamiltree::branches
