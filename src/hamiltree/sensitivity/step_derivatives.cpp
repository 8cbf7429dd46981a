#include "hamiltree/sensitivity/step_derivatives.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/derivatives/derivatives.hpp"
#include "hamiltree/model/parameters.hpp"

namespace hamiltree::sensitivity {
namespace {

using Vector = Eigen::VectorXd;
using derivatives::as_vector;

std::span<double> span_of(Vector& x, Eigen::Index size) {
  return {x.data(), static_cast<std::size_t>(size)};
}

// Those of a tangent or cotangent that are there.
void add_some(const Vector& x, Eigen::Ref<Vector> to) {
  if (x.size() > 0) to += x;
}

}  // namespace

StepDerivatives::StepDerivatives(const Model& model, const Formulation& formulation,
                                 const std::vector<int>& parameters)
    : formulation_(formulation),
      nq_(model.coordinate_count()),
      nv_(model.velocity_count()),
      nc_(model.constraint_count()) {
  refuse_accelerations(formulation);
  recorded_ = record_inverse(model, parameters);
  const auto numbers = hamiltree::parameters(model);
  point_ = Vector::Zero(1 + nq_ + nv_ + nc_ + static_cast<Eigen::Index>(parameters.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    point_(point_.size() - static_cast<Eigen::Index>(parameters.size() - i)) =
        numbers[at(parameters[i])].value;
  }
  in_ = Vector::Zero(point_.size());
  out_ = Vector::Zero(static_cast<Eigen::Index>(
      std::max({recorded_.motion.outputs(), recorded_.projection.outputs(),
                recorded_.readings.outputs(), std::size_t{1}})));
  right_ = Vector::Zero(nv_);
  gap_ = Vector::Zero(nc_ + 1);  // there even without constraints
}

StateChange StepDerivatives::zero() const {
  return {Vector::Zero(nq_), Vector::Zero(nv_), Vector::Zero(in_.size() - 1 - nq_ - nv_ - nc_), {}};
}

void StepDerivatives::place(const StepPoint& at) {
  point_(0) = at.t;
  std::copy_n(at.q, nq_, point_.data() + 1);
  std::copy_n(at.v, nv_, point_.data() + 1 + nq_);
  if (at.sigma != nullptr) {
    std::copy_n(at.sigma, nc_, point_.data() + 1 + nq_ + nv_);
  } else {
    point_.segment(1 + nq_ + nv_, nc_).setZero();
  }
}

void StepDerivatives::evaluate(TraceProgram& program, const StepPoint& at) {
  place(at);
  program.evaluate(span_of(point_, point_.size()));
}

void StepDerivatives::evaluate_early(TraceProgram& program, const StepPoint& at) {
  place(at);
  program.evaluate_early(span_of(point_, point_.size()));
}

void StepDerivatives::pull(TraceProgram& program, Eigen::Index outputs) {
  in_.setZero();
  program.pull(span_of(out_, outputs), span_of(in_, in_.size()));
}

void StepDerivatives::pull_moving(TraceProgram& program, Eigen::Index outputs) {
  in_.setZero();
  program.pull_moving(span_of(out_, outputs), span_of(in_, in_.size()));
}

void StepDerivatives::push(TraceProgram& program) {
  program.push(span_of(in_, in_.size()),
               span_of(out_, static_cast<Eigen::Index>(program.outputs())));
}

void StepDerivatives::take(StateChange& to) const {
  to.q += in_.segment(1, nq_);
  to.parameters += in_.tail(to.parameters.size());
}

void StepDerivatives::set(const StateChange& from) {
  in_.setZero();
  if (from.q.size() > 0) in_q() = from.q;
  if (from.parameters.size() > 0) in_.tail(from.parameters.size()) = from.parameters;
}

// right_ and gap_, the velocities asked for and the rates at which loops open, in frozen time.
Status StepDerivatives::solve(double t, const double* q, const Factors& by) {
  return by.formulation.velocities({t, q, right_.data()}, gap_.data(), by.workspace);
}

Status StepDerivatives::pull_solution(double t, const double* q, Eigen::Index first,
                                      const Factors& by, Vector* p) {
  right_ = in_v();
  gap_.head(nc_) = in_sigma();
  if (solve(t, q, by) != Status::kOk) return Status::kNotFinite;
  if (p != nullptr) *p += as_vector(by.workspace.v);
  out_.segment(first, nv_) = -as_vector(by.workspace.v);
  if (by.open) {
    out_.segment(first + nv_, nc_).setZero();
  } else {
    out_.segment(first + nv_, nc_) = as_vector(by.workspace.sigma);
  }
  return Status::kOk;
}

Status StepDerivatives::pull_rates(const StepPoint& at, const RateChange& rates, const Factors& by,
                                   StateChange& to) {
  auto& program = recorded_.motion;
  evaluate(program, at);
  out_.head(early()).setZero();
  out_.segment(early(), nq_) = rates.q_dot;
  out_.segment(early() + nq_, nv_) = rates.p_dot;
  pull_moving(program, early() + nq_ + nv_);
  add_some(rates.v, in_v());
  out_.head(nv_).setZero();
  if (pull_solution(at.t, at.q, nv_, by, &to.p) != Status::kOk) return Status::kNotFinite;
  pull(program, early());
  take(to);
  return to.q.allFinite() ? Status::kOk : Status::kNotFinite;
}

Status StepDerivatives::pull_velocities(const StepPoint& at, const Vector& v, Workspace& workspace,
                                        StateChange& to) {
  auto& program = recorded_.motion;
  evaluate_early(program, at);
  in_.setZero();
  in_v() = v;
  out_.head(nv_).setZero();
  if (pull_solution(at.t, at.q, nv_, closed(workspace), &to.p) != Status::kOk)
    return Status::kNotFinite;
  pull(program, early());
  take(to);
  return Status::kOk;
}

Status StepDerivatives::pull_reset(const StepPoint& at, const Vector& p, const RateChange& rates,
                                   Workspace& workspace, StateChange& to) {
  auto& program = recorded_.motion;
  const bool moves = rates.q_dot.size() > 0;
  out_.head(early()).setZero();
  out_.head(nv_) = p;
  if (moves) {
    evaluate(program, {at.t, at.q, at.v, nullptr});
    out_.segment(early(), nq_) = rates.q_dot;
    out_.segment(early() + nq_, nv_) = rates.p_dot;
    pull_moving(program, early() + nq_ + nv_);
    in_sigma().setZero();
    evaluate_early(program, at);
  } else {
    evaluate_early(program, at);
    pull_moving(program, early());
  }
  out_.head(nv_).setZero();
  if (pull_solution(at.t, at.q, nv_, closed(workspace), &to.p) != Status::kOk)
    return Status::kNotFinite;
  pull(program, early());
  take(to);
  return to.q.allFinite() ? Status::kOk : Status::kNotFinite;
}

Status StepDerivatives::pull_projection(const StepPoint& at, const double* normalised,
                                        const Vector& q, Workspace& workspace, StateChange& to) {
  auto& program = recorded_.projection;
  evaluate(program, at);
  out_.head(nv_ + nc_).setZero();
  out_.segment(nv_ + nc_, nq_) = q;
  pull_moving(program, nv_ + nc_ + nq_);
  if (pull_solution(at.t, normalised, 0, closed(workspace), nullptr) != Status::kOk)
    return Status::kNotFinite;
  pull(program, nv_ + nc_);
  take(to);
  return Status::kOk;
}

void StepDerivatives::pull_normalised(const StepPoint& at, const Vector& q, StateChange& to) {
  evaluate(recorded_.normalised, at);
  out_.head(nq_) = q;
  pull(recorded_.normalised, nq_);
  take(to);
}

void StepDerivatives::pull_momenta(const StepPoint& at, const Vector& p, StateChange& to,
                                   Vector& v) {
  evaluate_early(recorded_.motion, at);
  out_.head(early()).setZero();
  out_.head(nv_) = p;
  pull(recorded_.motion, early());
  take(to);
  v += in_v();
}

void StepDerivatives::pull_readings(const StepPoint& at, const Vector& readings, StateChange& to,
                                    Vector& v) {
  evaluate(recorded_.readings, at);
  out_.head(readings.size()) = readings;
  pull(recorded_.readings, readings.size());
  take(to);
  v += in_v();
}

// With the inputs but v and sigma set: solves for these and sets them.
Status StepDerivatives::push_solution(double t, const double* q, const Vector& p,
                                      TraceProgram& program, Eigen::Index first,
                                      const Factors& by) {
  push(program);
  right_ = -out_.segment(first, nv_);
  add_some(p, right_);
  gap_.head(nc_) = out_.segment(first + nv_, nc_);
  if (solve(t, q, by) != Status::kOk) return Status::kNotFinite;
  in_v() = as_vector(by.workspace.v);
  if (!by.open) in_sigma() = as_vector(by.workspace.sigma);
  return Status::kOk;
}

Status StepDerivatives::push_rates(const StepPoint& at, const StateChange& from, const Factors& by,
                                   RateChange& rates) {
  auto& program = recorded_.motion;
  evaluate(program, at);
  set(from);
  if (push_solution(at.t, at.q, from.p, program, nv_, by) != Status::kOk) return Status::kNotFinite;
  rates.v = in_v();
  push(program);
  rates.q_dot = out_.segment(early(), nq_);
  rates.p_dot = out_.segment(early() + nq_, nv_);
  return rates.q_dot.allFinite() && rates.p_dot.allFinite() ? Status::kOk : Status::kNotFinite;
}

Status StepDerivatives::push_velocities(const StepPoint& at, const StateChange& from,
                                        Workspace& workspace, Vector& v) {
  evaluate(recorded_.motion, at);
  set(from);
  if (push_solution(at.t, at.q, from.p, recorded_.motion, nv_, closed(workspace)) != Status::kOk)
    return Status::kNotFinite;
  v = in_v();
  return Status::kOk;
}

Status StepDerivatives::push_reset(const StepPoint& at, const StateChange& from,
                                   Workspace& workspace, Vector& p) {
  evaluate(recorded_.motion, at);
  set(from);
  if (push_solution(at.t, at.q, from.p, recorded_.motion, nv_, closed(workspace)) != Status::kOk)
    return Status::kNotFinite;
  push(recorded_.motion);
  p = out_.head(nv_);
  return Status::kOk;
}

Status StepDerivatives::push_projection(const StepPoint& at, const double* normalised,
                                        const StateChange& from, Workspace& workspace, Vector& q) {
  auto& program = recorded_.projection;
  evaluate(program, at);
  set(from);
  if (push_solution(at.t, normalised, {}, program, 0, closed(workspace)) != Status::kOk)
    return Status::kNotFinite;
  push(program);
  q = out_.segment(nv_ + nc_, nq_);
  return Status::kOk;
}

void StepDerivatives::push_normalised(const StepPoint& at, const StateChange& from, Vector& q) {
  evaluate(recorded_.normalised, at);
  set(from);
  push(recorded_.normalised);
  q = out_.head(nq_);
}

void StepDerivatives::push_momenta(const StepPoint& at, const StateChange& from, const Vector& v,
                                   Vector& p) {
  evaluate(recorded_.motion, at);
  set(from);
  in_v() = v;
  push(recorded_.motion);
  p = out_.head(nv_);
}

void StepDerivatives::push_readings(const StepPoint& at, const StateChange& from, const Vector& v,
                                    Vector& readings) {
  evaluate(recorded_.readings, at);
  set(from);
  in_v() = v;
  push(recorded_.readings);
  readings = out_.head(StepDerivatives::readings());
}

void StepDerivatives::read(const StepPoint& at, Vector& readings) {
  evaluate(recorded_.readings, at);
  readings.resize(StepDerivatives::readings());
  for (Eigen::Index i = 0; i < readings.size(); ++i)
    readings(i) = recorded_.readings.output(static_cast<std::size_t>(i));
}

}  // namespace hamiltree::sensitivity
