// Evaluations at y: rates, the work that is stored in momenta, velocities, and the probe where they
// are seen.
#include <algorithm>

#include "hamiltree/formulations/not_finite.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"

namespace hamiltree {

bool MechanismOde::rate(double t, const double* y, double* y_dot) {
  if (!kept_at_.is(t, y)) return evaluate(t, y, y_dot);
  std::copy(kept_rate_.begin(), kept_rate_.end(), y_dot);
  return true;
}

bool MechanismOde::evaluate(double t, const double* y, double* y_dot) {
  ++diagnostics_.rate_evaluations;
  const auto status = formulation_->rate(view(t, y), *workspace_);
  give_rate(t, y, y_dot);
  if (!is_finite(t, status, *workspace_)) return false;
  if (constrained_ && formulation_->sees_motion()) evaluated_at_.keep(t, y, size());
  return true;
}

bool MechanismOde::free_rate(double t, const double* y, double* y_dot) {
  ++diagnostics_.rate_evaluations;
  const auto status = free_formulation_->rate(view(t, y), *free_workspace_);
  write_rates(*free_workspace_, y, y_dot);
  return is_finite(t, status, *free_workspace_);
}

bool MechanismOde::jacobian(double t, const double* y, double* J) {
  if (canonical_ || formulation_->form() != StateForm::kMomenta) return false;
  if (!jacobian_) jacobian_.emplace(model_, *formulation_);
  evaluated_at_.forget();
  return jacobian_->find(view(t, y), *workspace_, size(), J);
}

// After a rate at y.
void MechanismOde::give_rate(double t, const double* y, double* y_dot) {
  write_rates(*workspace_, y, y_dot);
  if (nw_ == 0) return;
  const auto [power, stored] = stores_work_
                                   ? formulation_->work_rate(view(t, y), *workspace_)
                                   : WorkRate{formulation_->power(view(t, y), *workspace_), {}};
  Eigen::Map<Eigen::Vector3d>(y_dot + nq_ + nm_) << power.driven, power.applied, power.dissipated;
  if (!stores_work_) return;
  stored_at_.keep(t, y, nq_ + nm_);
  stored_ = stored.value_or(0.0);
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

// The rate that the workspace has.
void MechanismOde::keep_rate(double t, const double* y) {
  kept_rate_.resize(size());
  give_rate(t, y, kept_rate_.data());
  kept_at_.keep(t, y, size());
}

// J, of the work of drives, in the momenta at y.
double MechanismOde::stored_work(double t, const double* y) {
  if (!stores_work_) return 0.0;
  if (!stored_at_.is(t, y)) {
    unused_rate_.resize(size());
    evaluate(t, y, unused_rate_.data());
  }
  return stored_;
}

// After y was moved from where so much was stored: that is no work.
void MechanismOde::keep_work(double t, double* y, double stored) {
  if (!stores_work_) return;
  double& work = y[nq_ + nm_];
  work += stored - stored_work(t, y);
  kept_at_.change(t, nq_ + nm_, work);
}

Eigen::VectorXd MechanismOde::accelerations(double t, const double* y) {
  evaluated_at_.forget();
  formulation_->accelerations(view(t, y), *workspace_);
  const auto& v_dot = workspace_->v_dot;
  return Eigen::Map<const Eigen::VectorXd>(v_dot.data(), static_cast<Eigen::Index>(v_dot.size()));
}

Power MechanismOde::power(double t, const double* y) {
  if (nw_ == 0) return {};
  if (known_velocities(t, y) != nullptr) return known_->power(t, y);
  const auto now = view(t, y);
  evaluated_at_.forget();
  formulation_->rate(now, *workspace_);
  return formulation_->power(now, *workspace_);
}

Power MechanismOde::work(double t, const double* y) {
  if (nw_ == 0) return {};
  const double* w = y + nq_ + nm_;
  return {w[0] + stored_work(t, y), w[1], w[2]};
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

std::optional<int> MechanismOde::where_not_finite() const {
  return not_finite_at_ ? not_finite_at_ : first_not_finite(model_, *workspace_);
}

const Eigen::VectorXd* MechanismOde::known_velocities(double t, const double* y) const {
  return known_ == nullptr ? nullptr : known_->velocities(t, y);
}

// Velocities of the state; the probe then stands at it.
bool MechanismOde::solve(double t, const double* y) {
  if (const auto* v = known_velocities(t, y)) {
    v_ = *v;
    probe_->set(t, y, v_.data());
    return true;
  }
  if (!find_velocities(t, y)) return false;
  see(t, y);
  return true;
}

bool MechanismOde::find_velocities(double t, const double* y) {
  ++diagnostics_.velocity_solves;
  evaluated_at_.forget();
  if (formulation_->velocities(view(t, y), nullptr, *workspace_) != Status::kOk) return false;
  take_velocities();
  return true;
}

void MechanismOde::take_velocities() {
  std::copy(workspace_->v.begin(), workspace_->v.end(), v_.data());
}

// The probe at y, of which the workspace has the velocities.
void MechanismOde::see(double t, const double* y) {
  if (!take_motion(t, y)) probe_->set(t, y, v_.data());
}

// The probe as the formulation has just found the bodies; false where it does not tell.
bool MechanismOde::take_motion(double t, const double* y) {
  const auto* kin = formulation_->moved(*workspace_);
  if (kin != nullptr) probe_->take(t, y, v_.data(), *kin);
  return kin != nullptr;
}

// The probe at y, with velocities of no matter.
void MechanismOde::place(double t, const double* y) {
  if (const auto* kin = formulation_->placed(view(t, y), *workspace_)) {
    probe_->take(t, y, at_rest_.data(), *kin);
  } else {
    probe_->place(t, y);
  }
}

// With velocities, where it is placed.
void MechanismOde::look_at_velocities(double t, const double* y) {
  if (!take_motion(t, y)) probe_->move(v_.data());
}

}  // namespace hamiltree
