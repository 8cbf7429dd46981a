#include "hamiltree/simulation/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/integrators/require_positive.hpp"
#include "hamiltree/simulation/chosen_formulation.hpp"
#include "hamiltree/simulation/events.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "hamiltree/simulation/step_ends.hpp"
#include "hamiltree/simulation/step_guard.hpp"
#include "hamiltree/simulation/stepper.hpp"
#include "hamiltree/simulation/summary_of.hpp"

namespace hamiltree {
namespace {

constexpr double kLeastTime = 1e-100;  // s: integrators multiply durations
constexpr double kOpenAtStart = 1e-6;  // of the mechanism's length

}  // namespace

class Simulation::Run {
 public:
  Run(const Model& model, SimulationOptions options, MakeIntegrator elsewhere)
      : Run(model, std::move(options), std::move(elsewhere), initial_state(model)) {}

  Run(const Model& model, SimulationOptions options, MakeIntegrator elsewhere,
      const InitialState& initial)
      : options_(with_formulation(model, initial.q, std::move(options))),
        motion_(model, options_, diagnostics_),
        events_(model, options_),
        stepper_(options_, std::move(elsewhere), motion_, events_, diagnostics_) {
    start_here({0.0, initial.q, initial.p}, initial.v, true);
  }

  Run(const Model& model, SimulationOptions options, const State& state)
      : Run(model, std::move(options), state, velocities_of(model, state)) {}

  Run(const Model& model, SimulationOptions options, const State& state, const Eigen::VectorXd& v)
      : options_(with_formulation(model, state.q, std::move(options))),
        motion_(model, options_, diagnostics_),
        events_(model, options_),
        stepper_(options_, {}, motion_, events_, diagnostics_) {
    start_here(state, v, false);
    const double gap = diagnostics_.position_residual;
    const double length = model.visit([](const auto& system) { return system.length; });
    if (!(gap <= kOpenAtStart * length)) {
      throw UsageError("cannot start from a state in which loops are open by " + to_text(gap) +
                       " m");
    }
  }

  Run(const Model& model, const Checkpoint& checkpoint)
      : options_(checkpoint.options),
        motion_(model, options_, diagnostics_),
        events_(model, options_),
        stepper_(options_, {}, motion_, events_, diagnostics_),
        schedule_(checkpoint.schedule) {
    if (motion_.formulation().plan() != checkpoint.plan ||
        checkpoint.state.q.size() != model.coordinate_count() ||
        checkpoint.state.p.size() != model.velocity_count() ||
        checkpoint.v.size() != model.velocity_count() ||
        checkpoint.outside_q.size() != motion_.outside_q().size()) {
      throw UsageError("the checkpoint is not one of " + model.name() + ": it was made with " +
                       checkpoint.plan);
    }
    diagnostics_ = checkpoint.diagnostics;
    find_scales();
    motion_.follow_from(checkpoint.outside_q);
    stepper_.start(checkpoint.state, checkpoint.v, checkpoint.work);
  }

  void run_until(double until, double every, Recorder& recorder) {
    const double now = integrator().time();
    if (!(until >= now) || !std::isfinite(until)) {
      throw UsageError("cannot run until " + to_text(until) + " s: the simulation stands at " +
                       to_text(now) + " s");
    }
    if (until > now && until - now < kLeastTime) {
      throw UsageError("cannot run until " + to_text(until) + " s: the shortest run takes " +
                       to_text(kLeastTime) + " s");
    }
    const double checkpoint_every = schedule_.checkpoint_every;
    schedule_ = outputs_until(now, until, every, step_of(options_.integrator));
    schedule_.checkpoint_every = checkpoint_every;
    note_cut_steps(schedule_.every);
    resume(recorder);
  }

