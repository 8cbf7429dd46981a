#include "benchmarks/own.hpp"

#include "benchmarks/states.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/codegen/generate.hpp"

namespace hamiltree::benchmarks {

OwnModel::OwnModel(const Model& model, const std::string& formulation,
                   const FormulationOptions& options)
    : model_(model),
      formulation_(make_formulation(formulation, model, options)),
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

OwnJacobians::OwnJacobians(const Model& model)
    : OwnModel(model, "recursive"), derivatives_(this->model(), formulation()) {}

void OwnJacobians::evaluate(std::size_t state) {
  derivatives_.jacobians(view(state), workspace(), jacobians_);
}

std::vector<double> OwnJacobians::rates(std::size_t state) {
  OwnModel::evaluate(state);
  return {workspace().u_dot.begin(), workspace().u_dot.end()};
}

std::vector<double> OwnJacobians::velocities(std::size_t state) {
  OwnModel::evaluate(state);
  return {workspace().v.begin(), workspace().v.end()};
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

// For models whose coordinates are those of pins and sliders, as those that are timed.
std::vector<double> OwnBatch::velocities(std::size_t state) {
  evaluate(state - state % kLanes);
  return lane_of(q_dot_, state);
}

void OwnGeneratedLanes::keep(const std::vector<EngineState>& states) {
  OwnModel::keep(states);
  const StateView start{0.0, q().front().data(), u().front().data()};
  const auto file =
      codegen::generate(model(), start, {"recursive", true, false, {}, {}}, "model.h");
  library_.emplace(file);
  rates_ = library_->find(file.prefix + "_rates_8");
  const auto eights = [](const std::vector<std::vector<double>>& values, std::size_t first) {
    Eights packed;
    for (std::size_t i = 0; i < values.front().size(); ++i) {
      for (std::size_t k = 0; k < 8; ++k) packed.push_back(values[(first + k) % values.size()][i]);
    }
    return packed;
  };
  for (std::size_t first = 0; first < states.size(); first += 8) {
    q_eights_.push_back(eights(q(), first));
    p_eights_.push_back(eights(u(), first));
  }
  t_.assign(8, 0.0);
  q_dot_ = q_eights_.front();
  v_ = p_dot_ = p_eights_.front();
  sigma_.assign(at(8 * model().constraint_count()), 0.0);
}

void OwnGeneratedLanes::evaluate(std::size_t state) {
  if (call_++ % 8 == 0) evaluate_eight(state / 8);
}

void OwnGeneratedLanes::evaluate_eight(std::size_t k) {
  const double* const in[] = {t_.data(), q_eights_[k].data(), p_eights_[k].data()};
  double* const out[] = {v_.data(), q_dot_.data(), p_dot_.data(), sigma_.data()};
  rates_(in, out);
}

namespace {

std::vector<double> lane_of(const std::vector<double>& eights, std::size_t state) {
  std::vector<double> values;
  for (std::size_t i = state % 8; i < eights.size(); i += 8) values.push_back(eights[i]);
  return values;
}

}  // namespace

std::vector<double> OwnGeneratedLanes::rates(std::size_t state) {
  evaluate_eight(state / 8);
  return lane_of(p_dot_, state);
}
std::vector<double> OwnGeneratedLanes::velocities(std::size_t state) {
  evaluate_eight(state / 8);
  return lane_of(v_, state);
}

std::unique_ptr<OwnModel> make_own(const Model& model, const std::string& name) {
  if (name == "jacobians") return std::make_unique<OwnJacobians>(model);
  if (name == "batch") return std::make_unique<OwnBatch>(model);
  if (name == "generated_lanes") return std::make_unique<OwnGeneratedLanes>(model);
  if (name == "recursive_in_space")
    return std::make_unique<OwnModel>(model, "recursive", FormulationOptions{.plane = false});
  return std::make_unique<OwnModel>(model, name);
}

}  // namespace hamiltree::benchmarks
