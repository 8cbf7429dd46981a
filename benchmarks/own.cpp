#include "benchmarks/own.hpp"

#include "benchmarks/states.hpp"

namespace hamiltree::benchmarks {

OwnModel::OwnModel(const Model& model, const std::string& formulation)
    : model_(model),
      formulation_(make_formulation(formulation, model)),
      workspace_(formulation_->make_workspace()) {}

void OwnModel::keep(const std::vector<EngineState>& states) {
  q_.clear();
  u_.clear();
  for (const auto& state : states) {
    q_.push_back(state.q);
    u_.push_back(in_momenta() ? momenta_of(model_, state) : state.v);
  }
  formulation_->analyse(view(0), *workspace_);
  formulation_->prepare(view(0), *workspace_);
}

void OwnModel::evaluate(std::size_t state) { formulation_->rate(view(state), *workspace_); }

std::vector<double> OwnModel::accelerations(std::size_t state) {
  formulation_->accelerations(view(state), *workspace_);
  return {workspace_->v_dot.begin(), workspace_->v_dot.end()};
}

std::vector<double> OwnModel::rates(std::size_t state) {
  evaluate(state);
  return {workspace_->u_dot.begin(), workspace_->u_dot.end()};
}

std::vector<double> OwnModel::velocities(std::size_t state) {
  evaluate(state);
  return {workspace_->v.begin(), workspace_->v.end()};
}

void OwnBatch::keep(const std::vector<EngineState>& states) {
  OwnModel::keep(states);
  const auto pack = [](const std::vector<std::vector<double>>& values, std::size_t first) {
    Packs packs(values.front().size());
    for (std::size_t i = 0; i < packs.size(); ++i) {
      for (int lane = 0; lane < kLanes; ++lane)
        packs[i].set(lane, values[(first + static_cast<std::size_t>(lane)) % values.size()][i]);
    }
    return packs;
  };
  for (std::size_t first = 0; first < states.size(); first += kLanes) {
    q_packs_.push_back(pack(q(), first));
    p_packs_.push_back(pack(u(), first));
  }
  q_dot_ = q_packs_.front();
  p_dot_ = p_packs_.front();
}

void OwnBatch::evaluate(std::size_t state) {
  if (state % kLanes != 0) return;
  const auto k = state / kLanes;
  batch_.rate(0.0, q_packs_[k], p_packs_[k], q_dot_, p_dot_);
}

namespace {

std::vector<double> lane_of(const std::vector<Pack>& packs, std::size_t state) {
  std::vector<double> values;
  for (const auto& pack : packs) values.push_back(pack[static_cast<int>(state % kLanes)]);
  return values;
}

}  // namespace

std::vector<double> OwnBatch::rates(std::size_t state) {
  evaluate(state - state % kLanes);
  return lane_of(p_dot_, state);
}

// Of models whose coordinates are those of pins and sliders, as those that are timed.
std::vector<double> OwnBatch::velocities(std::size_t state) {
  evaluate(state - state % kLanes);
  return lane_of(q_dot_, state);
}

std::unique_ptr<OwnModel> make_own(const Model& model, const std::string& name) {
  if (name == "batch") return std::make_unique<OwnBatch>(model);
  return std::make_unique<OwnModel>(model, name);
}

}  // namespace hamiltree::benchmarks
