#include "hamiltree/batch/batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/batch/pack_lanes.hpp"
#include "hamiltree/formulations/not_finite.hpp"
#include "hamiltree/simulation/initial_state.hpp"

namespace hamiltree {
namespace {

constexpr unsigned kAllLanes = (1u << kLanes) - 1;

bool is_finite_in(std::span<const Pack> numbers, int lane) {
  return std::ranges::all_of(numbers, [&](const Pack& x) { return std::isfinite(x[lane]); });
}

// Nothing either where the loops cannot close, as rows are then not known to be independent.
std::optional<RevoluteMechanism> revolutes_of(const Model& model) {
  try {
    return revolute_mechanism(model);
  } catch (const ModelError&) {
    return std::nullopt;
  }
}

const Model& first_of(std::span<const Model> instances) {
  if (instances.empty()) throw UsageError("a batch needs at least one model");
  return instances.front();
}

}  // namespace

Batch::Batch(const Model& model) : Batch(std::span(&model, 1)) {}

Batch::Batch(std::span<const Model> instances)
    : coordinates_(at(first_of(instances).coordinate_count())),
      velocities_(at(instances.front().velocity_count())),
      state_(coordinates_ + velocities_),
      rates_(velocities_),
      at_rest_(velocities_, 0.0),
      q_packs_(coordinates_),
      p_packs_(velocities_),
      v_packs_(velocities_),
      q_dot_packs_(coordinates_),
      p_dot_packs_(velocities_) {
  for (const auto& model : instances) {
    if (at(model.coordinate_count()) != coordinates_ || at(model.velocity_count()) != velocities_)
      throw UsageError("the models of a batch must have the same joints");
  }
  make_lanes(instances);
  if (in_lanes()) {
    for (const auto& model : instances) forces_.push_back(forces_of(model));
    if (std::ranges::all_of(forces_, [](const auto& forces) { return forces->none(); }))
      forces_.clear();
    return;
  }
  for (const auto& model : instances) {
    std::shared_ptr<const Formulation> formulation = make_formulation("recursive", model);
    auto workspace = formulation->make_workspace();
    singles_.push_back({std::move(formulation), std::move(workspace)});
  }
  if (instances.size() == 1) look_at_start(instances.front());
}

void Batch::begin() {
  if (!is_redundant_ || eight_states_) return;
  while (singles_.size() < kLanes) {
    const auto formulation = singles_.front().formulation;
    singles_.push_back({formulation, formulation->make_workspace()});
  }
  for (auto& single : singles_) single.analysed = false;
}

Batch::OneByOne& Batch::single_of(std::size_t pack, int lane) {
  return singles_[std::min(pack * kLanes + at(lane), singles_.size() - 1)];
}

// A start that cannot be assembled tells nothing.
void Batch::look_at_start(const Model& model) {
  const auto& [formulation, workspace, analysed] = singles_.front();
  try {
    const auto start = initial_state(model);
    is_redundant_ =
        formulation->analyse({0.0, start.q.data(), start.p.data()}, *workspace).redundant > 0;
  } catch (const ModelError&) {
    return;
  }
  if (model.constraint_count() > 0) probe_ = make_probe(model);
  eight_states_ = formulation->eight_states(*workspace);
}

void Batch::make_lanes(std::span<const Model> instances) {
  std::vector<RevoluteMechanism> mechanisms;
  for (const auto& model : instances) {
    auto mechanism = revolutes_of(model);
    if (!mechanism) return;
    mechanisms.push_back(std::move(*mechanism));
    if (!are_connected_alike(mechanisms.back(), mechanisms.front())) return;
  }
  revolutes_.emplace(mechanisms);
}

Status Batch::rate(double t, std::span<const Pack> q, std::span<const Pack> p,
                   std::span<Pack> q_dot, std::span<Pack> p_dot, std::size_t pack) {
  if (eight_states_) return rate_of_eight_states(t, q, p, q_dot, p_dot);
  if (!revolutes_) return one_by_one(t, q, p, q_dot, p_dot, pack);
  const bool finite =
      revolutes_->rate(q.data(), p.data(), v_packs_.data(), q_dot.data(), p_dot.data(), pack);
  const auto status = forces_.empty() ? Status::kOk : add_efforts(t, q, p_dot, pack);
  return finite ? status : Status::kNotFinite;
}

void Batch::close_loops(double t, std::span<Pack> q, std::span<Pack> p, std::size_t pack) {
  if (revolutes_) {
    revolutes_->close_loops(q.data(), pack);
    revolutes_->reset_momenta(q.data(), p.data(), pack);
    return;
  }
  const auto left = eight_states_ ? eight_states_->close_loops(t, q.data(), p.data()) : kAllLanes;
  for (int lane = 0; lane < kLanes; ++lane)
    if ((left >> lane & 1u) != 0 && is_finite_in(q, lane) && is_finite_in(p, lane))
      close_one(t, q, p, single_of(pack, lane), lane);
}

void Batch::close_one(double t, std::span<Pack> q, std::span<Pack> p, OneByOne& single, int lane) {
  auto& [formulation, workspace, analysed] = single;
  double *const at_q = state_.data(), *const at_p = at_q + coordinates_;
  load_lane(q, lane, at_q);
  load_lane(p, lane, at_p);
  const StateView state{t, at_q, at_p}, resting{t, at_q, at_rest_.data()};
  if (!analysed || eight_states_) formulation->analyse(state, *workspace);
  analysed = true;
  probe_->place(t, at_q);
  formulation->velocities(resting, probe_->phi().data(), *workspace);
  for (std::size_t i = 0; i < coordinates_; ++i) at_q[i] += workspace->q_dot[i];
  probe_->normalise(at_q);
  formulation->velocities(state, nullptr, *workspace);
  probe_->set(t, at_q, workspace->v.data());
  probe_->momenta(at_p);
  store_lane(at_q, lane, q);
  store_lane(at_p, lane, p);
}

Status Batch::add_efforts(double t, std::span<const Pack> q, std::span<Pack> p_dot,
                          std::size_t pack) {
  auto status = Status::kOk;
  double* const v = state_.data() + coordinates_;
  for (int lane = 0; lane < kLanes; ++lane) {
    load_lane(q, lane, state_.data());
    load_lane(v_packs_, lane, v);
    load_lane(p_dot, lane, rates_.data());
    forces_[std::min(pack * kLanes + at(lane), forces_.size() - 1)]->add_efforts(t, state_.data(),
                                                                                 v, rates_.data());
    if (!are_finite(rates_)) status = Status::kNotFinite;
    store_lane(rates_.data(), lane, p_dot);
  }
  return status;
}

Status Batch::one_by_one(double t, std::span<const Pack> q, std::span<const Pack> p,
                         std::span<Pack> q_dot, std::span<Pack> p_dot, std::size_t pack) {
  auto status = Status::kOk;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (one(t, q, p, q_dot, p_dot, lane, Rows::kAsBefore, single_of(pack, lane)) != Status::kOk)
      status = Status::kNotFinite;
  }
  return status;
}

