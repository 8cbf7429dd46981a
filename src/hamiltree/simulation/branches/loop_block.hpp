// LoopBlock: loops that share joints, as gaps Phi(x) over small displacements x of these joints, at
// a time that stands still. Turns are measured times the mechanism's length, so that x and Phi are
// in metres all over.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "hamiltree/model/model.hpp"

namespace hamiltree::branches {

class LoopBlock {
 public:
  virtual ~LoopBlock() = default;

  // Numbers in the model of the block's coordinates, velocities and rows of Phi, ascending.
  const std::vector<int>& coordinates() const { return coordinates_; }
  const std::vector<int>& velocities() const { return velocities_; }
  const std::vector<int>& rows() const { return rows_; }
  const std::vector<int>& joints() const { return joints_; }  // of the tree
  double length() const { return length_; }                   // m, of the mechanism
  bool has_drives() const { return has_drives_; }

  // Displacements are counted from these coordinates of the model.
  void set_home(double t, const Eigen::VectorXd& q) {
    t_ = t;
    home_ = q;
  }
  const Eigen::VectorXd& home() const { return home_; }
  double time() const { return t_; }

  // The loops at a displacement.
  struct Gaps {
    Eigen::VectorXd phi;  // m
    Eigen::MatrixXd J;    // dphi/dx
  };
  virtual Gaps gaps(const Eigen::VectorXd& x) = 0;

  // The coordinates of the model at a displacement; those outside the block are at home.
  virtual Eigen::VectorXd displaced(const Eigen::VectorXd& x) const = 0;
  // The displacement that leads to the coordinates q of the model.
  virtual Eigen::VectorXd displacement_to(const Eigen::VectorXd& q) const = 0;
  // The rate of the displacement, m/s, at home, of velocities of the model; of accelerations alike.
  Eigen::VectorXd displacement_rate(const Eigen::VectorXd& v) const;
  // The velocities of the block, rad/s and m/s, of a rate of change of the displacement.
  virtual Eigen::VectorXd velocities(const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& x_rate) const = 0;
  // Their rates, of the first and second rate of change of the displacement.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& x, const Eigen::VectorXd& x_rate,
                                const Eigen::VectorXd& x_rate_rate) const;

 protected:
  std::vector<int> coordinates_, velocities_, rows_, joints_;
  std::vector<double> per_metre_;  // of each velocity: rad or m for each metre of displacement
  Eigen::VectorXd home_;
  double t_ = 0.0;  // s
  double length_ = 1.0;
  bool has_drives_ = false;
  bool has_quasi_velocities_ = false;
};

// The blocks of a model; what belongs to no loop is in none. The model must outlive them.
std::vector<std::unique_ptr<LoopBlock>> loop_blocks(const Model& model);

}  // namespace hamiltree::branches
