// BranchMotion: a mechanism on branches through singular poses, as the differential equation that
// an integrator solves. y holds the coordinates outside the blocks and the parameters of the
// charts, the velocities in the same order, and the work done so far where the model is not
// conservative.
#pragma once

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "hamiltree/integrators/ode_problem.hpp"
#include "hamiltree/simulation/branches/branch_dynamics.hpp"
#include "hamiltree/simulation/branches/singular_pose.hpp"

namespace hamiltree::branches {

// A block of loops and the branch that it is on.
struct OnBranch {
  LoopBlock* block = nullptr;  // with its home at the singular pose
  const BranchChart* chart = nullptr;
};

class BranchMotion final : public OdeProblem {
 public:
  // The blocks, the charts and the dynamics must outlive it.
  BranchMotion(BranchDynamics& dynamics, std::vector<OnBranch> branches, bool conservative);

  // y at the coordinates q and velocities v of the model, which are on the branches.
  Eigen::VectorXd start(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        const Power& work);
  // The coordinates, velocities and work that y says.
  struct Whole {
    Eigen::VectorXd q, v;
    Power work;
  };
  Whole whole(const double* y);

  BranchDynamics::Accelerations accelerations(double t, const double* y);

  const std::vector<OnBranch>& branches() const { return branches_; }
  // Those of which y has not come as far as where they are to be handed over.
  std::vector<OnBranch> not_left(const double* y) const;
  // s: no chart is left before, by what its parameters and their first two rates say.
  double time_within_reach(double t, const double* y);
  // Evaluations of rates since this was last asked.
  long take_evaluations() { return std::exchange(evaluations_, 0); }

  int size() const override { return coordinates_ + velocities_ + integrals_; }
  int coordinates() const override { return coordinates_; }
  int integrals() const override { return integrals_; }
  bool rate(double t, const double* y, double* y_dot) override;
  void weights(const Tolerances& tolerances, const double* y, double* weights) const override;
  bool accept(double t, double* y) override;

 private:
  struct Point {
    Eigen::VectorXd q, u;
    std::vector<Freedom> freedoms;
  };
  Point point(const double* y) const;
  Eigen::VectorXd parameters(const double* y, int of_branch) const;
  // The distance of y from the singular pose, in units of the chart's radius.
  double share_of_reach(const double* y, int of_branch) const;
  int dimensions() const;
  void keep_time(double t, double* parameters);

  BranchDynamics& dynamics_;
  std::vector<OnBranch> branches_;
  std::vector<int> coordinates_outside_;
  int coordinates_ = 0, velocities_ = 0, integrals_ = 0;
  double length_ = 1.0;
  long evaluations_ = 0;
};

}  // namespace hamiltree::branches