  void resume(Recorder& recorder) {
    running_since_ = Clock::now();
    std::string error, body;
    double failed_at = 0.0;
    stopped_by_.clear();
    recorded_until_ = -std::numeric_limits<double>::infinity();
    recorder.begin(make_header(motion_.model()));
    try {
      integrate(recorder);
    } catch (const SimulationError& failure) {
      error = failure.what();
      failed_at = failure.time();
      if (const auto b = motion_.where_not_finite()) {
        body = model().body_name(*b);
        error += " (first at joint \"" + model().joint_name(*b) + "\")";
      }
      if (const auto why = stepper_.out_of_reach(failed_at); !why.empty()) error += ": " + why;
      record_last_good(recorder);
    }
    diagnostics_.wall_seconds = wall_seconds();
    running_since_.reset();
    recorder.finish(summary(error));
    if (!error.empty()) throw SimulationFailed(failed_at, error, body);
  }

  Checkpoint checkpoint() {
    const double t = integrator().time();
    Checkpoint c;
    c.options = options_;
    c.schedule = schedule_;
    c.state = motion_.state(t, integrator().y());
    c.v = motion_.v();
    motion_.follow();
    c.outside_q = motion_.outside_q();
    c.work = motion_.work(t, integrator().y());
    c.diagnostics = diagnostics_;
    c.diagnostics.counts = stepper_.counts();
    c.diagnostics.wall_seconds = wall_seconds();
    c.plan = motion_.formulation().plan();
    return c;
  }
  void on_checkpoint(double every, std::function<void(const Checkpoint&)> keep) {
    require_positive(every, "the time between checkpoints");
    schedule_.checkpoint_every = every;
    keep_ = std::move(keep);
  }

  void on_times(std::function<double(double)> next,
                std::function<void(const State&, const Eigen::VectorXd&)> reached) {
    next_time_ = std::move(next);
    reached_ = std::move(reached);
    find_time_to_reach(integrator().time());
  }

  const Model& model() const { return motion_.model(); }
  double worst_residual() const { return diagnostics_.constraint.position_max; }
  State state() { return motion_.state(integrator().time(), integrator().y()); }
  const Eigen::VectorXd& step_impulses() const { return motion_.step_impulses(); }
  void on_step(std::function<void(double)> observer) { observer_ = std::move(observer); }

 private:
  using Clock = std::chrono::steady_clock;

  Integrator& integrator() const { return stepper_.integrator(); }

  // An error whose text is complete already.
  struct SimulationFailed : SimulationError {
    SimulationFailed(double time, const std::string& text, const std::string& body)
        : SimulationError(time, "", body), text_(text) {}
    const char* what() const noexcept override { return text_.c_str(); }
    std::string text_;
  };

  void start_here(const State& state, const Eigen::VectorXd& v, bool given) {
    const auto of_start = stepper_.start(state, v, {}, given);
    find_scales();
    diagnostics_.energy.start(diagnostics_.kinetic, diagnostics_.potential);
    diagnostics_.notes = motion_.notes(state.t, integrator().y());
    for (const auto& notes : {of_start, stepper_.contradictions(state)})
      diagnostics_.notes.insert(diagnostics_.notes.end(), notes.begin(), notes.end());
  }

  // Scales of energies, beside those of the motion.
  void find_scales() {
    auto& energy = diagnostics_.energy;
    energy.weight = motion_.guard().weight();
    energy.turning = energy.weight > 0.0 ? 0.0 : motion_.guard().turning();
  }

  void restart_at(double t, const double* y) {
    const auto state = motion_.state(t, y);
    stepper_.restart(state, Eigen::VectorXd(motion_.v()), motion_.work(t, y));
  }

  double wall_seconds() const {
    if (!running_since_) return diagnostics_.wall_seconds;
    const std::chrono::duration<double> now = Clock::now() - *running_since_;
    return diagnostics_.wall_seconds + now.count();
  }

  void integrate(Recorder& recorder) {
    const auto go_on = [&](double output) {
      const double now = integrator().time();
      const double time_to_reach = schedule_.in_step(time_to_reach_);
      if (now < std::min(time_to_reach, schedule_.checkpoint_time())) return step(output, recorder);
      if (now >= time_to_reach) {
        reach_time();
      } else {
        make_checkpoint();
      }
      return true;
    };
    schedule_.run([&] { return integrator().time(); }, go_on, [&] { record(recorder); });
  }

  bool is_dense() const { return options_.dense_output && integrator().has_dense_output(); }