Status Batch::one(double t, std::span<const Pack> q, std::span<const Pack> p, std::span<Pack> q_dot,
                  std::span<Pack> p_dot, int lane, Rows rows, OneByOne& single) {
  auto& [formulation, workspace, analysed] = single;
  load_lane(q, lane, state_.data());
  load_lane(p, lane, state_.data() + coordinates_);
  if (!are_finite(state_)) {  // it chooses no rows
    for (auto numbers : {q_dot, p_dot})
      for (auto& x : numbers) x.set(lane, std::numeric_limits<double>::quiet_NaN());
    return Status::kNotFinite;
  }
  const StateView state{t, state_.data(), state_.data() + coordinates_};
  if (!analysed || rows == Rows::kOfTheState) formulation->analyse(state, *workspace);
  analysed = true;
  formulation->prepare(state, *workspace);
  const auto status = formulation->rate(state, *workspace);
  store_lane(workspace->q_dot.data(), lane, q_dot);
  store_lane(workspace->u_dot.data(), lane, p_dot);
  return status;
}

// Whatever the states beside it: one that is left is computed as if it were the first of its Model.
Status Batch::rate_of_eight_states(double t, std::span<const Pack> q, std::span<const Pack> p,
                                   std::span<Pack> q_dot, std::span<Pack> p_dot) {
  const auto left =
      eight_states_->rate(t, q.data(), p.data(), v_packs_.data(), q_dot.data(), p_dot.data());
  for (int lane = 0; left != 0 && lane < kLanes; ++lane) {
    if ((left >> lane & 1u) != 0 && is_finite_in(q, lane) && is_finite_in(p, lane))
      one(t, q, p, q_dot, p_dot, lane, Rows::kOfTheState, singles_.front());
  }
  return (not_finite(q_dot) | not_finite(p_dot)).none() ? Status::kOk : Status::kNotFinite;
}

Status Batch::rate(double t, std::size_t count, const double* q, const double* p, double* q_dot,
                   double* p_dot) {
  auto status = Status::kOk;
  for (std::size_t first = 0; first < count; first += kLanes) {
    // Of each lane; those beyond the last state hold it, too. Loops over lanes are as long as ever,
    // those over the few numbers of a state would be guessed wrong.
    std::array<std::size_t, kLanes> instance;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      instance[lane] = std::min(first + lane, count - 1);
    const auto lay = [&](const double* from, std::vector<Pack>& packs) {
      for (std::size_t i = 0; i < packs.size(); ++i)
        for (int lane = 0; lane < kLanes; ++lane)
          packs[i].set(lane, from[instance[at(lane)] * packs.size() + i]);
    };
    const auto take = [&](const std::vector<Pack>& packs, double* to) {
      for (std::size_t i = 0; i < packs.size(); ++i)
        for (int lane = kLanes; lane-- > 0;)  // that of a state's own lane stays
          to[instance[at(lane)] * packs.size() + i] = packs[i][lane];
    };
    lay(q, q_packs_);
    lay(p, p_packs_);
    if (rate(t, q_packs_, p_packs_, q_dot_packs_, p_dot_packs_, first / kLanes) != Status::kOk)
      status = Status::kNotFinite;
    take(q_dot_packs_, q_dot);
    take(p_dot_packs_, p_dot);
  }
  return status;
}

}  // namespace hamiltree
