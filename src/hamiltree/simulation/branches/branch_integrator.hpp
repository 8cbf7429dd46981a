// BranchIntegrator: integrates a mechanism along branches through singular poses, until it has left
// one of them or comes to another, in parameters in which these poses are like any other.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <vector>

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/branches/branch_motion.hpp"
#include "hamiltree/simulation/known_motion.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree::branches {

class BranchIntegrator final : public Integrator, public KnownMotion {
 public:
  // y as others see it, for a state, its velocities and the work done so far.
  using Show = std::function<Eigen::VectorXd(const State&, const Eigen::VectorXd&, const Power&)>;

  // `rows`: how many rows of loops and couplings are independent beside the poses.
  BranchIntegrator(std::unique_ptr<BranchMotion> motion, BranchDynamics& dynamics, int rows,
                   const Tolerances& tolerances, double t, const Eigen::VectorXd& q,
                   const Eigen::VectorXd& v, const Power& work, Show show);

  const std::vector<OnBranch>& branches() const { return motion_->branches(); }
  // Those whose blocks are not yet beyond where they are to be handed over.
  std::vector<OnBranch> not_left() const { return motion_->not_left(inner_->y()); }

  void step(double stop) override;
  double time() const override { return inner_->time(); }
  const double* y() const override { return end().y.data(); }
  Step last_step() const override { return inner_->last_step(); }
  IntegratorCounts counts() const override { return inner_->counts(); }
  // On the loops, as where a step ends.
  bool has_dense_output() const override { return true; }
  void interpolate(double t, double* y) override;

  State state() const { return {time(), end().whole.q, end().p}; }
  const BranchMotion::Whole& whole() const { return end().whole; }
  long take_evaluations() { return motion_->take_evaluations(); }

  // Of the end of the last step and of all that was interpolated within it.
  const Eigen::VectorXd* velocities(double t, const double* y) const override;
  Power power(double t, const double* y) override;
  std::vector<Reaction> reactions(double t, const double* y) override;

 private:
  struct Shown {
    double t = 0.0;
    Eigen::VectorXd inner;  // the motion's own y
    BranchMotion::Whole whole;
    Eigen::VectorXd p, y;
  };
  void keep(double t, Eigen::VectorXd inner);
  const Shown& end() const { return shown_.front(); }
  const Shown* find(double t, const double* y) const;

  std::unique_ptr<BranchMotion> motion_;
  BranchDynamics& dynamics_;
  int rows_;
  Show show_;
  std::unique_ptr<Integrator> inner_;
  std::vector<Shown> shown_;  // the end of the last step first
};

}  // namespace hamiltree::branches
