#include "hamiltree/sensitivity/differentiable_run.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/model/check_quaternions.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "hamiltree/sensitivity/checkpoints.hpp"
#include "hamiltree/sensitivity/pose_watch.hpp"
#include "hamiltree/simulation/notes.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree::sensitivity {
namespace {

constexpr int kMostProjections = 50;
constexpr double kClosed = 1e-13;      // of the length: what the start is asked for
constexpr double kAcceptable = 1e-11;  // of the length: what rounding may leave
// Of the length: what rounded numbers may leave open of redundant rows, once others are closed to
// this, rad or m.
constexpr double kRoundedGap = 1e-6, kLastCorrection = 1e-10;

int find_control(const Model& model, const std::string& name) {
  const auto j = model.find_joint(name);
  if (!j) throw UsageError("there is no joint \"" + name + "\" in " + model.name());
  return model.visit([&](const auto& system) {
    const auto& joint = system.joint(*j);
    if (!joint.has_velocity() || joint.along == kNone) {
      throw UsageError("joint \"" + name + "\" takes no effort: controls are joints of the " +
                       "spanning tree with one degree of freedom that is not driven");
    }
    return joint.v;
  });
}

void check_size(const char* name, Eigen::Index is, Eigen::Index wanted) {
  if (is == wanted) return;
  throw UsageError(std::string(name) + " has " + std::to_string(is) + " entries, not " +
                   std::to_string(wanted));
}

template <class Numbers>
void check_numbers(const char* name, const Numbers& x) {
  if (!x.allFinite()) throw UsageError(std::string(name) + " must be finite");
}

void check_shape(const std::string& name, const Columns& x, const Columns& like) {
  if (x.size() == 0 || (x.rows() == like.rows() && x.cols() == like.cols())) return;
  throw UsageError(name + " is an array (" + std::to_string(x.rows()) + ", " +
                   std::to_string(x.cols()) + "), not (" + std::to_string(like.rows()) + ", " +
                   std::to_string(like.cols()) + ")");
}

}  // namespace

DifferentiableRun::DifferentiableRun(const Model& model, RunOptions options, const Vector& q,
                                     const Vector& v)
    : model_(model), options_(std::move(options)) {
  check_size("q", q.size(), model.coordinate_count());
  check_size("v", v.size(), model.velocity_count());
  check_numbers("q", q);
  check_numbers("v", v);
  check_quaternions(model, q);
  check_numbers("efforts", options_.efforts);
  check_formulation_choice(kernel_of(options_.formulation));
  if (options_.formulation == kAutoFormulation)
    options_.formulation = select_formulation(model_, q).name;
  prepare();
  const bool is_redundant = close_start(q, v).redundant > 0;
  const bool keeps_all = options_.checkpoints == 0;
  KeptState now{start_.reset.q, start_.reset.p};
  if (keeps_all) states_.push_back(now);
  TakenStep step;
  SimulationOptions how;
  how.integrator = options_.integrator;
  const StepGuard guard(model_, how);
  PoseWatch watch(model_);
  watch.look(options_.from, *formulation_, *workspace_);
  const auto take = [&](const Trajectory& trajectory, Vector& q, Vector& p) {
    take_step(trajectory, trajectory.steps() - 1, q, p, step);
    watch.look(trajectory.t.back(), *formulation_, *workspace_);
    check_loops(trajectory.t.back(), step, guard, is_redundant);
    now = {step.end.q, step.end.p};
    q = now.q;
    p = now.p;
    if (!keeps_all) return;
    states_.push_back(now);
    keep(step);
  };
  std::vector<Sample> samples;
  const auto sample = [&](double t) { samples.push_back(sample_of(t, now)); };
  trajectory_ = record(model_, options_, {options_.from, start_.reset.q, start_.reset.p},
                       start_.reset.v, generalized_, take, sample);
  join(samples);
}

void DifferentiableRun::check_loops(double t, const TakenStep& step, const StepGuard& guard,
                                    bool is_redundant) {
  auto& closing = map_->closing();
  if (!closing.has_loops()) return;
  const double gap = closing.gap(t, step.end.q);
  const bool contradicts = is_redundant && !(gap < 0.5 * step.projection.gap);
  const auto refusal = guard.open_loop(
      gap, {[&] { return widest_gap(model_, closing.gaps()); }, [&] { return contradicts; }});
  if (!refusal.empty()) throw SimulationError(t, refusal);
}