  // One step, and what there is to record of it but its end. False where an event ends the run.
  bool step(double output, Recorder& recorder) {
    const double stop = is_dense() ? schedule_.until : output;
    const auto before = balance();
    const double end =
        std::min({stop, schedule_.checkpoint_time(), schedule_.in_step(time_to_reach_)});
    stepper_.step(step_ends_.next(motion_, integrator(), end));
    const double t = integrator().time();
    check_step(t, before);
    const auto step = integrator().last_step();
    const double pivot = motion_.least_pivot();  // before others are looked at
    recorder.step({t, step.size, step.order});
    if (!record_step(recorder)) return false;
    if (schedule_.every_step && t < schedule_.until) record(recorder);
    if (observer_) observer_(t);
    stepper_.change_branches(pivot);
    return true;
  }

  // Checks of steps that could not be refused, or were not refused one by one.
  void check_step(double t, const Balance& before) {
    const auto& guard = motion_.guard();
    const double* y = integrator().y();
    const auto contradict = [&] { return motion_.contradicts(t, y); };
    const OpenLoops loops{[this] { return motion_.widest_gap(); }, std::ref(contradict)};
    end_if(t, guard.open_loop(diagnostics_.position_residual, loops));
    end_if(t, guard.jump(integrator().last_step().size, before, balance(), loops));
    const auto work = motion_.work(t, y);
    end_if(t,
           guard.drift(stepper_.counts().steps, diagnostics_.energy,
                       std::abs(work.driven) + std::abs(work.applied) + std::abs(work.dissipated),
                       loops));
    check_pace(t);
  }

  // Measured from the first step on after a start or a resumption.
  void check_pace(double t) {
    const long steps = stepper_.counts().steps;
    if (!pace_) pace_ = Pace{steps, t};
    if (steps - pace_->steps < StepGuard::kStretch) return;
    const double took = t - pace_->since;
    end_if(t, StepGuard::standstill(took, pace_->longest));
    pace_ = {steps, t, std::max(pace_->longest, took)};
  }

  // The state is no good one to be recorded.
  void end_if(double t, const std::string& why) {
    if (why.empty()) return;
    recorded_until_ = std::numeric_limits<double>::infinity();
    throw SimulationError(t, why + motion_.singular_pose());
  }

  Balance balance() {
    return {diagnostics_.kinetic, diagnostics_.potential,
            total(motion_.work(integrator().time(), integrator().y()))};
  }

  // Outputs and events of the last step. False where one of the events ends the run, which then
  // stands there.
  bool record_step(Recorder& recorder) {
    if (events_.empty()) {
      while (is_output_due()) recorder.sample(next_output_of_step());
      return true;
    }
    std::vector<Sample> outputs;
    while (is_output_due()) outputs.push_back(next_output_of_step());
    auto output = outputs.begin();
    const auto record_until = [&](double t) {
      for (; output != outputs.end() && output->t < t; ++output) recorder.sample(*output);
    };
    const auto& described = motion_.model().mechanism().events;
    for (const auto& found :
         events_.crossings(motion_, outputs, integrator().time(), integrator().y())) {
      const auto& event = described[at(found.event)];
      record_until(found.t);
      diagnostics_.events.push_back({event.name, found.t});
      if (event.stops) {
        restart_at(found.t, found.y.data());
        record(recorder);
        stopped_by_ = event.name;
        return false;
      }
      record_at(found.t, found.y.data(), recorder);
    }
    record_until(integrator().time());
    return true;
  }

  // Within the last step; at its end outputs are of the state itself.
  bool is_output_due() const { return schedule_.output_time() < integrator().time(); }
  Sample next_output_of_step() {
    const double t = schedule_.output_time();
    ++schedule_.next_output;
    Eigen::VectorXd y(motion_.size());
    stepper_.interpolate(t, y.data());
    return motion_.sample(t, y.data());
  }

  void make_checkpoint() {
    ++schedule_.next_checkpoint;
    const auto made = checkpoint();
    stepper_.restart(made.state, made.v, made.work);
    if (keep_) keep_(made);
  }

  void find_time_to_reach(double now) {
    time_to_reach_ = next_time_(now);
    if (std::isnan(time_to_reach_)) throw UsageError("the time that a run is to reach next is nan");
  }

