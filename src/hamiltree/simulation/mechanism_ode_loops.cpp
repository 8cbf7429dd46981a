// Loops: positions are projected onto them, and momenta and velocities cleaned of what they leave.
#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/simulation/mechanism_ode.hpp"
#include "hamiltree/simulation/notes.hpp"

namespace hamiltree {
namespace {

// Loops that are open by no more than this, relative to the length, stay as they are: a twentieth
// of what is promised. Redundant rows open as fast as gaps let them, and next to singular poses
// bodies move by the roots of gaps: there, and for all other formulations, it is what rounding
// leaves.
constexpr double kLeastGap = 5e-14, kRoundedGap = 2e-15;
// Next to a singular pose, where pivots are smaller than this, projection is asked for so much of
// the length, in at most so many steps.
constexpr double kProjected = 1e-13;
constexpr int kMostProjections = 4;
constexpr double kTold = 1e-11;      // what redundant rows leave open, for a note
constexpr double kLeftOpen = 5e-13;  // above, pivots are masked that would close it

}  // namespace

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
  if (projects && (formulation_->projects() || !(closing.before.position <= least_gap()))) {
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
    if (closer_ && closing.after.position > kLeftOpen * length_ &&
        least_pivot() < kSmallPivot * pivot_unit_) {
      Eigen::VectorXd q = Eigen::Map<const Eigen::VectorXd>(y, nq_);
      closer_(t, q);
      std::copy(q.begin(), q.end(), y);
      if (!solve(t, y)) return false;
      closing.after.position = probe_->position_residual();
    }
    closing.contradicts = stays_open(closing.before.position, closing.after.position);
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

// Where redundant rows leave a gap, m, that Newton's step does not close.
bool MechanismOde::stays_open(double before, double after) const {
  return redundancy_.redundant > 0 && after > kTold * length_ && !(after < 0.5 * before);
}

// Takes that step from y; the probe stands where it leads to.
bool MechanismOde::contradicts(double t, const double* y) {
  if (redundancy_.redundant == 0) return false;
  evaluated_at_.forget();
  place(t, y);
  const double before = probe_->position_residual();
  Eigen::VectorXd closed = Eigen::Map<const Eigen::VectorXd>(y, size());
  if (!project(t, closed.data())) return false;
  place(t, closed.data());
  return stays_open(before, probe_->position_residual());
}

// m, by which loops may stay open, after a rate nearby.
double MechanismOde::least_gap() const {
  const bool may_open = formulation_->moved(*workspace_) != nullptr && redundancy_.redundant == 0 &&
                        !(closer_ && least_pivot() < kSmallPivot);
  return length_ * (may_open ? kLeastGap : kRoundedGap);
}

// The Newton step onto the loops that moves the masses least: the velocities of a mechanism at rest
// whose loops are asked to close by Phi.
bool MechanismOde::project(double t, double* y) {
  if (formulation_->projects()) {
    if (formulation_->project(view(t, y), y, *workspace_)) return true;
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
  evaluated_at_.forget();
  const StateView at_rest{t, y, at_rest_.data()};
  return formulation_->velocities(at_rest, phi.data(), *workspace_) == Status::kOk;
}

// The second half of the state without what drifted into it: momenta without sigma, or velocities
// that keep the loops closed.
bool MechanismOde::clean(double t, double* y, bool keeps_rate) {
  if (formulation_->form() == StateForm::kMomenta) {
    if (!canonical_ && formulation_->reset(view(t, y), y + nq_, *workspace_)) {
      if (formulation_->sees_motion() && keeps_rate && !options_.energy_scaling) keep_rate(t, y);
      return true;
    }
    std::copy_n(view(t, y).u, nv_, impulses_.data());
    probe_->reset(workspace_->sigma.data(), least_pivot(), impulses_.data());
    store(impulses_.data(), y);
    return true;
  }
  if (!step_by(t, y, probe_->phi_rate())) return false;
  for (int i = 0; i < nv_; ++i) y[nq_ + i] += workspace_->v[at(i)];
  return solve(t, y);
}

void MechanismOde::keep_impulses() {
  std::copy(workspace_->sigma.begin(), workspace_->sigma.end(), step_impulses_.data());
  if (whole_) whole_->take_impulses(step_impulses_);
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

bool MechanismOde::is_open(double t, const double* y) {
  place(t, y);
  return probe_->position_residual() > kTold * length_ && !contradicts(t, y);
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

std::string MechanismOde::widest_gap() { return hamiltree::widest_gap(model_, probe_->phi()); }

}  // namespace hamiltree
