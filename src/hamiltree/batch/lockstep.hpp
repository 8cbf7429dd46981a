// Lockstep: whole runs of up to eight mechanisms of revolutes side by side, by an explicit method
// with a fixed step. Each run is what it would be beside any others, bit for bit.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hamiltree/batch/revolute_lanes.hpp"
#include "hamiltree/batch/revolute_mechanism.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/options.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/recording.hpp"

namespace hamiltree {

// Whether runs of a mechanism can go in lockstep: by "recursive" with euler, semi_implicit_euler or
// rk4 and nothing beside the steps but projection and reset; without events and reactions, which
// concern one run, and without forces but gravity, whose work is integrated along.
bool fits_lockstep(const Model& model, const SimulationOptions& options);

struct LockstepRun {
  Model model;
  RevoluteMechanism revolutes;  // of the model; alike in all runs
  Eigen::VectorXd q, p;         // at the start
};

class Lockstep {
 public:
  Lockstep(std::span<const LockstepRun> runs, const SimulationOptions& options);

  // Integrates all to `until`, as Simulation::run_until; each recorder hears of its run. Calls
  // `between` at every output. False for a run that does not stay finite, whose recorder has then
  // not been told that it finished.
  std::vector<bool> run_until(double until, double every, std::span<Recorder* const> recorders,
                              const std::function<void()>& between);

 private:
  class Problem;

  void follow_turns(double t);
  void record(double t, const double* y, std::span<Recorder* const> recorders);

  std::span<const LockstepRun> runs_;
  SimulationOptions options_;
  RevoluteLanes lanes_;
  std::size_t coordinates_, velocities_;
  std::vector<Pack> q_, p_, v_, q_dot_, p_dot_;
  bool counts_turns_ = false;
  std::vector<Pack> followed_;  // q where turns of joints that close loops were followed
  std::vector<std::unique_ptr<Probe>> probes_;
  std::vector<bool> finite_;
};

}  // namespace hamiltree
