// Steps: how one ends, whether it may stand, and what Diagnostics are told of it.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "hamiltree/simulation/mechanism_ode.hpp"

namespace hamiltree {
namespace {

constexpr double kGrown = 2.0;            // a gap has, where it is worth to close it again
constexpr double kLeastKinetic = 1e-6;    // of the energy that moves, for momenta to be scaled
constexpr double kLargestScaling = 1e-2;  // |alpha^2 - 1|
// Two bodies that have each turned by no more than this, rad, are far from a half turn against each
// other.
constexpr double kTurned = 0.5;

}  // namespace

bool MechanismOde::finish_step(double t, double* y, bool projects, bool may_refuse) {
  refusal_.clear();
  const double stored = watches_energies_only() ? 0.0 : stored_work(t, y);
  const bool solved = evaluated_at_.is(t, y);  // quaternions of another length turn nothing
  evaluated_at_.forget();
  const bool is_normalised_later = projects && constrained_ && formulation_->projects();
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
  const auto own = constrained_ && takes_energies() ? own_energies(t, y) : std::nullopt;
  const auto now = own ? *own : seen_energies();
  if (may_refuse && (refuses_gap(closing) || refuses_energies(t, now, y))) return false;
  observe(t, y, closing, formulation_->singular_joints(*workspace_), now);
  left_open_ = closing.after.position;
  if (constrained_) formulation_->prepare(view(t, y), *workspace_);
  return true;
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
  const auto now = seen_energies();
  if (refuses_energies(t, now, y)) return Verdict::kRetake;
  observe(t, y, {residuals, residuals}, formulation_->singular_joints(*workspace_), now);
  // Which redundant rows are left out is part of the equation: a history of another one is of no
  // use.
  if (formulation_->prepare(view(t, y), *workspace_)) return Verdict::kRestart;
  if (!options_.projection) return Verdict::kGoOn;
  const auto tolerances = *tolerances_of(options_.integrator);
  const double largest = kRestartGap * (tolerances.relative * length_ + tolerances.absolute);
  // What closing them has left open it would leave again, as where rows contradict each other.
  return residuals.position > std::max(largest, kGrown * left_open_) ? Verdict::kRestart
                                                                     : Verdict::kGoOn;
}

// Loops that this step leaves open a shorter one may close.
bool MechanismOde::refuses_gap(const Closing& closing) {
  refusal_ = guard_.open_loop(closing.after.position, {[this] { return widest_gap(); },
                                                       [&] { return closing.contradicts; }});
  if (!refusal_.empty()) refuse();
  return !refusal_.empty();
}

// After a step from where energies were noted last.
bool MechanismOde::refuses_energies(double t, const Energies& energies, const double* y) {
  const auto contradict = [&] { return contradicts(t, y); };
  refusal_ =
      guard_.jump(t - noted_at_, noted_, {energies.kinetic, energies.potential, total(work(t, y))},
                  {[this] { return widest_gap(); }, std::ref(contradict)});
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
  if (joints.empty() && !(least_pivot() < kSmallPivot * pivot_unit_)) return {};
  const auto& seen = diagnostics_.near_singular_joints;
  std::string joint;
  if (!joints.empty()) {
    joint = model_.joint_name(joints.front());
  } else if (!seen.empty()) {
    joint = std::ranges::max(seen, {}, &NearSingular::last).joint;
  }
  return ", near a singular pose" + (joint.empty() ? joint : " at joint \"" + joint + "\"");
}

// All that there is to see of an accepted step without loops.
bool MechanismOde::watch_energies(double t, const double* y, bool keeps_rate, bool may_refuse) {
  forget_passed(t);
  if (keeps_rate) {
    kept_at_.forget();
    kept_rate_.resize(size());
    if (!evaluate(t, y, kept_rate_.data())) return false;
    kept_at_.keep(t, y, size());
  } else {
    ++diagnostics_.velocity_solves;
    if (formulation_->velocities(view(t, y), nullptr, *workspace_) != Status::kOk) return false;
  }
  take_velocities();
  auto now = own_energies(t, y);
  if (!now) {
    probe_->set(t, y, v_.data());
    now = seen_energies();
  }
  if (may_refuse && refuses_energies(t, *now, y)) return false;
  note(t, *now, y);
  return true;
}

// Those of the formulation, if it tells them: where no loop carries an impulse, and T = p v / 2,
// which rounding may make negative at rest.
std::optional<Energies> MechanismOde::own_energies(double t, const double* y) {
  auto own = formulation_->energies(view(t, y), *workspace_);
  if (own) {
    own->kinetic = std::max(own->kinetic, 0.0);
    own->potential += left_out_;
  }
  return own;
}

// Where the probe stands.
Energies MechanismOde::seen_energies() const {
  return {probe_->kinetic_energy(), probe_->potential_energy()};
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
  if (formulation_->form() == StateForm::kMomenta)
    step_impulses_.fill(std::numeric_limits<double>::quiet_NaN());
  probe_->set(t, y, v.data());
  const auto residuals = probe_->residuals();
  observe(t, y, {residuals, residuals, false, true}, {}, seen_energies());
}

void MechanismOde::observe(double t, const double* y, const Closing& closing,
                           const std::vector<int>& singular_joints, const Energies& energies) {
  auto& d = diagnostics_;
  if (whole_) whole_->follow(t, *probe_);
  const double speed = probe_->greatest_speed();
  follow_turns(t, y, speed);
  if (constrained_) {
    const auto& [before, after, contradicts, on_branch] = closing;
    std::vector<std::string> joints;
    for (const int j : singular_joints) joints.push_back(model_.joint_name(j));
    d.near_singular(t, joints);
    auto& c = d.constraint;
    const auto keep = [](double& largest, double value) {
      if (!(value <= largest)) largest = value;  // keeps a NaN
    };
    if (contradicts && joints.empty() && after.position > c.position_max)
      d.left_open = widest_gap();
    keep(c.position_max_before, before.position);
    keep(c.velocity_max_before, before.velocity);
    keep(c.position_max, after.position);
    const bool near_singular = on_branch || !joints.empty();
    keep(near_singular ? c.velocity_max_near_singular : c.velocity_max, after.velocity);
    d.position_residual = after.position;
    d.velocity_residual = after.velocity;
  }
  d.constraint.greatest_speed = std::max(d.constraint.greatest_speed, speed);
  note(t, energies, y);
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

// How far bodies may have turned since turns were followed is told by their greatest speed, that of
// the step before or of this one.
void MechanismOde::follow_turns(double t, const double* y, double speed) {
  if (!shown().counts_turns()) return;
  turned_ += std::max(speed_, speed) / length_ * (t - noted_at_);
  speed_ = speed;
  if (turned_ <= kTurned && !shown().turns_by_itself()) return;
  turned_ = 0.0;
  if (whole_) whole_->see(t, y, v_.data());
  const int lost = shown().follow_moving();
  if (lost == kNone) return;
  diagnostics_.note_once("joint " + model().joint_name(lost) +
                         " turned by more than half a turn in a step, not evenly: its angle may be "
                         "off by whole turns");
}

}  // namespace hamiltree