void DifferentiableRun::keep(const TakenStep& step) {
  const bool has_gap = steps_.size() + 2 != states_.size();
  if (step.stages.empty() || has_gap) return;
  auto kept = for_pull(step);
  const auto bytes = bytes_of(kept);
  if (step_bytes_ + bytes > options_.step_memory) return;
  step_bytes_ += bytes;
  steps_.push_back(std::move(kept));
}

std::size_t DifferentiableRun::kept_bytes() const {
  const auto kept = states_.empty() ? std::min(options_.checkpoints, steps()) : states_.size();
  return kept * static_cast<std::size_t>(start_.q.size() + start_.p.size()) * sizeof(double);
}

void DifferentiableRun::prepare() {
  for (const auto& name : options_.controls)
    control_velocities_.push_back(find_control(model_, name));
  auto& efforts = options_.efforts;
  if (options_.controls.empty() && efforts.size() > 0)
    throw UsageError("efforts are given, but no controls");
  if (efforts.size() == 0) {
    efforts = Columns::Zero(1, static_cast<Eigen::Index>(options_.controls.size()));
  }
  check_size("a row of efforts", efforts.cols(),
             static_cast<Eigen::Index>(options_.controls.size()));
  generalized_ = Columns::Zero(efforts.rows(), model_.velocity_count());
  for (Eigen::Index part = 0; part < efforts.rows(); ++part)
    generalized_.row(part) = generalized(efforts, part);
  formulation_ = make_formulation(options_.formulation, model_);
  workspace_ = formulation_->make_workspace();
  const auto parameters = parameter_numbers(model_, options_.parameters);
  derivatives_ = std::make_unique<StepDerivatives>(model_, *formulation_, parameters);
  map_ = std::make_unique<StepMap>(model_, *formulation_, options_.integrator, *workspace_,
                                   *derivatives_, parameters);
}

// Efforts by velocity in a part of the run.
Vector DifferentiableRun::generalized(const Columns& efforts, Eigen::Index part) const {
  Vector all = Vector::Zero(model_.velocity_count());
  for (std::size_t k = 0; k < control_velocities_.size(); ++k)
    all(control_velocities_[k]) += efforts(part, static_cast<Eigen::Index>(k));
  return all;
}

Redundancy DifferentiableRun::close_start(const Vector& q, const Vector& v) {
  const Vector still = Vector::Zero(v.size());
  formulation_->analyse({options_.from, q.data(), still.data()}, *workspace_);
  project_start(q);
  // Gradients take the rows that are in use where loops are closed: so does the start.
  const auto rows =
      formulation_->analyse({options_.from, start_.q.data(), still.data()}, *workspace_);
  const double correction = project_start(q);
  const double length = model_.visit([](const auto& system) { return system.length; });
  const double acceptable = correction <= kLastCorrection ? kRoundedGap : kAcceptable;
  if (!(start_.projections.back().gap <= acceptable * length)) {
    throw UsageError("cannot start here: loops stay open by " +
                     to_text(start_.projections.back().gap) + " m");
  }
  start_.v = v;
  const auto probe = make_probe(model_);
  probe->set(options_.from, start_.q.data(), v.data());
  start_.p.resize(v.size());
  probe->momenta(start_.p.data());
  map_->closing().reset(options_.from, start_.q, start_.p, start_.reset);
  return rows;
}

// From q to where all loops are closed, by the rows in use. Returns the last correction, rad or m.
double DifferentiableRun::project_start(const Vector& q) {
  const double length = model_.visit([](const auto& system) { return system.length; });
  start_.projections.clear();
  start_.q = q;
  double correction = 0.0;
  for (int k = 0; k < kMostProjections; ++k) {
    auto& projection = start_.projections.emplace_back();
    map_->closing().project(options_.from, start_.q, projection);
    correction = (projection.q - start_.q).lpNorm<Eigen::Infinity>();
    start_.q = projection.q;
    if (projection.gap <= kClosed * length) break;
  }
  return correction;
}

void DifferentiableRun::take_step(const Trajectory& trajectory, std::size_t n, const Vector& q,
                                  const Vector& p, TakenStep& step) {
  options_.on_step();
  const double t = trajectory.t[n];
  map_->take(t, trajectory.t[n + 1] - t, q, p, generalized_.row(trajectory.part[n]), step);
}

