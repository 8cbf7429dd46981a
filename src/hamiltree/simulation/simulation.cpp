#include "hamiltree/simulation/simulation.hpp"

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/motion.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree {

class Simulation::Run {
 public:
  Run(const Model& model, SimulationOptions options)
      : options_(std::move(options)), motion_(model, options_, diagnostics_) {
    const auto initial = initial_state(model);
    const auto y = motion_.start({0.0, initial.q, initial.p}, initial.v, {});
    diagnostics_.energy.start(diagnostics_.kinetic, diagnostics_.potential);
    diagnostics_.notes = motion_.not_unique_notes(0.0, y.data());
    integrator_ = make_integrator(options_.integrator, motion_, 0.0, y.data());
  }

  void run_until(double until, double every, Recorder& recorder) {
    if (!(until >= integrator_->time()) || !std::isfinite(until)) {
      throw UsageError("cannot run until " + to_text(until) + " s: the simulation stands at " +
                       to_text(integrator_->time()) + " s");
    }
    const double start = integrator_->time();
    if (!(every > 0.0)) every = (until - start) / 500.0;
    note_cut_steps(every);
    const auto clock = std::chrono::steady_clock::now();
    std::string error;
    double failed_at = 0.0;
    recorder.begin(make_header(motion_.model()));
    try {
      record(recorder);
      // Output times are multiples of `every`, so that they carry no accumulated rounding.
      for (long i = 1; integrator_->time() < until; ++i) {
        double stop = start + static_cast<double>(i) * every;
        if (stop > until - 1e-9 * every) stop = until;
        march_to(stop, recorder);
        record(recorder);
      }
    } catch (const SimulationError& failure) {
      error = failure.what() + motion_.where_not_finite();
      failed_at = failure.time();
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - clock;
    diagnostics_.wall_seconds += wall.count();
    recorder.finish(summary(until, error));
    if (!error.empty()) throw SimulationFailed(failed_at, error);
  }

  const Model& model() const { return motion_.model(); }
  State state() { return motion_.state(integrator_->time(), integrator_->y()); }
  const Eigen::VectorXd& step_impulses() const { return motion_.step_impulses(); }
  void on_step(std::function<void(double)> observer) { observer_ = std::move(observer); }

 private:
  // An error whose text is complete already.
  struct SimulationFailed : SimulationError {
    SimulationFailed(double time, const std::string& text)
        : SimulationError(time, ""), text_(text) {}
    const char* what() const noexcept override { return text_.c_str(); }
    std::string text_;
  };

  void march_to(double stop, Recorder& recorder) {
    while (integrator_->time() < stop) {
      integrator_->step(stop);
      const auto step = integrator_->last_step();
      recorder.step({integrator_->time(), step.size, step.order});
      if (observer_) observer_(integrator_->time());
    }
  }

  void record(Recorder& recorder) {
    const double t = integrator_->time();
    const double* y = integrator_->y();
    Sample sample;
    sample.power = motion_.power(t, y);
    sample.work = motion_.work(y);
    const auto now = motion_.state(t, y);
    auto& probe = motion_.probe();
    sample.t = t;
    sample.q = now.q;
    sample.v = motion_.v();
    sample.p = now.p;
    sample.kinetic_energy = diagnostics_.kinetic;
    sample.potential_energy = diagnostics_.potential;
    sample.position_residual = diagnostics_.position_residual;
    sample.velocity_residual = diagnostics_.velocity_residual;
    bool known = false;  // accelerations are asked for at most once, and only by sensors
    probe.sensors([&](int joint) { return motion_.reaction(t, y, joint, known); }, sample.sensors);
    probe.poses(sample.poses);
    recorder.sample(sample);
  }

  // The state is stepped to output times: a fixed step that does not fit is cut short there.
  void note_cut_steps(double every) {
    const auto step = step_of(options_.integrator);
    if (!step) return;
    const double count = every / *step;
    if (std::abs(count - std::round(count)) <= 1e-6 * count) return;
    diagnostics_.notes.push_back("steps of " + to_text(*step) +
                                 " s are cut short at output times, each " + to_text(every) +
                                 " s: no whole number of steps");
  }

  Summary summary(double until, const std::string& error) {
    const auto& model = motion_.model();
    const auto& redundancy = motion_.redundancy();
    const auto& d = diagnostics_;
    Summary s;
    s.status = error.empty() ? "completed" : "failed";
    s.error = error;
    s.model.name = model.name();
    s.model.file = model.mechanism().where.file;
    s.model.space = model.space() == SpaceKind::kPlanar ? "planar" : "spatial";
    s.model.bodies = model.body_count();
    s.model.joints = model.joint_count();
    s.model.loops = model.loop_count();
    s.model.redundant_constraints = redundancy.redundant;
    s.model.degrees_of_freedom =
        model.velocity_count() - (redundancy.constraints - redundancy.redundant);
    s.model.length = model.visit([](const auto& system) { return system.length; });
    s.formulation = std::string(motion_.formulation().name());
    s.integrator.name = to_name(options_.integrator);
    if (const auto tolerances = tolerances_of(options_.integrator)) {
      s.integrator.rtol = tolerances->relative;
      s.integrator.atol = tolerances->absolute;
      s.integrator.weights = options_.weights == Weights::kInertia ? "inertia" : "equal";
    }
    s.integrator.step = step_of(options_.integrator).value_or(0.0);
    s.integrator.reset = options_.reset;
    s.integrator.projection = options_.projection;
    s.integrator.energy_scaling = options_.energy_scaling;
    s.integrator.leak = motion_.leak();
    s.integrator.baumgarte = options_.baumgarte;
    s.plan = motion_.formulation().plan();
    s.until = until;
    s.reached = integrator_->time();
    const auto counts = integrator_->counts();
    s.steps = d.counts.steps + counts.steps;
    s.rejected_steps = d.counts.rejected + counts.rejected;
    s.restarts = d.counts.restarts + counts.restarts;
    s.rate_evaluations = d.rate_evaluations;
    s.velocity_solves = d.velocity_solves;
    s.wall_seconds = d.wall_seconds;
    s.energy.initial = d.energy.initial;
    s.energy.work = motion_.work(integrator_->y());
    s.energy.max_error = d.energy.error;
    s.energy.max_relative_error = d.energy.relative_error();
    s.energy.conservative = motion_.integrals() == 0;
    s.constraint = d.constraint;
    s.notes = d.all_notes(integrator_->time());
    return s;
  }

  SimulationOptions options_;
  Diagnostics diagnostics_;
  Motion motion_;
  std::function<void(double)> observer_;
  std::unique_ptr<Integrator> integrator_;
};

Simulation::Simulation(const Model& model, SimulationOptions options)
    : run_(std::make_unique<Run>(model, std::move(options))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

const Model& Simulation::model() const { return run_->model(); }
State Simulation::state() const { return run_->state(); }
const Eigen::VectorXd& Simulation::step_impulses() const { return run_->step_impulses(); }
void Simulation::on_step(std::function<void(double)> observer) {
  run_->on_step(std::move(observer));
}
void Simulation::run_until(double until, double every, Recorder& recorder) {
  run_->run_until(until, every, recorder);
}
Recording Simulation::run_until(double until, double every) {
  Recording recording;
  run_->run_until(until, every, recording);
  return recording;
}

}  // namespace hamiltree
