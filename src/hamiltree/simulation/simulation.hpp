// Simulation: a Model in motion. Joins a formulation and an integrator, keeps loops closed and
// momenta in a clean gauge at every accepted step, watches energy and residuals, and tells a
// Recorder.
#pragma once

#include <functional>
#include <memory>

#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/checkpoint.hpp"
#include "hamiltree/simulation/options.hpp"
#include "hamiltree/simulation/recording.hpp"
#include "hamiltree/simulation/state.hpp"

namespace hamiltree {

class Simulation {
 public:
  // Assembles the initial state. Throws ModelError if a loop cannot close, UsageError for options
  // that do not fit the model or each other. `elsewhere` makes an integrator of the
  // caller's for options.integrator.
  explicit Simulation(const Model& model, SimulationOptions options = {},
                      MakeIntegrator elsewhere = {});
  // Starts from a state of the user's. Throws UsageError if its loops are open or its sizes are
  // not the model's.
  Simulation(const Model& model, SimulationOptions options, const State& start);
  // Stands where the checkpoint was made, of the same model. Throws UsageError if it is of another.
  static Simulation from_checkpoint(const Model& model, const Checkpoint& checkpoint);
  ~Simulation();
  Simulation(Simulation&&) noexcept;

  const Model& model() const;
  State state() const;

  // sigma at the end of the last accepted step, before the reset: with a reset after every step it
  // is the impulse of the reaction over the step, the integral of lambda dt, for every row of cuts
  // and couplings (N s and N m s). Zero of formulations in velocity form; NaN after steps along a
  // branch through a singular pose, where nothing bounds it.
  const Eigen::VectorXd& step_impulses() const;

  // m: how far any loop, or joint between floating segments, was open at most, over the accepted
  // steps so far; 0 without any.
  double worst_residual() const;

  // Called after every accepted step with the time reached.
  void on_step(std::function<void(double t)> observer);

  // Every `every` seconds of simulated time the integrator is restarted and `keep` is called with
  // what the rest of the run depends on.
  void on_checkpoint(double every, std::function<void(const Checkpoint&)> keep);
  Checkpoint checkpoint() const;

  // At the times that next(now) gives, at once where one has passed, the integrator is restarted,
  // after `reached` was called with the state and its velocities: forces may then be others.
  void on_times(std::function<double(double now)> next,
                std::function<void(const State& state, const Eigen::VectorXd& v)> reached);

  // Integrates to `until`, recording the state now, every `every` seconds and at the end. Outputs
  // within a step are interpolated, see dense_output of SimulationOptions; methods with a fixed
  // step go to them. `every` <= 0: 1/500 of the way, in whole fixed steps; kEveryStep: see there.
  // An event may end the run earlier. Throws SimulationError; the recorder has then been given what
  // was reached, the last good state too, status "failed".
  void run_until(double until, double every, Recorder& recorder);
  Recording run_until(double until, double every = 0.0);
  // The remaining work of run_until() when the checkpoint was made.
  void resume(Recorder& recorder);

 private:
  class Run;
  explicit Simulation(std::unique_ptr<Run> run);
  std::unique_ptr<Run> run_;
};

}  // namespace hamiltree
