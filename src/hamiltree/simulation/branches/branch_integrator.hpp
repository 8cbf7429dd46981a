// BranchIntegrator: integrates a mechanism along branches through singular poses, until it has left
// one of them or comes to another, in parameters in which these poses are like any other.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <vector>

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/branches/branch_motion.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree::branches {

class BranchIntegrator final : public Integrator {
 public:
  // y as others see it, for a state, its velocities and the work done so far.
  using Show = std::function<Eigen::VectorXd(const State&, const Eigen::VectorXd&, const Power&)>;

  BranchIntegrator(std::unique_ptr<BranchMotion> motion, BranchDynamics& dynamics,
                   const Tolerances& tolerances, double t, const Eigen::VectorXd& q,
                   const Eigen::VectorXd& v, const Power& work, Show show);

  const std::vector<OnBranch>& branches() const { return motion_->branches(); }
  // Those whose blocks are not yet beyond where they are to be handed over.
  std::vector<OnBranch> not_left() const { return motion_->not_left(inner_->y()); }

  void step(double stop) override;
  double time() const override { return inner_->time(); }
  const double* y() const override { return y_.data(); }
  Step last_step() const override { return inner_->last_step(); }
  IntegratorCounts counts() const override { return inner_->counts(); }

  State state() const { return {time(), whole_.q, p_}; }
  const BranchMotion::Whole& whole() const { return whole_; }
  long take_evaluations() { return motion_->take_evaluations(); }

 private:
  void look();

  std::unique_ptr<BranchMotion> motion_;
  BranchDynamics& dynamics_;
  Show show_;
  std::unique_ptr<Integrator> inner_;
  BranchMotion::Whole whole_;
  Eigen::VectorXd p_, y_;
};

}  // namespace hamiltree::branches