template <class Visit>
void DifferentiableRun::backwards(const Visit& visit) {
  TakenStep step;
  const auto take = [&](std::size_t n, const KeptState& state) {
    take_step(trajectory_, n, state.q, state.p, step);
  };
  const auto take_and_visit = [&](std::size_t n, const KeptState& state) {
    take(n, state);
    visit(n, step);
  };
  if (!states_.empty()) {
    for (std::size_t n = steps(); n-- > steps_.size();) take_and_visit(n, states_[n]);
    for (std::size_t n = steps_.size(); n-- > 0;) {
      options_.on_step();
      map_->choose_rows(trajectory_.t[n], states_[n].q);
      visit(n, steps_[n]);
    }
    return;
  }
  const auto advance = [&](std::size_t n, KeptState& state) {
    take(n, state);
    state = {step.end.q, step.end.p};
  };
  const KeptState start{start_.reset.q, start_.reset.p};
  for_states_backwards(0, steps(), start, options_.checkpoints, advance, take_and_visit);
}

template <class F>
void DifferentiableRun::for_samples(std::size_t n, const F& f) const {
  const auto [first, last] =
      std::equal_range(trajectory_.sampled.begin(), trajectory_.sampled.end(), n);
  for (auto i = first; i != last; ++i)
    f(static_cast<Eigen::Index>(i - trajectory_.sampled.begin()));
}

DifferentiableRun::Sample DifferentiableRun::sample_of(double t, const KeptState& state) {
  Reset at;
  Sample sample{t, state, {}, {}};
  map_->closing().reset(t, state.q, state.p, at);
  sample.v = at.v;
  if (derivatives_->readings() > 0) derivatives_->read(at.point(), sample.readings);
  return sample;
}

void DifferentiableRun::join(const std::vector<Sample>& samples) {
  const auto rows = static_cast<Eigen::Index>(samples.size());
  samples_.t.resize(rows);
  samples_.q.resize(rows, model_.coordinate_count());
  samples_.v.resize(rows, model_.velocity_count());
  samples_.p.resize(rows, model_.velocity_count());
  samples_.readings.resize(rows, derivatives_->readings());
  for (Eigen::Index row = 0; row < rows; ++row) {
    const auto& sample = samples[static_cast<std::size_t>(row)];
    samples_.t(row) = sample.t;
    samples_.q.row(row) = sample.state.q;
    samples_.p.row(row) = sample.state.p;
    samples_.v.row(row) = sample.v;
    if (sample.readings.size() > 0) samples_.readings.row(row) = sample.readings;
  }
}

std::vector<std::string> DifferentiableRun::reading_names() const {
  auto mechanism = model_.mechanism();
  std::erase_if(mechanism.sensors,
                [](const auto& sensor) { return std::holds_alternative<ReactionSensor>(sensor); });
  std::vector<std::string> names;
  for (const auto& channel : make_header(Model(std::move(mechanism))).sensors)
    names.push_back(channel.name);
  return names;
}

Vector DifferentiableRun::weights() const {
  const auto& t = samples_.t;
  Vector weights = Vector::Zero(t.size());
  for (Eigen::Index i = 0; i + 1 < t.size(); ++i) {
    weights(i) += (t(i + 1) - t(i)) / 2.0;
    weights(i + 1) += (t(i + 1) - t(i)) / 2.0;
  }
  return weights;
}

void DifferentiableRun::check_cotangents(const RunSamples& cotangents) const {
  check_shape("q", cotangents.q, samples_.q);
  check_shape("v", cotangents.v, samples_.v);
  check_shape("p", cotangents.p, samples_.p);
  check_shape("readings", cotangents.readings, samples_.readings);
}

void DifferentiableRun::pull_sample(Eigen::Index row, const Reset& at, const RunSamples& cotangents,
                                    StateChange& change) {
  if (cotangents.q.size() > 0) change.q += cotangents.q.row(row);
  if (cotangents.p.size() > 0) change.p += cotangents.p.row(row);
  if (cotangents.v.size() == 0 && cotangents.readings.size() == 0) return;
  Vector v = Vector::Zero(model_.velocity_count());
  if (cotangents.v.size() > 0) v = cotangents.v.row(row);
  if (cotangents.readings.size() > 0)
    derivatives_->pull_readings(at.point(), cotangents.readings.row(row), change, v);
  check_finite(derivatives_->pull_velocities(at.point(), v, *workspace_, change), at.t);
}

void DifferentiableRun::pull_start(StateChange& change, RunChange& gradient) {
  auto& closing = map_->closing();
  closing.pull_reset(start_.reset, change);
  gradient.v = Vector::Zero(model_.velocity_count());
  const Vector p = change.p;
  const StepPoint moved{options_.from, start_.q.data(), start_.v.data(), nullptr};
  derivatives_->pull_momenta(moved, p, change, gradient.v);
  for (auto k = start_.projections.rbegin(); k != start_.projections.rend(); ++k)
    closing.pull_projection(*k, change);
  gradient.q = change.q;
  gradient.parameters = change.parameters;
}

