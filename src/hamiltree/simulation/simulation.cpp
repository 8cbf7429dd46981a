#include "hamiltree/simulation/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/uniqueness.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree {
namespace {

// Largest values of a run so far, over accepted steps.
struct Extremes {
  double initial_energy = 0.0;
  double energy_error = 0.0;
  double peak_kinetic = 0.0;
  double lowest_potential = 0.0, highest_potential = 0.0;

  void start(double kinetic, double potential) {
    initial_energy = kinetic + potential;
    lowest_potential = highest_potential = potential;
    add(kinetic, potential);
  }
  void add(double kinetic, double potential) {
    energy_error = std::max(energy_error, std::abs(kinetic + potential - initial_energy));
    peak_kinetic = std::max(peak_kinetic, kinetic);
    lowest_potential = std::min(lowest_potential, potential);
    highest_potential = std::max(highest_potential, potential);
  }
  double relative_error() const {
    const double scale = std::max(peak_kinetic, highest_potential - lowest_potential);
    return scale > 0.0 ? energy_error / scale : 0.0;
  }
};

}  // namespace

// The equation that the integrator sees: y = [q; p], or [q; v] of acceleration-level formulations.
class Simulation::Run final : public OdeProblem {
 public:
  Run(const Model& model, SimulationOptions options)
      : model_(model),
        options_(std::move(options)),
        formulation_(make_formulation(options_.formulation, model_, {options_.baumgarte})),
        workspace_(formulation_->make_workspace()),
        probe_(make_probe(model_)),
        nq_(model_.coordinate_count()),
        nv_(model_.velocity_count()) {
    const auto initial = initial_state(model_);
    Eigen::VectorXd y(nq_ + nv_);
    y << initial.q, (formulation_->form() == StateForm::kMomenta ? initial.p : initial.v);
    v_ = initial.v;
    at_rest_ = Eigen::VectorXd::Zero(nv_);
    step_impulses_ = Eigen::VectorXd::Zero(model_.constraint_count());
    redundancy_ = formulation_->analyse(view(0.0, y.data()), *workspace_);
    probe_->set(0.0, y.data(), v_.data());
    joint_inertias_ = probe_->joint_inertias();
    kinetic_ = probe_->kinetic_energy();
    potential_ = probe_->potential_energy();
    residuals_ = probe_->residuals();
    extremes_.start(kinetic_, potential_);
    find_angles();
    note_not_unique(y.data());
    integrator_ = make_integrator(options_.integrator, *this, 0.0, y.data());
  }

  int size() const override { return nq_ + nv_; }

  bool rate(double t, const double* y, double* y_dot) override {
    ++rate_evaluations_;
    const auto status = formulation_->rate(view(t, y), *workspace_);
    std::copy(workspace_->q_dot.begin(), workspace_->q_dot.end(), y_dot);
    std::copy(workspace_->u_dot.begin(), workspace_->u_dot.end(), y_dot + nq_);
    return status == Status::kOk;
  }

  void weights(const double* y, double* weights) const override {
    const auto& method = std::get<DormandPrince>(options_.integrator);
    const bool momenta = formulation_->form() == StateForm::kMomenta;
    for (int i = 0; i < nq_; ++i) {
      // A turn more or less is no larger an angle.
      const double size =
          is_angle_[at(i)] ? std::min(std::abs(y[i]), std::numbers::pi) : std::abs(y[i]);
      weights[i] = 1.0 / (method.rtol * size + method.atol);
    }
    for (int k = 0; k < nv_; ++k) {
      double tolerance = method.rtol * std::abs(y[nq_ + k]) + method.atol;
      if (options_.weights == Weights::kInertia && momenta) {
        // As errors of the velocity v = p / I; its size is that of a mean share of the energy.
        const double inertia = joint_inertias_(k);
        const double speed = std::sqrt(2.0 * kinetic_ / (inertia * nv_));
        tolerance = inertia * (method.rtol * speed + method.atol);
      }
      weights[nq_ + k] = 1.0 / tolerance;
    }
  }

  bool accept(double t, double* y) override {
    probe_->normalise(y);
    if (!solve(t, y)) return false;
    if (model_.constraint_count() > 0) {
      if (formulation_->form() == StateForm::kMomenta) {
        std::copy(workspace_->sigma.begin(), workspace_->sigma.end(), step_impulses_.data());
      }
      note_singular(t);
      const auto before = probe_->residuals();
      constraint_.position_max_before = std::max(constraint_.position_max_before, before.position);
      constraint_.velocity_max_before = std::max(constraint_.velocity_max_before, before.velocity);
      if (options_.projection) {
        if (!project(t, y) || !solve(t, y)) return false;
      }
      if (options_.reset && !clean(t, y)) return false;
      residuals_ = probe_->residuals();
      constraint_.position_max = std::max(constraint_.position_max, residuals_.position);
      constraint_.velocity_max = std::max(constraint_.velocity_max, residuals_.velocity);
      formulation_->prepare(view(t, y), *workspace_);
    }
    kinetic_ = probe_->kinetic_energy();
    potential_ = probe_->potential_energy();
    extremes_.add(kinetic_, potential_);
    if (observer_) observer_(t);
    return true;
  }

