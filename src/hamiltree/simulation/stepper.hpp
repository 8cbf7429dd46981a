// Stepper: takes the steps of a run, next to singular poses along a branch of the motion, elsewhere
// by the method of the options.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamiltree/integrators/auto_steps.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/branches/branch_integrator.hpp"
#include "hamiltree/simulation/branches/branches.hpp"
#include "hamiltree/simulation/diagnostics.hpp"
#include "hamiltree/simulation/events.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/options.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree {

class Stepper {
 public:
  // `elsewhere` makes an integrator of the caller's for options.integrator. The other arguments
  // belong to the run and must outlive the stepper.
  Stepper(const SimulationOptions& options, MakeIntegrator elsewhere, MechanismOde& motion,
          Events& events, Diagnostics& diagnostics);
  Stepper(const Stepper&) = delete;  // the motion calls it back
  Stepper& operator=(const Stepper&) = delete;

  // Begins a motion and an integrator that know nothing of what was before. `given`: velocities may
  // be those of the model file. Returns notes for the summary.
  std::vector<std::string> start(const State& state, const Eigen::VectorXd& v, const Power& work,
                                 bool given = false);
  // The same within a run: the counts so far are kept.
  void restart(const State& state, const Eigen::VectorXd& v, const Power& work);

  // Notes on rows that contradict each other at a start.
  std::vector<std::string> contradictions(const State& state);

  // That driven loops cannot follow their drives beyond the time at which a step failed, or
  // nothing.
  std::string out_of_reach(double t);

  // One step that does not go beyond `stop`.
  void step(double stop);
  // The state y at t within the last step, where a step may end: on the loops. Throws
  // SimulationError where it is not finite.
  void interpolate(double t, double* y);
  // Decides after an accepted step what takes the next one: near a singular pose the motion goes on
  // along its branch, beyond it with the rows of its loops. `pivot`: the least at the end of the
  // step.
  void change_branches(double pivot);

  Integrator& integrator() const { return *integrator_; }
  // The sum over all integrators so far.
  IntegratorCounts counts() const;

 private:
  void leave_branches();
  void start_off_branches(const State& state, const Eigen::VectorXd& v, const Power& work);
  void start_on_branches(const State& state, const Eigen::VectorXd& v, const Power& work,
                         const std::vector<branches::OnBranch>& on);
  std::unique_ptr<Integrator> make_steps(double t, const double* y);
  void judge_pivots(const State& state, const Eigen::VectorXd& v, const Power& work,
                    const double* y);
  void look_along_branches();
  void follow_auto();

  const SimulationOptions& options_;
  MakeIntegrator elsewhere_;  // none: options_.integrator
  MechanismOde& motion_;
  Events& events_;
  Diagnostics& diagnostics_;
  std::optional<branches::Branches> branches_;
  double pivot_unit_ = 1.0;  // of pivots that light bodies make small, not the pose
  std::unique_ptr<Integrator> integrator_;
  branches::BranchIntegrator* on_branches_ = nullptr;  // integrator_, while it is one
  AutoSteps* auto_steps_ = nullptr;                    // the same
};

}  // namespace hamiltree
