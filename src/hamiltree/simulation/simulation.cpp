#include "hamiltree/simulation/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/integrators/auto_steps.hpp"
#include "hamiltree/integrators/integrator.hpp"
#include "hamiltree/simulation/branches/branch_integrator.hpp"
#include "hamiltree/simulation/branches/branches.hpp"
#include "hamiltree/simulation/chosen_formulation.hpp"
#include "hamiltree/simulation/events.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "hamiltree/simulation/step_guard.hpp"
#include "hamiltree/simulation/summary_of.hpp"

namespace hamiltree {
namespace {

constexpr double kOpenAtStart = 1e-6;  // of the mechanism's length

// In units of the usual mask: where a lower one is worth it, and where pivots are rounding.
constexpr double kMaskMatters = 0.1, kLeastMaskShare = 1e-6;
constexpr Tolerances kTolerancesOnBranches{1e-9, 1e-9};  // of methods without tolerances

}  // namespace

class Simulation::Run {
 public:
  Run(const Model& model, SimulationOptions options, MakeIntegrator elsewhere)
      : Run(model, std::move(options), std::move(elsewhere), initial_state(model)) {}

  Run(const Model& model, SimulationOptions options, MakeIntegrator elsewhere,
      const InitialState& initial)
      : options_(with_formulation(model, initial.q, std::move(options))),
        elsewhere_(std::move(elsewhere)),
        motion_(model, options_, diagnostics_),
        events_(model, options_),
        branches_(branches_of(model)) {
    close_by_branches();
    start_here({0.0, initial.q, initial.p}, initial.v, true);
  }

  Run(const Model& model, SimulationOptions options, const State& state)
      : Run(model, std::move(options), state, velocities_of(model, state)) {}

  Run(const Model& model, SimulationOptions options, const State& state, const Eigen::VectorXd& v)
      : options_(with_formulation(model, state.q, std::move(options))),
        motion_(model, options_, diagnostics_),
        events_(model, options_),
        branches_(branches_of(model)) {
    close_by_branches();
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
        branches_(branches_of(model)),
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
    close_by_branches();
    motion_.follow_from(checkpoint.outside_q);
    start(checkpoint.state, checkpoint.v, checkpoint.work);
  }

  void run_until(double until, double every, Recorder& recorder) {
    const double now = integrator_->time();
    if (!(until >= now) || !std::isfinite(until)) {
      throw UsageError("cannot run until " + to_text(until) + " s: the simulation stands at " +
                       to_text(now) + " s");
    }
    const double checkpoint_every = schedule_.checkpoint_every;
    schedule_ = outputs_until(now, until, every);
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
      record_last_good(recorder);
    }
    diagnostics_.wall_seconds = wall_seconds();
    running_since_.reset();
    recorder.finish(summary(error));
    if (!error.empty()) throw SimulationFailed(failed_at, error, body);
  }

  Checkpoint checkpoint() {
    const double t = integrator_->time();
    Checkpoint c;
    c.options = options_;
    c.schedule = schedule_;
    c.state = motion_.state(t, integrator_->y());
    c.v = motion_.v();
    c.outside_q = motion_.outside_q();
    c.work = motion_.work(t, integrator_->y());
    c.diagnostics = diagnostics_;
    c.diagnostics.counts = counts();
    c.diagnostics.wall_seconds = wall_seconds();
    c.plan = motion_.formulation().plan();
    return c;
  }
  void on_checkpoint(double every, std::function<void(const Checkpoint&)> keep) {
    schedule_.checkpoint_every = every;
    keep_ = std::move(keep);
  }

  void on_times(std::function<double(double)> next,
                std::function<void(const State&, const Eigen::VectorXd&)> reached) {
    next_time_ = std::move(next);
    reached_ = std::move(reached);
    time_to_reach_ = next_time_(integrator_->time());
  }

  const Model& model() const { return motion_.model(); }
  double worst_residual() const { return diagnostics_.constraint.position_max; }
  State state() { return motion_.state(integrator_->time(), integrator_->y()); }
  const Eigen::VectorXd& step_impulses() const { return motion_.step_impulses(); }
  void on_step(std::function<void(double)> observer) { observer_ = std::move(observer); }

 private:
  using Clock = std::chrono::steady_clock;

