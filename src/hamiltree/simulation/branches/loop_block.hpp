// LoopBlock: loops that share joints, as gaps Phi(x) over small displacements x of these joints.
// Turns are measured times the mechanism's length, so that x and Phi are in metres all over. Where
// joints of the block are driven, time is one more displacement, the last: its unit is that in
// which the drives would open the loops by a metre, or a shorter one.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <utility>
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
  const std::vector<int>& cuts() const { return cuts_; }      // joints that close its loops
  double length() const { return length_; }                   // m, of the mechanism
  bool has_drives() const { return has_drives_; }
  // Entries of a displacement.
  Eigen::Index size() const {
    return static_cast<Eigen::Index>(velocities_.size()) + (has_drives_ ? 1 : 0);
  }

  // What displacements are counted from.
  struct Home {
    double t = 0.0;           // s
    Eigen::VectorXd q;        // coordinates of the model
    double clock_rate = 0.0;  // m/s: how fast time is displaced
  };
  const Home& home() const { return home_; }
  void set_home(Home home) { home_ = std::move(home); }
  // Time is displaced at least at this speed, m/s, that of the joints: charts then reach no further
  // in time than these move.
  void set_home(double t, const Eigen::VectorXd& q, double speed = 0.0);
  // At a displacement, with the same unit of time.
  Home home_at(const Eigen::VectorXd& x) const {
    return {time_at(x), displaced(x), home_.clock_rate};
  }
  // The time at a displacement.
  double time_at(const Eigen::VectorXd& x) const {
    return has_drives_ ? home_.t + x(x.size() - 1) / home_.clock_rate : home_.t;
  }

  // The loops at a displacement.
  struct Gaps {
    Eigen::VectorXd phi;  // m
    Eigen::MatrixXd J;    // dphi/dx
  };
  virtual Gaps gaps(const Eigen::VectorXd& x) = 0;

  // The coordinates of the model at a displacement; those outside the block are at home.
  virtual Eigen::VectorXd displaced(const Eigen::VectorXd& x) const = 0;
  // The displacement that leads to the coordinates q of the model at the time t.
  virtual Eigen::VectorXd displacement_to(double t, const Eigen::VectorXd& q) const = 0;
  // The rate of the displacement, m/s, at home, of velocities of the model.
  Eigen::VectorXd displacement_rate(const Eigen::VectorXd& v) const;
  // m/s, of the joint that moves most.
  double speed(const Eigen::VectorXd& v) const;
  // Velocities of the model move it.
  bool moves(const Eigen::VectorXd& v) const;
  // The velocities of the block, rad/s and m/s, of a rate of change of the displacement.
  virtual Eigen::VectorXd velocities(const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& x_rate) const = 0;
  // Their rates, of the first and second rate of change of the displacement.
  Eigen::VectorXd accelerations(const Eigen::VectorXd& x, const Eigen::VectorXd& x_rate,
                                const Eigen::VectorXd& x_rate_rate) const;

 protected:
  virtual double opening_speed_of_drives() = 0;  // m/s, at home

  std::vector<int> coordinates_, velocities_, rows_, joints_, cuts_;
  std::vector<double> per_metre_;  // of each velocity: rad or m for each metre of displacement
  Home home_;
  double length_ = 1.0;
  bool has_drives_ = false;
  bool has_quasi_velocities_ = false;
};

// The blocks of a model; what belongs to no loop is in none. The model must outlive them.
std::vector<std::unique_ptr<LoopBlock>> loop_blocks(const Model& model);

}  // namespace hamiltree::branches
