#include "hamiltree/simulation/mechanism_ode.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/not_finite.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/simulation/check_options.hpp"
#include "hamiltree/simulation/notes.hpp"
#include "hamiltree/simulation/recording_header.hpp"

namespace hamiltree {
namespace {

constexpr double kLeakShare = 0.5;        // of the mechanism's own rate
constexpr double kLeastKinetic = 1e-6;    // of the energy that moves, for momenta to be scaled
constexpr double kLargestScaling = 1e-2;  // |alpha^2 - 1|
// Loops that are open by no more than this, relative to the length, stay as they are: a twentieth
// of what is promised. Redundant rows open as fast as gaps let them, and next to singular poses
// bodies move by the roots of gaps: there, and for all other formulations, it is what rounding
// leaves.
constexpr double kLeastGap = 5e-14, kRoundedGap = 2e-15;
// Next to a singular pose, where pivots are smaller than this, projection is asked for so much of
// the length, in at most so many steps.
constexpr double kProjected = 1e-13;
constexpr int kMostProjections = 4;
constexpr double kLeftOpen = 5e-13;  // above, pivots are masked that would close it
// Two bodies that have each turned by no more than this, rad, are far from a half turn against each
// other.
constexpr double kTurned = 0.5;

}  // namespace

MechanismOde::MechanismOde(const Model& model, const SimulationOptions& options,
                           Diagnostics& diagnostics)
    : segments_(options.segments > 0 ? make_segments(model, options.segments) : nullptr),
      model_(segments_ ? segments_->cut() : model),
      options_(options),
      diagnostics_(diagnostics),
      formulation_(
          make_formulation(options_.formulation, model_,
                           {options_.baumgarte, options_.lanes, options_.plane, options_.threads})),
      sees_motion_(dynamic_cast<const SeesMotion*>(formulation_.get())),
      closes_loops_(dynamic_cast<const ClosesLoops*>(formulation_.get())),
      workspace_(formulation_->make_workspace()),
      probe_(make_probe(model_)),
      whole_probe_(segments_ ? make_probe(model) : nullptr),
      canonical_(is_symplectic(options_.integrator)),
      multistep_(is_multistep(options_.integrator)),
      constrained_(model_.constraint_count() > 0),
      nq_(model_.coordinate_count()),
      nv_(model_.velocity_count()),
      nm_(canonical_ ? nq_ : nv_),
      nw_(probe_->conservative() ? 0 : 3),
      length_(model_.visit([](const auto& system) { return system.length; })),
      u_(Eigen::VectorXd::Zero(nv_)),
      v_(Eigen::VectorXd::Zero(nv_)),
      at_rest_(Eigen::VectorXd::Zero(nv_)),
      step_impulses_(Eigen::VectorXd::Zero(model_.constraint_count())),
      impulses_(nv_),
      moved_(nq_ + nm_),
      whole_v_(Eigen::VectorXd::Zero(model.velocity_count())),
      whole_impulses_(Eigen::VectorXd::Zero(model.constraint_count())),
      weights_(model_, options_.weights == Weights::kInertia &&
                           formulation_->form() == StateForm::kMomenta),
      guard_(model, options) {
  check_options(options_, model_, formulation_->form());
  if (canonical_) {
    free_formulation_ =
        make_formulation(options_.formulation, model_.opened(), {.plane = options_.plane});
    free_workspace_ = free_formulation_->make_workspace();
  }
}

Eigen::VectorXd MechanismOde::y_of(const State& state, const Eigen::VectorXd& v,
                                   const Power& work) {
  stores_work_ = false;
  return vector_of(state, v, work);
}

Eigen::VectorXd MechanismOde::vector_of(const State& state, const Eigen::VectorXd& v,
                                        const Power& work) {
  Eigen::VectorXd y(size());
  if (segments_) {
    whole_v_ = v;
    segments_->part(state.t, state.q.data(), v.data(), y.data(), v_.data());
    probe_->set(state.t, y.data(), v_.data());
    probe_->momenta(y.data() + nq_);
  } else {
    y.head(nq_) = state.q;
    store(formulation_->form() == StateForm::kMomenta ? state.p.data() : v.data(), y.data());
    v_ = v;
  }
  if (nw_ > 0) y.tail(nw_) << work.driven, work.applied, work.dissipated;
  return y;
}

Eigen::VectorXd MechanismOde::start(const State& state, const Eigen::VectorXd& v, const Power& work,
                                    std::optional<StateView> next_to) {
  workspace_ = formulation_->make_workspace();
  if (free_formulation_) free_workspace_ = free_formulation_->make_workspace();
  auto y = vector_of(state, v, work);
  auto analysed = view(state.t, y.data());
  if (next_to) analysed = {next_to->t, next_to->q, analysed.u};
  redundancy_ = formulation_->analyse(analysed, *workspace_);
  if (free_formulation_) free_formulation_->analyse(view(state.t, y.data()), *free_workspace_);
  probe_->set(state.t, y.data(), v_.data());
  find_sizes();
  diagnostics_.kinetic = probe_->kinetic_energy();
  diagnostics_.potential = probe_->potential_energy();
  kept_ = {};
  evaluated_.stands = false;
  if (watches_energies_only() || takes_energies()) {
    formulation_->velocities(view(state.t, y.data()), nullptr, *workspace_);
    if (const auto own = formulation_->energies(view(state.t, y.data()), *workspace_)) {
      // With impulses of loops in the momenta, u . v / 2 is not the kinetic energy.
      if (!constrained_) diagnostics_.kinetic = own->kinetic;
      left_out_ = diagnostics_.potential - own->potential;
    }
  }
  const auto residuals = probe_->residuals();
  diagnostics_.position_residual = residuals.position;
  diagnostics_.velocity_residual = residuals.velocity;
  noted_ = {diagnostics_.kinetic, diagnostics_.potential, total(work)};
  noted_at_ = state.t;
  if (segments_) whole_probe_->set(state.t, state.q.data(), v.data());
  shown().follow_moving();
  turned_ = std::numeric_limits<double>::infinity();
  refusal_.clear();
  multistep_ = is_multistep(options_.integrator);
  set_leak(state.t, y.data());
  stored_.forget();
  stores_work_ = false;
  if (!may_store_work()) return y;
  const auto at_start = view(state.t, y.data());
  ++diagnostics_.rate_evaluations;
  formulation_->rate(at_start, *workspace_);
  const auto stored = formulation_->work_rate(at_start, *workspace_).stored;
  stores_work_ = stored.has_value();
  y(nq_ + nm_) -= stored.value_or(0.0);
  return y;
}

// Symplectic methods give loops their impulses beside the rates. Rows that are chosen anew share
// out impulses anew: what is stored then changes, unless impulses were taken out of the momenta
// before.
bool MechanismOde::may_store_work() const {
  const bool drives = model_.visit([](const auto& system) { return !system.drives.empty(); });
  const bool has_impulses = !options_.reset || is_multistep(options_.integrator) ||
                            std::holds_alternative<Auto>(options_.integrator);
  return nw_ > 0 && !canonical_ && drives && !(has_impulses && redundancy_.redundant > 0);
}

// At y, where the probe stands.
void MechanismOde::set_leak(double t, const double* y) {
  workspace_->leak = 0.0;
  const bool leaks = constrained_ && formulation_->form() == StateForm::kMomenta && !canonical_;
  if (leaks && (options_.leak || (multistep_ && options_.reset)))
    workspace_->leak = options_.leak ? *options_.leak : kLeakShare * own_rate(t, y);
}

void MechanismOde::change_method(const Method& method, double t, const double* y) {
  if (is_multistep(method) == multistep_) return;
  multistep_ = is_multistep(method);
  kept_ = {};
  solve(t, y);
  set_leak(t, y);
}

void MechanismOde::find_sizes() {
  Eigen::VectorXd inertias = probe_->joint_inertias();
  if (canonical_) {
    const Eigen::VectorXd of_joints = inertias;
    inertias.resize(nm_);
    model_.visit(
        [&](const auto& system) { canonical_sizes(system, of_joints.data(), inertias.data()); });
  }
  weights_.set_inertias(inertias);
}

StateView MechanismOde::view(double t, const double* y) {
  if (!canonical_) return {t, y, y + nq_};
  model_.visit([&](const auto& system) { from_canonical(system, y, y + nq_, u_.data()); });
  return {t, y, u_.data()};
}

// The second half of y from momenta or velocities.
void MechanismOde::store(const double* u, double* y) const {
  if (!canonical_) {
    std::copy(u, u + nv_, y + nq_);
    return;
  }
  model_.visit([&](const auto& system) { to_canonical(system, y, u, y + nq_); });
}

// The tree joint whose coordinate or momentum it is.
int MechanismOde::joint_of_entry(int entry) const {
  return model_.visit([&](const auto& system) {
    int b = system.body_count() - 1;
    const auto follows = [&](const auto& joint) {
      return !joint.has_velocity() || (entry < nq_ ? joint.q > entry : joint.v > entry - nq_);
    };
    while (b > 0 && follows(system.joint(b))) --b;
    return b;
  });
}

std::string MechanismOde::name_of(int entry) const {
  if (entry >= nq_ + nm_) return "the work done";
  if (segments_) {
    const int b = joint_of_entry(entry);
    const bool is_base = std::ranges::binary_search(segments_->description().bases, b);
    return (entry < nq_ ? "a coordinate of " : "a momentum of ") +
           (is_base ? "the segment that begins with body \"" + model_.body_name(b)
                    : "joint \"" + model_.joint_name(b)) +
           "\"";
  }
  const auto header = make_header(model_);
  if (entry < nq_) return header.q[at(entry)].name;
  const bool velocities = formulation_->form() == StateForm::kVelocities;
  if (canonical_) return "the momentum of entry " + std::to_string(entry - nq_);
  return (velocities ? header.v : header.p)[at(entry - nq_)].name;
}

bool MechanismOde::rate(double t, const double* y, double* y_dot) {
  if (kept_.y.size() > 0 && t == kept_.t && std::equal(y, y + size(), kept_.y.data())) {
    std::copy(kept_.y_dot.begin(), kept_.y_dot.end(), y_dot);
    return true;
  }
  return evaluate(t, y, y_dot);
}

bool MechanismOde::evaluate(double t, const double* y, double* y_dot) {
  ++diagnostics_.rate_evaluations;
  const auto status = formulation_->rate(view(t, y), *workspace_);
  give_rate(t, y, y_dot);
  if (!is_finite(t, status, *workspace_)) return false;
  if (constrained_ && sees_motion_ != nullptr) {
    evaluated_.stands = true;
    evaluated_.t = t;
    evaluated_.y = Eigen::Map<const Eigen::VectorXd>(y, size());
  }
  return true;
}

bool MechanismOde::jacobian(double t, const double* y, double* J) {
  if (canonical_ || formulation_->form() != StateForm::kMomenta) return false;
  if (!jacobian_) jacobian_.emplace(model_, *formulation_);
  evaluated_.stands = false;
  return jacobian_->find(view(t, y), *workspace_, size(), J);
}

bool MechanismOde::has_evaluated(double t, const double* y) const {
  return evaluated_.stands && t == evaluated_.t && std::equal(y, y + size(), evaluated_.y.data());
}

// After a rate at y.
void MechanismOde::give_rate(double t, const double* y, double* y_dot) {
  write_rates(*workspace_, y, y_dot);
  if (nw_ == 0) return;
  const auto [power, stored] = stores_work_
                                   ? formulation_->work_rate(view(t, y), *workspace_)
                                   : WorkRate{formulation_->power(view(t, y), *workspace_), {}};
  Eigen::Map<Eigen::Vector3d>(y_dot + nq_ + nm_) << power.driven, power.applied, power.dissipated;
  if (stores_work_) stored_.keep(t, y, nq_ + nm_, stored.value_or(0.0));
}

// J, of the work of drives, in the momenta at y.
double MechanismOde::stored_work(double t, const double* y) {
  if (!stores_work_) return 0.0;
  if (const auto known = stored_.at(t, y)) return *known;
  unused_rate_.resize(size());
  evaluate(t, y, unused_rate_.data());
  return stored_.at(t, y).value_or(std::numeric_limits<double>::quiet_NaN());
}

// After y was moved from where so much was stored: that is no work.
void MechanismOde::keep_work(double t, double* y, double stored) {
  if (!stores_work_) return;
  double& work = y[nq_ + nm_];
  work += stored - stored_work(t, y);
  if (kept_.y.size() > 0 && kept_.t == t) kept_.y(nq_ + nm_) = work;
}

bool MechanismOde::is_finite(double t, Status status, const Workspace& workspace) {
  if (status == Status::kOk) return true;
  not_finite_at_ = first_not_finite(model_, workspace);
  not_finite_time_ = t;
  return false;
}

// A place where stages of a rejected step were not finite still lies ahead.
void MechanismOde::forget_passed(double t) {
  if (!(not_finite_time_ > t)) not_finite_at_.reset();
}

bool MechanismOde::free_rate(double t, const double* y, double* y_dot) {
  ++diagnostics_.rate_evaluations;
  const auto status = free_formulation_->rate(view(t, y), *free_workspace_);
  write_rates(*free_workspace_, y, y_dot);
  return is_finite(t, status, *free_workspace_);
}

// Rates of coordinates and of the second half of y, after a rate at y.
void MechanismOde::write_rates(const Workspace& w, const double* y, double* y_dot) const {
  std::copy(w.q_dot.begin(), w.q_dot.end(), y_dot);
  if (!canonical_) {
    std::copy(w.u_dot.begin(), w.u_dot.end(), y_dot + nq_);
    return;
  }
  model_.visit([&](const auto& system) {
    canonical_rates(system, y, y + nq_, u_.data(), w.v.data(), w.u_dot.data(), y_dot + nq_);
  });
}

void MechanismOde::weights(const Tolerances& tolerances, const double* y, double* weights) const {
  weights_.find(tolerances, diagnostics_.kinetic, y, size(), weights);
}

bool MechanismOde::finish_step(double t, double* y, bool projects, bool may_refuse) {
  refusal_.clear();
  const double stored = watches_energies_only() ? 0.0 : stored_work(t, y);
  const bool solved = has_evaluated(t, y);  // quaternions of another length turn nothing
  evaluated_.stands = false;
  const bool is_normalised_later = projects && constrained_ && closes_loops_ != nullptr;
  if (!canonical_ && !is_normalised_later) probe_->normalise(y);
  if (watches_energies_only()) return watch_energies(t, y, !canonical_, may_refuse);
  forget_passed(t);
  Closing closing;
  if (constrained_) {
    if (!restore(t, y, projects, options_.reset, true, solved, closing)) return false;
  } else if (!solve(t, y)) {
    return false;
  }
  if (options_.energy_scaling && !scale_momenta(t, y)) ++diagnostics_.unscaled_steps;
  keep_work(t, y, stored);
  const auto now = energies(t, y, constrained_ && takes_energies());
  if (may_refuse && (refuses_gap(closing.after.position) || refuses_energies(t, now, y)))
    return false;
  observe(t, y, closing, formulation_->singular_joints(*workspace_), now);
  if (constrained_) formulation_->prepare(view(t, y), *workspace_);
  return true;
}

// Loops that this step leaves open a shorter one may close.
bool MechanismOde::refuses_gap(double gap) {
  refusal_ = guard_.open_loop(gap, [this] { return widest_gap(); });
  if (!refusal_.empty()) refuse();
  return !refusal_.empty();
}

// After a step from where energies were noted last.
bool MechanismOde::refuses_energies(double t, const Energies& energies, const double* y) {
  refusal_ =
      guard_.jump(t - noted_at_, noted_, {energies.kinetic, energies.potential, total(work(t, y))});
  if (!refusal_.empty()) refuse();
  return !refusal_.empty();
}

void MechanismOde::refuse() {
  ++diagnostics_.refused_steps;
  refusal_ += singular_pose();
}

// The joint is that of a pivot that is masked now, or else was at the pose seen last.
std::string MechanismOde::singular_pose() const {
  const auto joints = formulation_->singular_joints(*workspace_);
  if (joints.empty() && !(least_pivot() < kSmallPivot)) return {};
  const auto& seen = diagnostics_.near_singular_joints;
  std::string joint;
  if (!joints.empty()) {
    joint = model_.joint_name(joints.front());
  } else if (!seen.empty()) {
    joint = std::ranges::max(seen, {}, &NearSingular::last).joint;
  }
  return ", near a singular pose" + (joint.empty() ? joint : " at joint \"" + joint + "\"");
}

// Brings y onto the loops, with velocities, and cleans its second half. `is_step`: it ends one.
bool MechanismOde::restore(double t, double* y, bool projects, bool cleans, bool is_step,
                           bool solved, Closing& closing) {
  if (solved) {
    take_velocities();
    see(t, y);
  } else {
    place(t, y);
  }
  closing.before.position = probe_->position_residual();
  closing.after.position = closing.before.position;
  if (projects && (closes_loops_ || !(closing.before.position <= least_gap()))) {
    // Newton's step; more next to a singular pose, where one leaves loops open.
    for (int i = 0; i < kMostProjections; ++i) {
      const double open = closing.after.position;
      if (!project(t, y)) return false;
      if (!solve(t, y)) return false;
      closing.after.position = probe_->position_residual();
      if (!closer_ || closing.after.position <= kProjected * length_ ||
          !(closing.after.position < 0.5 * open) || least_pivot() >= kSmallPivot)
        break;
    }
    if (closer_ && closing.after.position > kLeftOpen * length_ && least_pivot() < kSmallPivot) {
      Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(y, nq_);
      closer_(t, q);
      std::copy(q.begin(), q.end(), y);
      if (!solve(t, y)) return false;
      closing.after.position = probe_->position_residual();
    }
  } else if (!solved) {
    if (!find_velocities(t, y)) return false;
    look_at_velocities(t, y);
  }
  if (is_step && formulation_->form() == StateForm::kMomenta) keep_impulses();
  closing.before.velocity = probe_->velocity_residual();
  if (cleans && !clean(t, y, is_step)) return false;
  const bool same = formulation_->form() == StateForm::kMomenta;
  closing.after.velocity = same ? closing.before.velocity : probe_->velocity_residual();
  return true;
}

// m, by which loops may stay open, after a rate nearby.
double MechanismOde::least_gap() const {
  const bool may_open = sees_motion_ != nullptr && sees_motion_->moved(*workspace_) != nullptr &&
                        redundancy_.redundant == 0 && !(closer_ && least_pivot() < kSmallPivot);
  return length_ * (may_open ? kLeastGap : kRoundedGap);
}

bool MechanismOde::settle(double t, double* y) {
  probe_->normalise(y);
  if (!constrained_ && !options_.energy_scaling) return true;
  const double stored = stored_work(t, y);
  if (constrained_) {
    Closing closing;
    const bool cleans = options_.reset && !multistep_;
    if (!restore(t, y, options_.projection, cleans, false, false, closing)) return false;
  } else if (!solve(t, y)) {
    return false;
  }
  if (options_.energy_scaling) scale_momenta(t, y);
  keep_work(t, y, stored);
  return true;
}

Verdict MechanismOde::watch(double t, const double* y) {
  refusal_.clear();
  if (watches_energies_only()) {
    if (watch_energies(t, y, false, true)) return Verdict::kGoOn;
    return refusal_.empty() ? Verdict::kStop : Verdict::kRetake;
  }
  forget_passed(t);
  if (!solve(t, y)) return Verdict::kStop;
  const auto residuals = probe_->residuals();
  const auto now = energies(t, y, false);
  if (refuses_energies(t, now, y)) return Verdict::kRetake;
  observe(t, y, {residuals, residuals}, formulation_->singular_joints(*workspace_), now);
  // Which redundant rows are left out is part of the equation: a history of another one is of no
  // use.
  if (formulation_->prepare(view(t, y), *workspace_)) return Verdict::kRestart;
  if (!options_.projection) return Verdict::kGoOn;
  const auto tolerances = *tolerances_of(options_.integrator);
  const double largest = kRestartGap * (tolerances.relative * length_ + tolerances.absolute);
  return residuals.position > largest ? Verdict::kRestart : Verdict::kGoOn;
}

bool MechanismOde::correct(double t, const double* y, double* correction) {
  if (formulation_->form() == StateForm::kMomenta) {
    place(t, y);
  } else if (!solve(t, y)) {
    return false;
  }
  std::copy(y, y + nq_ + nv_, moved_.data());
  if (!step_by(t, y, probe_->phi())) return false;
  for (int i = 0; i < nq_; ++i) moved_(i) += workspace_->q_dot[at(i)];
  probe_->normalise(moved_.data());
  if (formulation_->form() == StateForm::kVelocities) {
    if (!step_by(t, y, probe_->phi_rate())) return false;
    for (int i = 0; i < nv_; ++i) moved_(nq_ + i) += workspace_->v[at(i)];
  }
  for (int i = 0; i < nq_ + nv_; ++i) correction[i] = moved_(i) - y[i];
  return true;
}

bool MechanismOde::gaps(double t, const double* y, double* phi) {
  probe_->set(t, y, at_rest_.data());
  const auto& gaps = probe_->phi();
  std::copy(gaps.data(), gaps.data() + gaps.size(), phi);
  return gaps.allFinite();
}

void MechanismOde::add_impulses(double t, const double* y, const double* impulses, double* change) {
  probe_->set(t, y, at_rest_.data());
  impulses_.setZero();
  probe_->add_loop_impulses(impulses, impulses_.data());
  model_.visit(
      [&](const auto& system) { to_canonical(system, y, impulses_.data(), moved_.data()); });
  for (int i = 0; i < nm_; ++i) change[nq_ + i] += moved_(i);
}

bool MechanismOde::closing_impulses(double t, const double* y, const double* phi,
                                    double* impulses) {
  const Eigen::Map<const Eigen::VectorXd> gaps(phi, model_.constraint_count());
  if (!step_by(t, y, gaps)) return false;
  for (std::size_t i = 0; i < workspace_->sigma.size(); ++i) impulses[i] = -workspace_->sigma[i];
  return true;
}

State MechanismOde::state(double t, const double* y) {
  solve(t, y);
  if (segments_) {
    State state{t, Eigen::VectorXd(model().coordinate_count()), Eigen::VectorXd(whole_v_.size())};
    segments_->join(t, y, v_.data(), state.q.data(), whole_v_.data());
    whole_probe_->set(t, state.q.data(), whole_v_.data());
    whole_probe_->momenta(state.p.data());
    return state;
  }
  const auto now = view(t, y);
  State state{t, Eigen::Map<const Eigen::VectorXd>(y, nq_),
              Eigen::Map<const Eigen::VectorXd>(now.u, nv_)};
  if (canonical_) probe_->normalise(state.q.data());
  if (formulation_->form() == StateForm::kVelocities) probe_->momenta(state.p.data());
  return state;
}

Eigen::VectorXd MechanismOde::accelerations(double t, const double* y) {
  evaluated_.stands = false;
  formulation_->accelerations(view(t, y), *workspace_);
  const auto& v_dot = workspace_->v_dot;
  return Eigen::Map<const Eigen::VectorXd>(v_dot.data(), static_cast<Eigen::Index>(v_dot.size()));
}

Power MechanismOde::work(double t, const double* y) {
  if (nw_ == 0) return {};
  const double* w = y + nq_ + nm_;
  return {w[0] + stored_work(t, y), w[1], w[2]};
}

Power MechanismOde::power(double t, const double* y) {
  if (nw_ == 0) return {};
  const auto now = view(t, y);
  evaluated_.stands = false;
  formulation_->rate(now, *workspace_);
  return formulation_->power(now, *workspace_);
}

// For the state that state() last put the probe at.
void MechanismOde::sensors(double t, const double* y, Eigen::VectorXd& values) {
  bool known = false;  // accelerations are asked for at most once, and only by sensors
  const auto reaction = [&](int joint) {
    if (segments_) joint = *model_.find_joint(model().joint_name(joint));
    if (!known && formulation_->accelerations(view(t, y), *workspace_) != Status::kOk) {
      throw SimulationError(t, "the reactions are not finite");
    }
    known = true;
    return formulation_->reaction(joint, *workspace_);
  };
  shown().sensors(reaction, values);
}

Sample MechanismOde::sample(double t, const double* y) {
  Sample sample;
  sample.t = t;
  sample.power = power(t, y);
  const auto now = state(t, y);
  // By the model's own kinematics, to the last bit those of whoever reads the record.
  if (!segments_) probe_->set(t, y, v_.data());
  sensors(t, y, sample.sensors);
  sample.q = now.q;
  sample.v = v();
  sample.p = now.p;
  sample.work = work(t, y);
  probe_->numbers(sample);
  shown().poses(sample.poses);
  shown().outside(sample.outside_q, sample.outside_v);
  return sample;
}

int MechanismOde::degrees_of_freedom() const {
  return nv_ - (redundancy_.constraints - redundancy_.redundant);
}

double MechanismOde::time_to(const CurveBends& curves, double t, const double* y) {
  if (segments_) {
    state(t, y);
  } else {
    solve(t, y);
  }
  return curves.time_ahead(shown());
}

// sigma of the joints and couplings that the model has as it was given: those between segments
// stand between them.
void MechanismOde::keep_impulses() {
  std::copy(workspace_->sigma.begin(), workspace_->sigma.end(), step_impulses_.data());
  if (!segments_) return;
  const auto couplings = static_cast<Eigen::Index>(model().mechanism().couplings.size());
  const auto joints = whole_impulses_.size() - couplings;
  whole_impulses_ << step_impulses_.head(joints), step_impulses_.tail(couplings);
}

// All that there is to see of an accepted step without loops.
bool MechanismOde::watch_energies(double t, const double* y, bool keeps_rate, bool may_refuse) {
  forget_passed(t);
  if (keeps_rate) {
    kept_.y_dot.resize(size());
    if (!evaluate(t, y, kept_.y_dot.data())) return false;
    kept_.t = t;
    kept_.y = Eigen::Map<const Eigen::VectorXd>(y, size());
  } else {
    ++diagnostics_.velocity_solves;
    if (formulation_->velocities(view(t, y), nullptr, *workspace_) != Status::kOk) return false;
  }
  take_velocities();
  Energies now;
  if (const auto own = formulation_->energies(view(t, y), *workspace_)) {
    now = {own->kinetic, own->potential + left_out_};
  } else {
    probe_->set(t, y, v_.data());
    now = {probe_->kinetic_energy(), probe_->potential_energy()};
  }
  if (may_refuse && refuses_energies(t, now, y)) return false;
  note(t, now, y);
  return true;
}

// Where the probe stands. `cleaned`: no loop carries an impulse, and T = p v / 2.
Energies MechanismOde::energies(double t, const double* y, bool cleaned) {
  if (cleaned) {
    if (const auto own = formulation_->energies(view(t, y), *workspace_))
      return {own->kinetic, own->potential + left_out_};
  }
  return {probe_->kinetic_energy(), probe_->potential_energy()};
}

void MechanismOde::note(double t, const Energies& energies, const double* y) {
  auto& d = diagnostics_;
  d.kinetic = energies.kinetic;
  d.potential = energies.potential;
  const Power done = work(t, y);
  noted_ = {d.kinetic, d.potential, total(done)};
  noted_at_ = t;
  d.energy.add(d.kinetic, d.potential, done);
}

// Velocities of the state; the probe then stands at it.
bool MechanismOde::solve(double t, const double* y) {
  if (!find_velocities(t, y)) return false;
  see(t, y);
  return true;
}

// The probe at y, of which the workspace has the velocities.
void MechanismOde::see(double t, const double* y) {
  if (!take_motion(t, y)) probe_->set(t, y, v_.data());
}

// The probe as the formulation has just found the bodies; false where it does not tell.
bool MechanismOde::take_motion(double t, const double* y) {
  const auto* kin = sees_motion_ ? sees_motion_->moved(*workspace_) : nullptr;
  if (kin != nullptr) probe_->take(t, y, v_.data(), *kin);
  return kin != nullptr;
}

// The probe at y, with velocities of no matter.
void MechanismOde::place(double t, const double* y) {
  if (const auto* kin = sees_motion_ ? sees_motion_->placed(view(t, y), *workspace_) : nullptr) {
    probe_->take(t, y, at_rest_.data(), *kin);
  } else {
    probe_->place(t, y);
  }
}
// With velocities, where it is placed.
void MechanismOde::look_at_velocities(double t, const double* y) {
  if (!take_motion(t, y)) probe_->move(v_.data());
}

bool MechanismOde::find_velocities(double t, const double* y) {
  ++diagnostics_.velocity_solves;
  evaluated_.stands = false;
  if (formulation_->velocities(view(t, y), nullptr, *workspace_) != Status::kOk) return false;
  take_velocities();
  return true;
}

void MechanismOde::take_velocities() {
  std::copy(workspace_->v.begin(), workspace_->v.end(), v_.data());
}

// The Newton step onto the loops that moves the masses least: the velocities of a mechanism at rest
// whose loops are asked to close by Phi.
bool MechanismOde::project(double t, double* y) {
  if (closes_loops_ != nullptr) {
    if (closes_loops_->project(view(t, y), y, *workspace_)) return true;
    probe_->normalise(y);
    place(t, y);
  }
  if (!step_by(t, y, probe_->phi())) return false;
  for (int i = 0; i < nq_; ++i) y[i] += workspace_->q_dot[at(i)];
  probe_->normalise(y);
  return true;
}

// Velocities that open the loops by -phi and move the masses least.
bool MechanismOde::step_by(double t, const double* y,
                           const Eigen::Ref<const Eigen::VectorXd>& phi) {
  ++diagnostics_.velocity_solves;
  evaluated_.stands = false;
  const StateView at_rest{t, y, at_rest_.data()};
  return formulation_->velocities(at_rest, phi.data(), *workspace_) == Status::kOk;
}

// The second half of the state without what drifted into it: momenta without sigma, or velocities
// that keep the loops closed.
bool MechanismOde::clean(double t, double* y, bool keeps_rate) {
  if (formulation_->form() == StateForm::kMomenta) {
    if (sees_motion_ && !canonical_ && sees_motion_->reset(view(t, y), y + nq_, *workspace_)) {
      if (keeps_rate && !options_.energy_scaling) keep_rate(t, y);
      return true;
    }
    if (closes_loops_ && !canonical_ && closes_loops_->reset(view(t, y), y + nq_, *workspace_))
      return true;
    std::copy_n(view(t, y).u, nv_, impulses_.data());
    probe_->reset(workspace_->sigma.data(), least_pivot(), impulses_.data());
    store(impulses_.data(), y);
    return true;
  }
  if (!step_by(t, y, probe_->phi_rate())) return false;
  for (int i = 0; i < nv_; ++i) y[nq_ + i] += workspace_->v[at(i)];
  return solve(t, y);
}

// Which the workspace has.
void MechanismOde::keep_rate(double t, const double* y) {
  kept_.y_dot.resize(size());
  give_rate(t, y, kept_.y_dot.data());
  kept_.t = t;
  kept_.y = Eigen::Map<const Eigen::VectorXd>(y, size());
}

//   p <- alpha p,  alpha^2 = (E_0 + W - V) / T
// Near rest, or where the energy is far off, that would do harm: there it is left alone, and false.
bool MechanismOde::scale_momenta(double t, double* y) {
  const double kinetic = probe_->kinetic_energy();
  const double wanted =
      diagnostics_.energy.initial + total(work(t, y)) - probe_->potential_energy();
  const double square = wanted / kinetic;
  if (!(kinetic > kLeastKinetic * diagnostics_.energy.scale()) ||
      !(std::abs(square - 1.0) <= kLargestScaling)) {
    return false;
  }
  const double alpha = std::sqrt(square);
  for (int k = nq_; k < nq_ + nv_; ++k) y[k] *= alpha;
  v_ *= alpha;
  probe_->set(t, y, v_.data());
  return true;
}

void MechanismOde::look(double t, const double* y, const Eigen::VectorXd& v) {
  v_ = v;
  probe_->set(t, y, v.data());
  const auto residuals = probe_->residuals();
  observe(t, y, {residuals, residuals}, {}, energies(t, y, false));
}

void MechanismOde::observe(double t, const double* y, const Closing& closing,
                           const std::vector<int>& singular_joints, const Energies& energies) {
  auto& d = diagnostics_;
  if (segments_) segments_->follow(t, *probe_);
  const double speed = probe_->greatest_speed();
  follow_turns(t, y, speed);
  if (constrained_) {
    const auto& [before, after] = closing;
    std::vector<std::string> joints;
    for (const int j : singular_joints) joints.push_back(model_.joint_name(j));
    d.near_singular(t, joints);
    auto& c = d.constraint;
    const auto keep = [](double& largest, double value) {
      if (!(value <= largest)) largest = value;  // keeps a NaN
    };
    keep(c.position_max_before, before.position);
    keep(c.velocity_max_before, before.velocity);
    keep(c.position_max, after.position);
    keep(joints.empty() ? c.velocity_max : c.velocity_max_near_singular, after.velocity);
    d.position_residual = after.position;
    d.velocity_residual = after.velocity;
  }
  d.constraint.greatest_speed = std::max(d.constraint.greatest_speed, speed);
  note(t, energies, y);
}

// How far bodies may have turned since turns were followed is told by their greatest speed, that of
// the step before or of this one.
void MechanismOde::follow_turns(double t, const double* y, double speed) {
  if (!shown().counts_turns()) return;
  turned_ += std::max(speed_, speed) / length_ * (t - noted_at_);
  speed_ = speed;
  if (turned_ <= kTurned && !shown().turns_by_itself()) return;
  turned_ = 0.0;
  if (segments_) {
    Eigen::VectorXd q(model().coordinate_count());
    segments_->join(t, y, v_.data(), q.data(), whole_v_.data());
    whole_probe_->set(t, q.data(), whole_v_.data());
  }
  const int lost = shown().follow_moving();
  if (lost == kNone) return;
  const auto note = "joint " + model().joint_name(lost) +
                    " turned by more than half a turn in a step, not evenly: its angle may be off "
                    "by whole turns";
  auto& notes = diagnostics_.notes;
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

void MechanismOde::follow_from(const Eigen::VectorXd& outside_q) { shown().follow_from(outside_q); }

const Eigen::VectorXd& MechanismOde::outside_q() const { return shown().followed(); }

// How fast the mechanism moves and how fast that changes, as a rate: of a pendulum of length L it
// is between sqrt(g / L) and its angular velocity. In the mass metric, with L the mechanism's
// length:
//   rate^2 = |v|^2 / (m L^2) + |vdot| / (sqrt(m) L)
double MechanismOde::own_rate(double t, const double* y) {
  const double kinetic = probe_->kinetic_energy();
  double rate = 0.0;
  if (formulation_->accelerations(view(t, y), *workspace_) == Status::kOk) {
    probe_->set(t, y, workspace_->v_dot.data());
    const double mass = model_.visit([](const auto& system) {
      double sum = 0.0;
      for (const auto& body : system.bodies) sum += body.mass;
      return sum;
    });
    const double length = model_.visit([](const auto& system) { return system.length; });
    rate = std::sqrt(2.0 * kinetic / (mass * length * length) +
                     std::sqrt(2.0 * probe_->kinetic_energy() / mass) / length);
    probe_->set(t, y, v_.data());
  }
  return rate > 0.0 && std::isfinite(rate) ? rate : 1.0;
}

std::optional<int> MechanismOde::where_not_finite() const {
  return not_finite_at_ ? not_finite_at_ : first_not_finite(model_, *workspace_);
}

std::string MechanismOde::widest_gap() { return hamiltree::widest_gap(model_, probe_->phi()); }

std::vector<std::string> MechanismOde::notes(double t, const double* y) {
  auto notes = not_unique_notes(model_, *formulation_, redundancy_, view(t, y), *workspace_);
  if (options_.segments == 0) return notes;
  const int longest =
      segments_ ? segments_->description().longest : in_segments(model_, options_.segments).longest;
  if (longest > options_.segments) {
    notes.push_back(long_segments_note(longest));
  } else if (!segments_) {
    notes.push_back("no path of joints is longer than a segment: none floats");
  }
  return notes;
}

}  // namespace hamiltree