  // An error whose text is complete already.
  struct SimulationFailed : SimulationError {
    SimulationFailed(double time, const std::string& text, const std::string& body)
        : SimulationError(time, "", body), text_(text) {}
    const char* what() const noexcept override { return text_.c_str(); }
    std::string text_;
  };

  void start_here(const State& state, const Eigen::VectorXd& v, bool given) {
    const auto notes = start(state, v, {}, given);
    diagnostics_.energy.weight = motion_.guard().weight();
    diagnostics_.energy.start(diagnostics_.kinetic, diagnostics_.potential);
    diagnostics_.notes = motion_.notes(state.t, integrator_->y());
    diagnostics_.notes.insert(diagnostics_.notes.end(), notes.begin(), notes.end());
  }

  // Segments and integrators from elsewhere pass singular poses as their rows allow.
  std::optional<branches::Branches> branches_of(const Model& model) const {
    if (elsewhere_ || options_.segments > 0) return std::nullopt;
    std::optional<branches::Branches> branches(model);
    if (branches->empty()) branches.reset();
    return branches;
  }

  void close_by_branches() {
    if (branches_)
      motion_.close_by([this](double t, Eigen::VectorXd& q) { branches_->close(t, q); });
  }

  // A motion and an integrator that know nothing of what was before. `given`: velocities may be
  // those of the model file. What there is to say of the start.
  std::vector<std::string> start(const State& state, const Eigen::VectorXd& v, const Power& work,
                                 bool given = false) {
    if (!branches_) {
      start_off_branches(state, v, work);
      return {};
    }
    on_branches_ = nullptr;
    auto_steps_ = nullptr;
    integrator_.reset();  // it may be on a branch
    branches_->forget();
    const auto chosen = branches_->at_start(state.t, state.q, v, given);
    if (chosen.branches.empty()) {
      start_off_branches(state, v, work);
    } else {
      start_on_branches(state, chosen.v, work, chosen.branches);
    }
    return chosen.notes;
  }

  void start_off_branches(const State& state, const Eigen::VectorXd& v, const Power& work) {
    const auto y = motion_.start(state, v, work);
    if (branches_) judge_pivots(state, v, work, y.data());
    on_branches_ = nullptr;
    integrator_ = make_steps(state.t, y.data());
    events_.start(motion_, state.t, integrator_->y());
  }

  std::unique_ptr<Integrator> make_steps(double t, const double* y) {
    auto_steps_ = nullptr;
    if (elsewhere_) return elsewhere_(motion_, t, y);
    const auto* left_open = std::get_if<Auto>(&options_.integrator);
    // The energy of a step is scaled by one-step methods only.
    if (left_open == nullptr || options_.energy_scaling) {
      const auto method = left_open == nullptr ? options_.integrator
                                               : DormandPrince{left_open->rtol, left_open->atol};
      events_.use(method);
      return make_integrator(method, motion_, t, y);
    }
    auto steps =
        std::make_unique<AutoSteps>(*left_open, motion_, t, y, diagnostics_.method_changes);
    auto_steps_ = steps.get();
    events_.use(steps->method());
    return steps;
  }

  void follow_auto() {
    if (auto_steps_ == nullptr) return;
    const auto& changes = auto_steps_->changes();
    if (changes.size() == diagnostics_.method_changes.size()) return;
    diagnostics_.method_changes = changes;
    events_.use(auto_steps_->method());
  }

  // A pivot is compared with the square of a singular value of the loops alone, in which no inertia
  // is: what it is smaller by is due to light bodies, not to the pose. After a start there.
  void judge_pivots(const State& state, const Eigen::VectorXd& v, const Power& work,
                    const double* y) {
    const auto pivot_now = [&] {
      motion_.state(state.t, y);
      return motion_.least_pivot();
    };
    pivot_unit_ = 1.0;
    double pivot = pivot_now();
    if (!(pivot < kSmallPivot)) return;
    const bool is_masked = pivot == 0.0;
    if (is_masked) {
      motion_.lower_mask(kLeastMaskShare);
      pivot = pivot_now();
    }
    if (pivot > 0.0) {
      const double value = branches_->least_singular_value(state.t, state.q);
      pivot_unit_ = std::min(pivot / (value * value), 1.0);
    }
    if (is_masked) motion_.start(state, v, work);  // the usual mask
    if (pivot_unit_ < kMaskMatters) motion_.lower_mask(std::max(pivot_unit_, kLeastMaskShare));
  }

