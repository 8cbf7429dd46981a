// DifferentiableRun: a run of a model whose samples can be differentiated with respect to its
// start, to parameters of the model and to efforts: exactly for the steps that were taken, loops
// closed and momenta reset after each. An objective of any kind is a function of the samples: its
// derivatives with respect to them are cotangents, which gradient() pulls back through the run, at
// the cost of 3 to 14 simulations whatever the number of parameters; tangents() goes the other
// way, for one direction.
//
// The start is brought onto the closed loops, at the same velocities as near as the loops allow,
// so that it follows the parameters.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "hamiltree/sensitivity/run_options.hpp"
#include "hamiltree/sensitivity/step_map.hpp"
#include "hamiltree/sensitivity/trajectory.hpp"
#include "hamiltree/simulation/step_guard.hpp"

namespace hamiltree::sensitivity {

class DifferentiableRun {
 public:
  // Runs from coordinates q and velocities v. Throws UsageError for options that do
  // not fit the model, SimulationError where the run fails or passes near a singular pose.
  DifferentiableRun(const Model& model, RunOptions options, const Vector& q, const Vector& v);
  DifferentiableRun(const DifferentiableRun&) = delete;
  DifferentiableRun& operator=(const DifferentiableRun&) = delete;

  const RunSamples& samples() const { return samples_; }
  const Model& model() const { return model_; }
  const RunOptions& options() const { return options_; }
  const Vector& start_q() const { return start_.projections.front().given; }  // as it was given
  const Vector& start_v() const { return start_.v; }
  std::size_t steps() const { return trajectory_.steps(); }
  const std::vector<double>& times() const { return trajectory_.t; }  // where steps begin and end
  // The memory of the states that are kept at a time.
  std::size_t kept_bytes() const;
  // The memory of the steps that are kept beside them.
  std::size_t step_bytes() const { return step_bytes_; }
  // The names of the readings: channels of all sensors but those of reactions.
  std::vector<std::string> reading_names() const;
  // Trapezoidal weights of the samples: their sum with values is the integral over time.
  Vector weights() const;

  // The gradient of an objective with these derivatives with respect to the samples. Throws
  // UsageError for sizes that are not those of the samples.
  RunChange gradient(const RunSamples& cotangents);
  // The samples' derivatives along a change of start, parameters and efforts; empty parts rest.
  RunSamples tangents(const RunChange& direction);

 private:
  struct Start {
    std::vector<Projection> projections;
    Vector q, v, p;  // closed; v as given, and its momenta
    Reset reset;
  };
  struct KeptState {
    Vector q, p;
  };
  struct Sample {
    double t = 0.0;
    KeptState state;
    Vector v, readings;
  };

  void prepare();
  Redundancy close_start(const Vector& q, const Vector& v);
  double project_start(const Vector& q);
  // Throws SimulationError where a step has left loops open that a simulation would not go on with.
  void check_loops(double t, const TakenStep& step, const StepGuard& guard, bool is_redundant);
  void keep(const TakenStep& step);
  Sample sample_of(double t, const KeptState& state);
  void join(const std::vector<Sample>& samples);
  void take_step(const Trajectory& trajectory, std::size_t n, const Vector& q, const Vector& p,
                 TakenStep& step);
  // Calls visit(n, step) for the steps n = steps() - 1 down to 0.
  template <class Visit>
  void backwards(const Visit& visit);
  Vector generalized(const Columns& efforts, Eigen::Index part) const;
  void check_cotangents(const RunSamples& cotangents) const;
  void pull_sample(Eigen::Index row, const Reset& at, const RunSamples& cotangents,
                   StateChange& change);
  void push_sample(Eigen::Index row, const Reset& at, const StateChange& change,
                   RunSamples& tangents);
  void pull_start(StateChange& change, RunChange& gradient);
  StateChange push_start(const RunChange& direction);
  // f(row) for each sample that is taken after n steps.
  template <class F>
  void for_samples(std::size_t n, const F& f) const;

  Model model_;
  RunOptions options_;
  std::vector<int> control_velocities_;  // entries of v
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<StepDerivatives> derivatives_;
  std::unique_ptr<StepMap> map_;
  Columns generalized_;  // efforts by velocity, a row for each part
  Start start_;
  Trajectory trajectory_;
  std::vector<KeptState> states_;  // after each step, unless there are checkpoints
  std::vector<TakenStep> steps_;   // the first ones
  std::size_t step_bytes_ = 0;
  RunSamples samples_;
};

}  // namespace hamiltree::sensitivity