  void run_until(double until, double every, Recorder& recorder) {
    if (!(until >= integrator_->time()) || !std::isfinite(until)) {
      throw UsageError("cannot run until " + to_text(until) + " s: the simulation stands at " +
                       to_text(integrator_->time()) + " s");
    }
    const double start = integrator_->time();
    if (!(every > 0.0)) every = (until - start) / 500.0;
    const auto clock = std::chrono::steady_clock::now();
    recorder.begin(make_header(model_));
    record(recorder);
    std::string error;
    double failed_at = 0.0;
    try {
      // Output times are multiples of `every`, so that they carry no accumulated rounding.
      for (long i = 1; integrator_->time() < until; ++i) {
        double stop = start + static_cast<double>(i) * every;
        if (stop > until - 1e-9 * every) stop = until;
        integrator_->advance(stop);
        record(recorder);
      }
    } catch (const SimulationError& failure) {
      error = failure.what() + where_not_finite();
      failed_at = failure.time();
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - clock;
    wall_seconds_ += wall.count();
    recorder.finish(summary(until, error));
    if (!error.empty()) throw SimulationFailed(failed_at, error);
  }

  const Model& model() const { return model_; }
  State state() const {
    const Eigen::Map<const Eigen::VectorXd> y(integrator_->y(), nq_ + nv_);
    State now{integrator_->time(), y.head(nq_), y.tail(nv_)};
    if (formulation_->form() == StateForm::kVelocities) {
      probe_->set(now.t, now.q.data(), y.data() + nq_);
      probe_->momenta(now.p.data());
    }
    return now;
  }
  const Eigen::VectorXd& step_impulses() const { return step_impulses_; }
  void on_step(std::function<void(double)> observer) { observer_ = std::move(observer); }

 private:
  // An error whose text is complete already.
  struct SimulationFailed : SimulationError {
    SimulationFailed(double time, const std::string& text)
        : SimulationError(time, ""), text_(text) {}
    const char* what() const noexcept override { return text_.c_str(); }
    std::string text_;
  };

  StateView view(double t, const double* y) const { return {t, y, y + nq_}; }

  // Velocities of the state; the probe then stands at it.
  bool solve(double t, const double* y) {
    ++velocity_solves_;
    if (formulation_->velocities(view(t, y), nullptr, *workspace_) != Status::kOk) return false;
    std::copy(workspace_->v.begin(), workspace_->v.end(), v_.data());
    probe_->set(t, y, v_.data());
    return true;
  }

  // The Newton step onto the loops that moves the masses least: the velocities of a mechanism at
  // rest whose loops are asked to close by Phi.
  bool project(double t, double* y) {
    if (!step_by(t, y, probe_->phi())) return false;
    for (int i = 0; i < nq_; ++i) y[i] += workspace_->q_dot[at(i)];
    probe_->normalise(y);
    return true;
  }

  // Velocities that open the loops by -phi and move the masses least.
  bool step_by(double t, const double* y, const Eigen::VectorXd& phi) {
    ++velocity_solves_;
    const StateView at_rest{t, y, at_rest_.data()};
    return formulation_->velocities(at_rest, phi.data(), *workspace_) == Status::kOk;
  }

  // The second half of the state without what drifted into it: momenta without sigma, or velocities
  // that keep the loops closed.
  bool clean(double t, double* y) {
    if (formulation_->form() == StateForm::kMomenta) {
      probe_->momenta(y + nq_);
      return true;
    }
    if (!step_by(t, y, probe_->phi_rate())) return false;
    for (int i = 0; i < nv_; ++i) y[nq_ + i] += workspace_->v[at(i)];
    return solve(t, y);
  }

  void record(Recorder& recorder) {
    const auto now = state();
    probe_->set(now.t, now.q.data(), v_.data());
    Sample sample;
    sample.t = now.t;
    sample.q = now.q;
    sample.v = v_;
    sample.p = now.p;
    sample.kinetic_energy = kinetic_;
    sample.potential_energy = potential_;
    sample.position_residual = residuals_.position;
    sample.velocity_residual = residuals_.velocity;
    bool known = false;  // accelerations are asked for at most once, and only by sensors
    probe_->sensors(
        [&](int joint) {
          if (!known) formulation_->accelerations(view(now.t, integrator_->y()), *workspace_);
          known = true;
          return formulation_->reaction(joint, *workspace_);
        },
        sample.sensors);
    probe_->poses(sample.poses);
    recorder.sample(sample);
  }

  // One note per passage, with the time at which it was entered.
  void note_singular(double t) {
    auto joints = formulation_->singular_joints(*workspace_);
    for (const int j : joints) {
      if (std::find(singular_.begin(), singular_.end(), j) != singular_.end()) continue;
      ++singular_passages_;
      if (notes_.size() < kMaxNotes) {
        notes_.push_back("near-singular at joint " + model_.joint_name(j) + ", t = " + to_text(t) +
                         " s");
      }
    }
    singular_ = std::move(joints);
  }

  // Reactions that are recorded but not determined.
  void note_not_unique(const double* y) {
    const auto& sensors = model_.mechanism().sensors;
    const bool recorded = std::any_of(sensors.begin(), sensors.end(), [](const auto& sensor) {
      return std::holds_alternative<ReactionSensor>(sensor);
    });
    if (!recorded) return;
    const auto unique =
        unique_reactions(model_, *formulation_, redundancy_, view(0.0, y), *workspace_);
    for (const auto& sensor : sensors) {
      const auto* reaction = std::get_if<ReactionSensor>(&sensor);
      if (reaction == nullptr) continue;
      std::string parts;
      for (const auto& part : unique[at(*model_.find_joint(reaction->joint))].not_unique()) {
        parts += (parts.empty() ? "" : ", ") + part;
      }
      if (parts.empty()) continue;
      notes_.push_back("sensor " + reaction->name + ": redundant constraints leave " + parts +
                       " of joint " + reaction->joint + " (its own axes) undetermined");
    }
  }

  void find_angles() {
    for (const auto& channel : make_header(model_).q) is_angle_.push_back(channel.unit == "rad");
  }

  // Names the first joint whose rates are not finite at the last evaluation.
  std::string where_not_finite() const {
    for (int b = 0; b < model_.body_count(); ++b) {
      const auto [v, count] = model_.visit([&](const auto& system) {
        return std::pair{system.joint(b).v, system.joint(b).velocities};
      });
      for (int i = v; i < v + count; ++i) {
        const auto k = at(i);
        if (!std::isfinite(workspace_->v[k]) || !std::isfinite(workspace_->u_dot[k])) {
          return " (first at joint \"" + model_.joint_name(b) + "\")";
        }
      }
    }
    return {};
  }

  Summary summary(double until, const std::string& error) const {
    Summary s;
    s.status = error.empty() ? "completed" : "failed";
    s.error = error;
    s.model.name = model_.name();
    s.model.file = model_.mechanism().where.file;
    s.model.space = model_.space() == SpaceKind::kPlanar ? "planar" : "spatial";
    s.model.bodies = model_.body_count();
    s.model.joints = model_.joint_count();
    s.model.loops = model_.loop_count();
    s.model.redundant_constraints = redundancy_.redundant;
    s.model.degrees_of_freedom = nv_ - (redundancy_.constraints - redundancy_.redundant);
    s.model.length = model_.visit([](const auto& system) { return system.length; });
    s.formulation = std::string(formulation_->name());
    s.integrator.name = to_name(options_.integrator);
    if (const auto* adaptive = std::get_if<DormandPrince>(&options_.integrator)) {
      s.integrator.rtol = adaptive->rtol;
      s.integrator.atol = adaptive->atol;
      s.integrator.weights = options_.weights == Weights::kInertia ? "inertia" : "equal";
    } else if (const auto* rk4 = std::get_if<RungeKutta4>(&options_.integrator)) {
      s.integrator.step = rk4->step;
    } else {
      s.integrator.step = std::get<Euler>(options_.integrator).step;
    }
    s.integrator.reset = options_.reset;
    s.integrator.projection = options_.projection;
    s.integrator.baumgarte = options_.baumgarte;
    s.plan = formulation_->plan();
    s.until = until;
    s.reached = integrator_->time();
    const auto counts = integrator_->counts();
    s.steps = counts.steps;
    s.rejected_steps = counts.rejected;
    s.rate_evaluations = rate_evaluations_;
    s.velocity_solves = velocity_solves_;
    s.wall_seconds = wall_seconds_;
    s.energy.initial = extremes_.initial_energy;
    s.energy.max_relative_error = extremes_.relative_error();
    s.energy.conservative = probe_->conservative();
    s.constraint = constraint_;
    s.notes = notes_;
    if (singular_passages_ > notes_.size()) {
      s.notes.push_back(std::to_string(singular_passages_ - notes_.size()) +
                        " further near-singular passages");
    }
    return s;
  }

  static constexpr std::size_t kMaxNotes = 50;

  Model model_;
  SimulationOptions options_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Probe> probe_;
  int nq_, nv_;
  Eigen::VectorXd v_, at_rest_, joint_inertias_, step_impulses_;
  std::vector<bool> is_angle_;
  Redundancy redundancy_;
  double kinetic_ = 0.0, potential_ = 0.0;
  Residuals residuals_;
  Extremes extremes_;
  ConstraintSummary constraint_;
  std::vector<int> singular_;
  std::size_t singular_passages_ = 0;
  std::vector<std::string> notes_;
  long rate_evaluations_ = 0, velocity_solves_ = 0;
  double wall_seconds_ = 0.0;
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
