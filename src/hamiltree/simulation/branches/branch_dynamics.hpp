// BranchDynamics: how a mechanism moves when the blocks of loops at a singular pose may only move
// along given directions T, which are regular there, instead of being held by their own rows, which
// are not. Velocities are v = T u, with the joints outside these blocks free and their loops
// closed:
//
//   (1)  v_dot = T u_dot + gamma
//   (2)  T^T M T u_dot - A^T lambda = -T^T f(v, gamma)
//   (3)  A u = -a       A u_dot = -(A_dot u + a_dot)
//
// f(v, v_dot): the efforts that a motion takes beside the forces. A: the rows of all other loops,
// which drives open by a, and for each block with drives the rate of its time, which is what it is.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "hamiltree/simulation/branches/loop_block.hpp"
#include "hamiltree/simulation/branches/open_mechanism.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree::branches {

// Motions of a block: velocities of unit rates of its parameters, and what these velocities change
// by at constant rates; with drives, the rates of its time alike, else nothing.
struct Freedom {
  const LoopBlock* block = nullptr;
  Eigen::MatrixXd T, clock;
  Eigen::VectorXd gamma, clock_gamma;
};
// At a displacement x, along directions of it that x_rate is made of and that bend by `curvature`.
Freedom freedom_at(const LoopBlock& block, const Eigen::VectorXd& x,
                   const Eigen::MatrixXd& directions, const Eigen::VectorXd& x_rate,
                   const Eigen::VectorXd& curvature);
// At the singular pose itself, along straight directions.
Freedom freedom_at_home(const LoopBlock& block, const Eigen::MatrixXd& directions);

class BranchDynamics {
 public:
  // Rows, and the columns that move them and no other rows.
  struct RowBlock {
    std::vector<int> rows, columns;
  };

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
    Eigen::VectorXd v_rate;  // of all joints
    Power power;
    // J/s^2: how much less the accelerations miss those of the open mechanism, in the mass metric,
    // than those without u_rate: the larger, the less the loops resist [Gauss's principle].
    double gain = 0.0;
    bool finite = false;
  };
  Accelerations accelerations(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                              const std::vector<Freedom>& freedoms);

  // The reactions of all joints at these accelerations, in the model's order; of `rows` independent
  // rows of loops and couplings, the others carry nothing. Next to a singular pose they grow
  // beyond all bounds; where rounding leaves no digit of them they are NaN.
  std::vector<Reaction> reactions(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                  const Eigen::VectorXd& v_rate, int rows);

  // Momenta of the motion, drives included.
  Eigen::VectorXd momenta(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  // v^T M v
  double square(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  // Brings q onto the loops outside the blocks and u onto velocities that keep them closed.
  void project(double t, Eigen::VectorXd& q, Eigen::VectorXd& u,
               const std::vector<Freedom>& freedoms);

  Probe& probe() { return *probe_; }

 private:
  std::vector<int> velocities_outside(const std::vector<Freedom>& freedoms) const;
  std::vector<int> rows_outside(const std::vector<Freedom>& freedoms) const;
  Eigen::MatrixXd columns(const std::vector<Freedom>& freedoms) const;
  Eigen::MatrixXd rows_of_all();
  // The matrices of (2) and (3); a: the residual of A u. Rows of loops outside the blocks come
  // first, then those of times.
  struct Reduced {
    Eigen::MatrixXd T, MT, A;
    Eigen::VectorXd a;
    std::vector<RowBlock> loops, clocks;

    std::vector<RowBlock> all_rows() const {
      auto rows = loops;
      rows.insert(rows.end(), clocks.begin(), clocks.end());
      return rows;
    }
  };
  Reduced reduced(double t, const Eigen::VectorXd& q, const std::vector<Freedom>& freedoms);
  Eigen::MatrixXd inertia(const Reduced& now, const std::vector<Freedom>& freedoms) const;

  Model model_;
  std::vector<RowBlock> blocks_;  // rows of the model, and its velocities
  std::unique_ptr<Probe> probe_;
  std::unique_ptr<OpenMechanism> open_;
  std::vector<double> row_scales_;
};

}  // namespace hamiltree::branches
