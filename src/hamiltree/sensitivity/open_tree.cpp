#include "hamiltree/sensitivity/open_tree.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/formulations/derivatives/jacobians.hpp"
#include "hamiltree/model/canonical.hpp"
#include "hamiltree/model/parameters.hpp"
#include "hamiltree/sensitivity/closing.hpp"
#include "hamiltree/simulation/probe.hpp"

namespace hamiltree::sensitivity {

using derivatives::as_vector;

namespace {

std::span<double> all_of(Vector& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }
std::span<double> first_of(Vector& x, Eigen::Index count) {
  return {x.data(), static_cast<std::size_t>(count)};
}

}  // namespace

OpenTree::OpenTree(const Model& model, const Formulation& formulation, StepDerivatives& derivatives,
                   const std::vector<int>& parameters)
    : model_(model),
      derivatives_(derivatives),
      recorded_(record_open_tree(model, parameters)),
      formulation_(make_formulation(formulation.name(), model.opened())),
      workspace_(formulation_->make_workspace()),
      nq_(model.coordinate_count()),
      nv_(model.velocity_count()),
      nc_(model.constraint_count()),
      place_(Vector::Zero(1 + nq_ + nv_ + nc_ + static_cast<Eigen::Index>(parameters.size()))),
      place_change_(place_),
      motion_(2 * nq_ + 2 * nv_),
      motion_change_(motion_),
      out_(nq_ + std::max(nv_, nc_)) {
  const auto numbers = hamiltree::parameters(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    place_(1 + nq_ + nv_ + nc_ + static_cast<Eigen::Index>(i)) =
        numbers[static_cast<std::size_t>(parameters[i])].value;
  }
}

TreeChange OpenTree::zero() const {
  return {Vector::Zero(nq_), Vector::Zero(nq_), derivatives_.zero().parameters};
}

Vector OpenTree::analyse(double t, const Vector& q) {
  const Vector still = Vector::Zero(nv_);
  formulation_->analyse({t, q.data(), still.data()}, *workspace_);
  const auto probe = make_probe(model_);
  probe->place(t, q.data());
  const Vector inertias = probe->joint_inertias();
  Vector sizes(nq_);
  model_.visit([&](const auto& system) { canonical_sizes(system, inertias.data(), sizes.data()); });
  return sizes;
}

void OpenTree::set_motion(const Vector& q, const Vector& y, const Vector& v, const Vector& p_dot) {
  motion_ << q, y, v, p_dot;
  recorded_.rates.evaluate(all_of(motion_));
}

// A motion at rest, of which only q, y and p matter.
void OpenTree::set_momenta(const Vector& q, const Vector& y) {
  set_motion(q, y, Vector::Zero(nv_), Vector::Zero(nv_));
}

void OpenTree::evaluate(const Vector& efforts, TreeStage& stage) {
  Vector p;
  from_canonical(stage.q, stage.y, p);
  check_finite(formulation_->rate({stage.t, stage.q.data(), p.data()}, *workspace_), stage.t);
  stage.v = as_vector(workspace_->v);
  stage.q_dot = as_vector(workspace_->q_dot);
  stage.p_dot = as_vector(workspace_->u_dot);
  stage.p_dot += efforts;
  set_motion(stage.q, stage.y, stage.v, stage.p_dot);
  stage.y_dot.resize(nq_);
  for (Eigen::Index i = 0; i < nq_; ++i)
    stage.y_dot(i) = recorded_.rates.output(static_cast<std::size_t>(nv_ + i));
}

// y_dot is a function of q, y, v and p_dot; v and p_dot are functions of q and p; p is one of q, y.
void OpenTree::pull(const TreeStage& at, const Vector& q_dot, const Vector& y_dot, TreeChange& to,
                    Vector& efforts) {
  set_motion(at.q, at.y, at.v, at.p_dot);
  out_.head(nv_).setZero();
  out_.segment(nv_, nq_) = y_dot;
  motion_change_.setZero();
  recorded_.rates.pull(first_of(out_, nv_ + nq_), all_of(motion_change_));
  const RateChange rates{motion_change_.segment(2 * nq_, nv_), q_dot, motion_change_.tail(nv_)};
  efforts += rates.p_dot;
  StateChange change = derivatives_.zero();
  check_finite(derivatives_.pull_rates(at.point(), rates, factors(), change), at.t);
  recorded_.rates.pull(all_of(change.p), all_of(motion_change_));
  to.q += change.q + motion_change_.head(nq_);
  to.y += motion_change_.segment(nq_, nq_);
  to.parameters += change.parameters;
}

void OpenTree::push(const TreeStage& at, const TreeChange& from, const Vector& efforts,
                    Vector& q_dot, Vector& y_dot) {
  set_motion(at.q, at.y, at.v, at.p_dot);
  motion_change_ << from.q, from.y, Vector::Zero(2 * nv_);
  recorded_.rates.push(all_of(motion_change_), first_of(out_, nv_ + nq_));
  RateChange rates;
  const StateChange change{from.q, out_.head(nv_), from.parameters, {}};
  check_finite(derivatives_.push_rates(at.point(), change, factors(), rates), at.t);
  motion_change_ << from.q, from.y, rates.v, rates.p_dot + efforts;
  recorded_.rates.push(all_of(motion_change_), first_of(out_, nv_ + nq_));
  q_dot = rates.q_dot;
  y_dot = out_.segment(nv_, nq_);
}

void OpenTree::set_node(const LoopNode& at) {
  place_(0) = at.t;
  place_.segment(1, nq_) = at.q;
  if (at.lambda.size() > 0) {
    place_.segment(1 + nq_ + nv_, nc_) = at.lambda;
  } else {
    place_.segment(1 + nq_ + nv_, nc_).setZero();
  }
  recorded_.loops.evaluate(all_of(place_));
}

void OpenTree::close(const LoopNode& at, Vector& impulses, Vector& phi) {
  set_node(at);
  impulses.resize(nq_);
  phi.resize(nc_);
  for (Eigen::Index i = 0; i < nq_; ++i)
    impulses(i) = recorded_.loops.output(static_cast<std::size_t>(i));
  for (Eigen::Index i = 0; i < nc_; ++i)
    phi(i) = recorded_.loops.output(static_cast<std::size_t>(nq_ + i));
}

void OpenTree::pull_impulses(const LoopNode& at, const Vector& impulses, TreeChange& to,
                             Vector& lambda) {
  set_node(at);
  out_.head(nq_) = impulses;
  pull_node(nq_, to);
  lambda = place_change_.segment(1 + nq_ + nv_, nc_);
}

void OpenTree::pull_gaps(const LoopNode& at, const Vector& phi, TreeChange& to) {
  set_node(at);
  out_.head(nq_).setZero();
  out_.segment(nq_, nc_) = phi;
  pull_node(nq_ + nc_, to);
}

void OpenTree::pull_node(Eigen::Index outputs, TreeChange& to) {
  place_change_.setZero();
  recorded_.loops.pull(first_of(out_, outputs), all_of(place_change_));
  to.q += place_change_.segment(1, nq_);
  to.parameters += place_change_.tail(to.parameters.size());
}

void OpenTree::push_node(const LoopNode& at, const TreeChange& from, const Vector& lambda,
                         Vector& impulses, Vector& phi) {
  set_node(at);
  place_change_.setZero();
  place_change_.segment(1, nq_) = from.q;
  place_change_.segment(1 + nq_ + nv_, nc_) = lambda;
  place_change_.tail(from.parameters.size()) = from.parameters;
  recorded_.loops.push(all_of(place_change_), first_of(out_, nq_ + nc_));
  impulses = out_.head(nq_);
  phi = out_.segment(nq_, nc_);
}

void OpenTree::set_plain(const Vector& q, const Vector& p) {
  motion_.head(nq_) = q;
  motion_.segment(nq_, nv_) = p;
  recorded_.momenta.evaluate(first_of(motion_, nq_ + nv_));
}

void OpenTree::to_canonical(const Vector& q, const Vector& p, Vector& y) {
  y.resize(nq_);
  model_.visit(
      [&](const auto& system) { hamiltree::to_canonical(system, q.data(), p.data(), y.data()); });
}

void OpenTree::from_canonical(const Vector& q, const Vector& y, Vector& p) {
  p.resize(nv_);
  model_.visit(
      [&](const auto& system) { hamiltree::from_canonical(system, q.data(), y.data(), p.data()); });
}

void OpenTree::pull_to_canonical(const Vector& q, const Vector& p, const TreeChange& from,
                                 StateChange& to) {
  set_plain(q, p);
  out_.head(nq_) = from.y;
  motion_change_.setZero();
  recorded_.momenta.pull(first_of(out_, nq_), first_of(motion_change_, nq_ + nv_));
  to.q = from.q + motion_change_.head(nq_);
  to.p = motion_change_.segment(nq_, nv_);
}

void OpenTree::push_to_canonical(const Vector& q, const Vector& p, const StateChange& from,
                                 TreeChange& to) {
  set_plain(q, p);
  motion_change_.head(nq_) = from.q;
  motion_change_.segment(nq_, nv_) = from.p;
  recorded_.momenta.push(first_of(motion_change_, nq_ + nv_), first_of(out_, nq_));
  to.q = from.q;
  to.y = out_.head(nq_);
}

void OpenTree::pull_from_canonical(const Vector& q, const Vector& y, const StateChange& from,
                                   TreeChange& to) {
  set_momenta(q, y);
  out_.head(nv_) = from.p;
  motion_change_.setZero();
  recorded_.rates.pull(first_of(out_, nv_), all_of(motion_change_));
  to.q = from.q + motion_change_.head(nq_);
  to.y = motion_change_.segment(nq_, nq_);
}

void OpenTree::push_from_canonical(const Vector& q, const Vector& y, const TreeChange& from,
                                   StateChange& to) {
  set_momenta(q, y);
  motion_change_ << from.q, from.y, Vector::Zero(2 * nv_);
  recorded_.rates.push(all_of(motion_change_), first_of(out_, nv_ + nq_));
  to.q = from.q;
  to.p = out_.head(nv_);
}

}  // namespace hamiltree::sensitivity