  void reach_time() {
    const double t = integrator().time();
    const auto state = motion_.state(t, integrator().y());
    const Eigen::VectorXd v = motion_.v();
    const auto work = motion_.work(t, integrator().y());
    reached_(state, v);
    find_time_to_reach(t);
    stepper_.restart(state, v, work);
  }

  // Not where what failed is to record it.
  void record_last_good(Recorder& recorder) {
    if (!(integrator().time() > recorded_until_)) return;
    try {
      record(recorder);
    } catch (const SimulationError&) {
    }
  }

  void record(Recorder& recorder) { record_at(integrator().time(), integrator().y(), recorder); }

  void record_at(double t, const double* y, Recorder& recorder) {
    recorder.sample(motion_.sample(t, y));
    recorded_until_ = t;
  }

  // Fixed steps go to output times: one that does not fit is cut short there.
  void note_cut_steps(double every) {
    const auto step = step_of(options_.integrator);
    if (!step) return;
    const double count = every / *step;
    if (std::abs(count - std::round(count)) <= 1e-6 * count) return;
    diagnostics_.notes.push_back("steps of " + to_text(*step) +
                                 " s are cut short at output times, each " + to_text(every) +
                                 " s: no whole number of steps");
  }

  Summary summary(const std::string& error) {
    auto s = summary_of(options_, diagnostics_, motion_, integrator(), stepper_.counts());
    s.status = error.empty() ? "completed" : "failed";
    s.error = error;
    s.until = schedule_.until;
    s.stopped_by = stopped_by_;
    return s;
  }

  SimulationOptions options_;
  Diagnostics diagnostics_;
  MechanismOde motion_;
  Events events_;
  Stepper stepper_;
  StepEnds step_ends_{motion_.model(), options_.integrator};
  Schedule schedule_;
  struct Pace {
    long steps = 0;        // before the present stretch of steps
    double since = 0.0;    // s, when it began
    double longest = 0.0;  // s, of those before
  };
  std::optional<Pace> pace_;
  std::string stopped_by_;
  double recorded_until_ = 0.0;                     // s, by the recorder of now
  std::optional<Clock::time_point> running_since_;  // while it integrates
  std::function<void(double)> observer_;
  std::function<double(double)> next_time_;
  std::function<void(const State&, const Eigen::VectorXd&)> reached_;
  double time_to_reach_ = std::numeric_limits<double>::infinity();
  std::function<void(const Checkpoint&)> keep_;
};

Simulation::Simulation(const Model& model, SimulationOptions options, MakeIntegrator elsewhere)
    : run_(std::make_unique<Run>(model, std::move(options), std::move(elsewhere))) {}
Simulation::Simulation(const Model& model, SimulationOptions options, const State& start)
    : run_(std::make_unique<Run>(model, std::move(options), start)) {}
Simulation::Simulation(std::unique_ptr<Run> run) : run_(std::move(run)) {}
Simulation Simulation::from_checkpoint(const Model& model, const Checkpoint& checkpoint) {
  return Simulation(std::make_unique<Run>(model, checkpoint));
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

const Model& Simulation::model() const { return run_->model(); }
State Simulation::state() const { return run_->state(); }
const Eigen::VectorXd& Simulation::step_impulses() const { return run_->step_impulses(); }
double Simulation::worst_residual() const { return run_->worst_residual(); }
void Simulation::on_step(std::function<void(double)> observer) {
  run_->on_step(std::move(observer));
}
void Simulation::on_checkpoint(double every, std::function<void(const Checkpoint&)> keep) {
  run_->on_checkpoint(every, std::move(keep));
}
void Simulation::on_times(std::function<double(double)> next,
                          std::function<void(const State&, const Eigen::VectorXd&)> reached) {
  run_->on_times(std::move(next), std::move(reached));
}
Checkpoint Simulation::checkpoint() const { return run_->checkpoint(); }
void Simulation::resume(Recorder& recorder) { run_->resume(recorder); }
void Simulation::run_until(double until, double every, Recorder& recorder) {
  run_->run_until(until, every, recorder);
}
Recording Simulation::run_until(double until, double every) {
  Recording recording;
  run_->run_until(until, every, recording);
  return recording;
}

}  // namespace hamiltree
