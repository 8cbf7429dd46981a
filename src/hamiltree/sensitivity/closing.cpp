#include "hamiltree/sensitivity/closing.hpp"

#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/derivatives/jacobians.hpp"

namespace hamiltree::sensitivity {

using derivatives::as_vector;

void check_finite(Status status, double t) {
  if (status == Status::kOk) return;
  throw SimulationError(t, "the rates or their derivatives are not finite");
}

Closing::Closing(const Model& model, const Formulation& formulation, Workspace& workspace,
                 StepDerivatives& derivatives)
    : formulation_(formulation),
      workspace_(workspace),
      derivatives_(derivatives),
      probe_(make_probe(model)),
      has_loops_(model.constraint_count() > 0),
      has_quaternions_(model.coordinate_count() != model.velocity_count()),
      at_rest_(Vector::Zero(model.velocity_count())) {}

void Closing::place(double t, const Vector& q) {
  const StateView still{t, q.data(), at_rest_.data()};
  if (const auto* kin = formulation_.placed(still, workspace_)) {
    probe_->take(t, q.data(), at_rest_.data(), *kin);
  } else {
    probe_->place(t, q.data());
  }
}

void Closing::project(double t, const Vector& q, Projection& result) {
  result.t = t;
  result.given = q;
  result.normalised = q;
  probe_->normalise(result.normalised.data());
  result.q = result.normalised;
  result.displacement = at_rest_;
  if (!has_loops_) return;
  place(t, result.normalised);
  result.gap = probe_->position_residual();
  const StateView still{t, result.normalised.data(), at_rest_.data()};
  check_finite(formulation_.velocities(still, probe_->phi().data(), workspace_), t);
  result.displacement = as_vector(workspace_.v);
  result.impulses = as_vector(workspace_.sigma);
  result.q += as_vector(workspace_.q_dot);
  probe_->normalise(result.q.data());
}

void Closing::reset(double t, const Vector& q, const Vector& p, Reset& result) {
  check_finite(formulation_.velocities({t, q.data(), p.data()}, nullptr, workspace_), t);
  result.t = t;
  result.q = q;
  result.v = as_vector(workspace_.v);
  result.sigma = as_vector(workspace_.sigma);
  result.p = p;
  if (!has_loops_) return;
  const StateView state{t, q.data(), p.data()};
  if (formulation_.sees_motion() && formulation_.reset(state, result.p.data(), workspace_)) return;
  probe_->set(t, q.data(), result.v.data());
  probe_->reset(result.sigma.data(), formulation_.least_pivot(workspace_), result.p.data());
}

double Closing::gap(double t, const Vector& q) {
  place(t, q);
  return probe_->position_residual();
}

void Closing::pull_projection(const Projection& at, StateChange& change) {
  if (!has_loops_ && !has_quaternions_) return;
  const Vector q = change.q;
  change.q.setZero();
  if (!has_loops_) return derivatives_.pull_normalised(at.point(), q, change);
  check_finite(
      derivatives_.pull_projection(at.point(), at.normalised.data(), q, workspace_, change), at.t);
}

void Closing::pull_reset(const Reset& at, StateChange& change) {
  if (!has_loops_) return;
  const Vector p = change.p;
  const auto rates = std::move(change.rates);
  change.p.setZero();
  change.rates = {};
  check_finite(derivatives_.pull_reset(at.point(), p, rates, workspace_, change), at.t);
}

void Closing::push_projection(const Projection& at, StateChange& change) {
  if (!has_loops_ && !has_quaternions_) return;
  Vector q;
  if (!has_loops_) {
    derivatives_.push_normalised(at.point(), change, q);
    change.q = q;
    return;
  }
  check_finite(
      derivatives_.push_projection(at.point(), at.normalised.data(), change, workspace_, q), at.t);
  change.q = q;
}

void Closing::push_reset(const Reset& at, StateChange& change) {
  if (!has_loops_) return;
  Vector p;
  check_finite(derivatives_.push_reset(at.point(), change, workspace_, p), at.t);
  change.p = p;
}

}  // namespace hamiltree::sensitivity