RunChange DifferentiableRun::gradient(const RunSamples& cotangents) {
  check_cotangents(cotangents);
  StateChange change = derivatives_->zero();
  RunChange gradient;
  gradient.efforts = Columns::Zero(options_.efforts.rows(), options_.efforts.cols());
  Vector efforts(model_.velocity_count());
  Reset at;
  const bool by_motion = cotangents.v.size() > 0 || cotangents.readings.size() > 0;
  const auto pull_samples = [&](std::size_t n, const Vector& q, const Vector& p) {
    bool known = !by_motion;
    for_samples(n, [&](Eigen::Index row) {
      if (!known) map_->closing().reset(trajectory_.t[n], q, p, at);
      known = true;
      pull_sample(row, at, cotangents, change);
    });
  };
  backwards([&](std::size_t n, const TakenStep& step) {
    pull_samples(n + 1, step.end.q, step.end.p);
    efforts.setZero();
    map_->pull(step, change, efforts);
    for (std::size_t k = 0; k < control_velocities_.size(); ++k) {
      gradient.efforts(trajectory_.part[n], static_cast<Eigen::Index>(k)) +=
          efforts(control_velocities_[k]);
    }
  });
  formulation_->prepare({options_.from, start_.q.data(), start_.p.data()}, *workspace_);
  pull_samples(0, start_.reset.q, start_.reset.p);
  pull_start(change, gradient);
  return gradient;
}

StateChange DifferentiableRun::push_start(const RunChange& direction) {
  StateChange change = derivatives_->zero();
  if (direction.q.size() > 0) change.q = direction.q;
  if (direction.parameters.size() > 0) change.parameters = direction.parameters;
  auto& closing = map_->closing();
  for (const auto& projection : start_.projections) closing.push_projection(projection, change);
  const Vector v =
      direction.v.size() > 0 ? direction.v : Vector(Vector::Zero(model_.velocity_count()));
  const StepPoint moved{options_.from, start_.q.data(), start_.v.data(), nullptr};
  Vector p;
  derivatives_->push_momenta(moved, change, v, p);
  change.p = p;
  closing.push_reset(start_.reset, change);
  return change;
}

void DifferentiableRun::push_sample(Eigen::Index row, const Reset& at, const StateChange& change,
                                    RunSamples& tangents) {
  tangents.q.row(row) = change.q;
  tangents.p.row(row) = change.p;
  Vector v, readings;
  check_finite(derivatives_->push_velocities(at.point(), change, *workspace_, v), at.t);
  tangents.v.row(row) = v;
  if (derivatives_->readings() == 0) return;
  derivatives_->push_readings(at.point(), change, v, readings);
  tangents.readings.row(row) = readings;
}

RunSamples DifferentiableRun::tangents(const RunChange& direction) {
  const auto check = [](const char* name, Eigen::Index is, Eigen::Index wanted) {
    if (is > 0) check_size(name, is, wanted);
  };
  check("q", direction.q.size(), model_.coordinate_count());
  check("v", direction.v.size(), model_.velocity_count());
  check("parameters", direction.parameters.size(),
        static_cast<Eigen::Index>(options_.parameters.size()));
  check_shape("efforts", direction.efforts, options_.efforts);
  check_numbers("q", direction.q);
  check_numbers("v", direction.v);
  check_numbers("parameters", direction.parameters);
  check_numbers("efforts", direction.efforts);
  RunSamples tangents = samples_;
  formulation_->prepare({options_.from, start_.q.data(), start_.p.data()}, *workspace_);
  auto change = push_start(direction);
  TakenStep step;
  Reset at;
  const auto push_samples = [&](std::size_t n, const Vector& q, const Vector& p) {
    for_samples(n, [&](Eigen::Index row) {
      map_->closing().reset(trajectory_.t[n], q, p, at);
      push_sample(row, at, change, tangents);
    });
  };
  Vector q = start_.reset.q, p = start_.reset.p, efforts = Vector::Zero(p.size());
  push_samples(0, q, p);
  for (std::size_t n = 0; n < steps(); ++n) {
    take_step(trajectory_, n, q, p, step);
    if (direction.efforts.size() > 0) efforts = generalized(direction.efforts, trajectory_.part[n]);
    map_->push(step, change, efforts);
    q = step.end.q;
    p = step.end.p;
    push_samples(n + 1, q, p);
  }
  return tangents;
}

}  // namespace hamiltree::sensitivity