  void start_on_branches(const State& state, const Eigen::VectorXd& v, const Power& work,
                         const std::vector<branches::OnBranch>& on) {
    auto& dynamics = branches_->dynamics();
    const State moving{state.t, state.q, dynamics.momenta(state.t, state.q, v)};
    const auto next_to = branches::Branches::next_to(state.t, state.q, on);
    motion_.start(moving, v, work, StateView{next_to.t, next_to.q.data(), nullptr});
    auto made = std::make_unique<branches::BranchIntegrator>(
        std::make_unique<branches::BranchMotion>(dynamics, on, motion_.integrals() == 0), dynamics,
        tolerances_of(options_.integrator).value_or(kTolerancesOnBranches), state.t, state.q, v,
        work, [this](const State& now, const Eigen::VectorXd& v_now, const Power& work_now) {
          return motion_.y_of(now, v_now, work_now);
        });
    on_branches_ = made.get();
    auto_steps_ = nullptr;
    integrator_ = std::move(made);
    ++diagnostics_.branch_passages;
    events_.start(motion_, state.t, integrator_->y());
  }

  // Near a singular pose the motion goes on along its branch, beyond it with the rows of its loops.
  // `pivot`: the least at the end of the last step.
  void change_branches(double pivot) {
    if (on_branches_ != nullptr) {
      if (!on_branches_->has_left()) return;
      const auto now = on_branches_->whole();
      const auto state = on_branches_->state();
      diagnostics_.counts = counts();
      start_off_branches(state, now.v, now.work);
    } else if (branches_ && pivot < kSmallPivot * pivot_unit_) {
      const double t = integrator_->time();
      const auto state = motion_.state(t, integrator_->y());
      const Eigen::VectorXd v = motion_.v();
      const auto v_dot = motion_.accelerations(t, integrator_->y());
      const auto ahead = branches_->ahead(t, state.q, v, v_dot);
      if (ahead.empty()) return;
      const auto work = motion_.work(t, integrator_->y());
      diagnostics_.counts = counts();
      start_on_branches(state, v, work, ahead);
    }
  }

  void restart_at(double t, const double* y) {
    diagnostics_.counts = counts();
    const auto state = motion_.state(t, y);
    start(state, Eigen::VectorXd(motion_.v()), motion_.work(t, y));
  }

  IntegratorCounts counts() const {
    const auto& before = diagnostics_.counts;
    const auto now = integrator_->counts();
    return {before.steps + now.steps, before.rejected + now.rejected,
            before.restarts + now.restarts, before.substitutes + now.substitutes};
  }

  double wall_seconds() const {
    if (!running_since_) return diagnostics_.wall_seconds;
    const std::chrono::duration<double> now = Clock::now() - *running_since_;
    return diagnostics_.wall_seconds + now.count();
  }

  void integrate(Recorder& recorder) {
    const auto go_on = [&](double output) {
      const double now = integrator_->time();
      const double time_to_reach = schedule_.in_step(time_to_reach_);
      if (now < std::min(time_to_reach, schedule_.checkpoint_time())) return step(output, recorder);
      if (now >= time_to_reach) {
        reach_time();
      } else {
        make_checkpoint();
      }
      return true;
    };
    schedule_.run([&] { return integrator_->time(); }, go_on, [&] { record(recorder); });
  }

  bool is_dense() const { return options_.dense_output && integrator_->has_dense_output(); }

  // One step, and what there is to record of it but its end. False where an event ends the run.
  bool step(double output, Recorder& recorder) {
    const double stop = is_dense() ? schedule_.until : output;
    const auto before = balance();
    integrator_->step(
        std::min({stop, schedule_.checkpoint_time(), schedule_.in_step(time_to_reach_)}));
    if (on_branches_ != nullptr) look_along_branches();
    const double t = integrator_->time();
    check_step(t, before);
    follow_auto();
    const auto step = integrator_->last_step();
    const double pivot = motion_.least_pivot();  // before others are looked at
    recorder.step({t, step.size, step.order});
    if (!record_step(recorder)) return false;
    if (schedule_.every_step && t < schedule_.until) record(recorder);
    if (observer_) observer_(t);
    change_branches(pivot);
    return true;
  }

