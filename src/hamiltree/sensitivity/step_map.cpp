#include "hamiltree/sensitivity/step_map.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/derivatives/jacobians.hpp"

namespace hamiltree::sensitivity {

using derivatives::as_vector;

namespace {

// The stages of which ARKODE's Dormand-Prince step is made; its seventh is the next step's first.
const Tableau& dormand_prince() {
  static const Tableau tableau{
      5,
      {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0},
      {{},
       {1.0 / 5.0},
       {3.0 / 40.0, 9.0 / 40.0},
       {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
       {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
       {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0}},
      {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
  return tableau;
}

const Tableau* tableau_of(const Method& method) {
  if (std::holds_alternative<RungeKutta4>(method)) return &runge_kutta_4();
  if (std::holds_alternative<Euler>(method)) return &explicit_euler();
  if (std::holds_alternative<DormandPrince>(method)) return &dormand_prince();
  return nullptr;
}

int stages_of(const Method& method) {
  if (const auto* gauss = std::get_if<Gauss>(&method)) return gauss->stages;
  if (const auto* spark = std::get_if<Spark>(&method)) return spark->stages;
  return 0;
}

}  // namespace

TakenStep for_pull(const TakenStep& step) {
  TakenStep kept;
  kept.h = step.h;
  for (const auto& stage : step.stages) {
    auto& to = kept.stages.emplace_back();
    to.t = stage.t;
    to.q = stage.q;
    to.v = stage.v;
    to.sigma = stage.sigma;
  }
  const auto& projection = step.projection;
  kept.projection.t = projection.t;
  kept.projection.given = projection.given;
  kept.projection.normalised = projection.normalised;
  kept.projection.displacement = projection.displacement;
  kept.projection.impulses = projection.impulses;
  kept.end = step.end;
  return kept;
}

std::size_t bytes_of(const TakenStep& step) {
  Eigen::Index numbers = 0;
  const auto add = [&](const Vector& x) { numbers += x.size(); };
  for (const auto& stage : step.stages)
    for (const auto* x : {&stage.q, &stage.p, &stage.v, &stage.sigma, &stage.q_dot, &stage.p_dot})
      add(*x);
  const auto& projection = step.projection;
  for (const auto* x : {&projection.given, &projection.normalised, &projection.displacement,
                        &projection.impulses, &projection.q})
    add(*x);
  for (const auto* x : {&step.end.q, &step.end.v, &step.end.sigma, &step.end.p}) add(*x);
  return static_cast<std::size_t>(numbers) * sizeof(double);
}

StepMap::StepMap(const Model& model, const Formulation& formulation, const Method& method,
                 Workspace& workspace, StepDerivatives& derivatives,
                 const std::vector<int>& parameters)
    : formulation_(formulation),
      workspace_(workspace),
      derivatives_(derivatives),
      closing_(model, formulation, workspace, derivatives),
      tableau_(tableau_of(method)),
      at_rest_(Vector::Zero(model.velocity_count())) {
  if (const int stages = stages_of(method); stages > 0) {
    collocation_ = std::make_unique<CollocationMap>(model, stages, formulation, workspace,
                                                    derivatives, parameters);
  } else if (tableau_ == nullptr && !std::holds_alternative<SemiImplicitEuler>(method)) {
    throw UsageError(std::string("gradients of runs are there for methods with fixed steps and for "
                                 "dormand_prince, not for ") +
                     to_name(method));
  }
}

void StepMap::evaluate(double t, const Vector& q, const Vector& p, const Vector& efforts,
                       Stage& stage) {
  check_finite(formulation_.rate({t, q.data(), p.data()}, workspace_), t);
  stage.t = t;
  stage.q = q;
  stage.p = p;
  stage.v = as_vector(workspace_.v);
  stage.sigma = as_vector(workspace_.sigma);
  stage.q_dot = as_vector(workspace_.q_dot);
  stage.p_dot = as_vector(workspace_.u_dot);
  stage.p_dot += efforts;
}

void StepMap::take_runge_kutta(double t, const Vector& q, const Vector& p, const Vector& efforts,
                               TakenStep& step, Vector& q_end, Vector& p_end) {
  const auto& tableau = *tableau_;
  const auto add = [&](const std::vector<double>& weights) {
    q_end = q;
    p_end = p;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0.0) continue;
      q_end += step.h * weights[j] * step.stages[j].q_dot;
      p_end += step.h * weights[j] * step.stages[j].p_dot;
    }
  };
  step.stages.resize(tableau.b.size());
  for (std::size_t i = 0; i < step.stages.size(); ++i) {
    add(tableau.a[i]);
    evaluate(t + tableau.c[i] * step.h, q_end, p_end, efforts, step.stages[i]);
  }
  add(tableau.b);
}

// p' = p + h f(t, q, p)   q' = q + h u(t, q, p')
void StepMap::take_semi_implicit(double t, const Vector& q, const Vector& p, const Vector& efforts,
                                 TakenStep& step, Vector& q_end, Vector& p_end) {
  step.stages.resize(2);
  evaluate(t, q, p, efforts, step.stages[0]);
  p_end = p + step.h * step.stages[0].p_dot;
  evaluate(t, q, p_end, efforts, step.stages[1]);
  q_end = q + step.h * step.stages[1].q_dot;
}

// By the pivots at this place, whatever was evaluated before.
void StepMap::choose_rows(double t, const Vector& q) {
  if (!closing_.has_loops()) return;
  const StateView still{t, q.data(), at_rest_.data()};
  const bool stands_here = stands_at_end_ && t == t_at_end_ && q == q_at_end_;
  if (!stands_here) check_finite(formulation_.velocities(still, nullptr, workspace_), t);
  formulation_.prepare(still, workspace_);
  stands_at_end_ = false;
}

void StepMap::take(double t, double h, const Vector& q, const Vector& p, const Vector& efforts,
                   TakenStep& step) {
  step.h = h;
  choose_rows(t, q);
  if (collocation_) {
    collocation_->take(t, h, q, p, efforts, step.collocation, q_end_, p_end_);
  } else if (tableau_ != nullptr) {
    take_runge_kutta(t, q, p, efforts, step, q_end_, p_end_);
  } else {
    take_semi_implicit(t, q, p, efforts, step, q_end_, p_end_);
  }
  closing_.project(t + h, q_end_, step.projection);
  closing_.reset(t + h, step.projection.q, p_end_, step.end);
  stands_at_end_ = true;
  t_at_end_ = t + h;
  q_at_end_ = step.end.q;
}

void StepMap::pull_rates(const Stage& stage, const RateChange& rates, StateChange& to) {
  check_finite(derivatives_.pull_rates(stage.point(), rates, factors(), to), stage.t);
}

void StepMap::pull_runge_kutta(const TakenStep& step, StateChange& change, Vector& efforts) {
  const auto& tableau = *tableau_;
  const auto count = tableau.b.size();
  q_end_ = change.q;
  p_end_ = change.p;
  stages_.resize(count, derivatives_.zero());
  for (std::size_t i = count; i-- > 0;) {
    rates_.q_dot = step.h * tableau.b[i] * q_end_;
    rates_.p_dot = step.h * tableau.b[i] * p_end_;
    for (std::size_t j = i + 1; j < count; ++j) {
      if (tableau.a[j][i] == 0.0) continue;
      rates_.q_dot += step.h * tableau.a[j][i] * stages_[j].q;
      rates_.p_dot += step.h * tableau.a[j][i] * stages_[j].p;
    }
    efforts += rates_.p_dot;
    if (i == 0 && closing_.has_loops()) {
      change.rates = rates_;
      return;
    }
    auto& stage = stages_[i];
    stage.q.setZero();
    stage.p.setZero();
    std::swap(stage.parameters, change.parameters);
    pull_rates(step.stages[i], rates_, stage);
    std::swap(stage.parameters, change.parameters);
    change.q += stage.q;
    change.p += stage.p;
  }
}

void StepMap::pull_semi_implicit(const TakenStep& step, StateChange& change, Vector& efforts) {
  rates_.q_dot = step.h * change.q;
  rates_.p_dot = Vector::Zero(change.p.size());
  pull_rates(step.stages[1], rates_, change);
  rates_.q_dot.setZero();
  rates_.p_dot = step.h * change.p;
  efforts += rates_.p_dot;
  if (closing_.has_loops()) {
    change.rates = rates_;
  } else {
    pull_rates(step.stages[0], rates_, change);
  }
}

void StepMap::pull(const TakenStep& step, StateChange& change, Vector& efforts) {
  stands_at_end_ = false;
  closing_.pull_reset(step.end, change);
  closing_.pull_projection(step.projection, change);
  if (collocation_) {
    collocation_->pull(step.collocation, change, efforts);
  } else if (tableau_ != nullptr) {
    pull_runge_kutta(step, change, efforts);
  } else {
    pull_semi_implicit(step, change, efforts);
  }
}

void StepMap::push_runge_kutta(const TakenStep& step, StateChange& change, const Vector& efforts) {
  const auto& tableau = *tableau_;
  std::vector<RateChange> rates(tableau.b.size());
  const auto add = [&](const std::vector<double>& weights, StateChange& to) {
    for (std::size_t j = 0; j < weights.size(); ++j) {
      if (weights[j] == 0.0) continue;
      to.q += step.h * weights[j] * rates[j].q_dot;
      to.p += step.h * weights[j] * rates[j].p_dot;
    }
  };
  for (std::size_t i = 0; i < rates.size(); ++i) {
    StateChange at_stage = change;
    add(tableau.a[i], at_stage);
    const auto& stage = step.stages[i];
    check_finite(derivatives_.push_rates(stage.point(), at_stage, factors(), rates[i]), stage.t);
    rates[i].p_dot += efforts;
  }
  add(tableau.b, change);
}

void StepMap::push_semi_implicit(const TakenStep& step, StateChange& change,
                                 const Vector& efforts) {
  RateChange rates;
  const auto push_rates = [&](const Stage& stage) {
    check_finite(derivatives_.push_rates(stage.point(), change, factors(), rates), stage.t);
  };
  push_rates(step.stages[0]);
  change.p += step.h * (rates.p_dot + efforts);
  push_rates(step.stages[1]);
  change.q += step.h * rates.q_dot;
}

void StepMap::push(const TakenStep& step, StateChange& change, const Vector& efforts) {
  stands_at_end_ = false;
  if (collocation_) {
    collocation_->push(step.collocation, change, efforts);
  } else if (tableau_ != nullptr) {
    push_runge_kutta(step, change, efforts);
  } else {
    push_semi_implicit(step, change, efforts);
  }
  closing_.push_projection(step.projection, change);
  closing_.push_reset(step.end, change);
}

}  // namespace hamiltree::sensitivity
