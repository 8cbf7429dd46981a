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

}  // namespace hamiltree::benchmarks