  // What remains of steps that could not be refused, or were not refused one by one.
  void check_step(double t, const Balance& before) {
    const auto& guard = motion_.guard();
    end_if(t,
           guard.open_loop(diagnostics_.position_residual, [&] { return motion_.widest_gap(); }));
    end_if(t, guard.jump(integrator_->last_step().size, before, balance()));
    const auto work = motion_.work(t, integrator_->y());
    end_if(t,
           guard.drift(counts().steps, diagnostics_.energy,
                       std::abs(work.driven) + std::abs(work.applied) + std::abs(work.dissipated)));
  }

  // The state is no good one to be recorded.
  void end_if(double t, const std::string& why) {
    if (why.empty()) return;
    recorded_until_ = std::numeric_limits<double>::infinity();
    throw SimulationError(t, why);
  }

  void look_along_branches() {
    ++diagnostics_.branch_steps;
    diagnostics_.rate_evaluations += on_branches_->take_evaluations();
    motion_.look(integrator_->time(), integrator_->y(), on_branches_->whole().v);
  }

  Balance balance() {
    return {diagnostics_.kinetic, diagnostics_.potential,
            total(motion_.work(integrator_->time(), integrator_->y()))};
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
         events_.crossings(motion_, outputs, integrator_->time(), integrator_->y())) {
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
    record_until(integrator_->time());
    return true;
  }

  // Within the last step; at its end outputs are of the state itself.
  bool is_output_due() const { return schedule_.output_time() < integrator_->time(); }
  Sample next_output_of_step() {
    const double t = schedule_.output_time();
    ++schedule_.next_output;
    Eigen::VectorXd y(motion_.size());
    integrator_->interpolate(t, y.data());
    if (!motion_.settle(t, y.data()))
      throw SimulationError(t, "the state between two steps is not finite");
    return motion_.sample(t, y.data());
  }

  void make_checkpoint() {
    ++schedule_.next_checkpoint;
    const auto made = checkpoint();
    diagnostics_.counts = made.diagnostics.counts;
    start(made.state, made.v, made.work);
    if (keep_) keep_(made);
  }

  void reach_time() {
    const double t = integrator_->time();
    const auto state = motion_.state(t, integrator_->y());
    const Eigen::VectorXd v = motion_.v();
    const auto work = motion_.work(t, integrator_->y());
    reached_(state, v);
    time_to_reach_ = next_time_(t);
    diagnostics_.counts = counts();
    start(state, v, work);
  }

  // Not where what failed is to record it.
  void record_last_good(Recorder& recorder) {
    if (!(integrator_->time() > recorded_until_)) return;
    try {
      record(recorder);
    } catch (const SimulationError&) {
    }
  }

  void record(Recorder& recorder) { record_at(integrator_->time(), integrator_->y(), recorder); }

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
    auto s = summary_of(options_, diagnostics_, motion_, *integrator_, counts());
    s.status = error.empty() ? "completed" : "failed";
    s.error = error;
    s.until = schedule_.until;
    s.stopped_by = stopped_by_;
    return s;
  }

  SimulationOptions options_;
  MakeIntegrator elsewhere_;  // none: options_.integrator
  Diagnostics diagnostics_;
  MechanismOde motion_;
  Events events_;
  std::optional<branches::Branches> branches_;
  double pivot_unit_ = 1.0;  // of pivots that light bodies make small, not the pose
  Schedule schedule_;
  std::string stopped_by_;
  double recorded_until_ = 0.0;                     // s, by the recorder of now
  std::optional<Clock::time_point> running_since_;  // while it integrates
  std::function<void(double)> observer_;
  std::function<double(double)> next_time_;
  std::function<void(const State&, const Eigen::VectorXd&)> reached_;
  double time_to_reach_ = std::numeric_limits<double>::infinity();
  std::function<void(const Checkpoint&)> keep_;
  std::unique_ptr<Integrator> integrator_;
  branches::BranchIntegrator* on_branches_ = nullptr;  // integrator_, while it is one
  AutoSteps* auto_steps_ = nullptr;                    // the same
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
