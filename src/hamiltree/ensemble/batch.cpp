#include "hamiltree/ensemble/batch.hpp"

#include <algorithm>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/screws/compile.hpp"

namespace hamiltree {

Batch::Batch(const Model& model)
    : coordinates_(at(model.coordinate_count())),
      velocities_(at(model.velocity_count())),
      tree_(screws::tree_under_gravity(model)),
      kernels_(screws::kernels()),
      state_(coordinates_ + velocities_),
      q_packs_(coordinates_),
      p_packs_(velocities_),
      q_dot_packs_(coordinates_),
      p_dot_packs_(velocities_) {
  if (tree_) {
    work_.resize(tree_->pins.size(), at(tree_->branchings));
  } else {
    formulation_ = make_formulation("recursive", model);
    workspace_ = formulation_->make_workspace();
  }
}

Status Batch::rate(double t, std::span<const Pack> q, std::span<const Pack> p,
                   std::span<Pack> q_dot, std::span<Pack> p_dot) {
  if (!tree_) return one_by_one(t, q, p, q_dot, p_dot);
  const bool finite = kernels_.eight(*tree_, tree_->is_heavy(),
                                     {q.data(), p.data(), q_dot.data(), p_dot.data()}, work_);
  return finite ? Status::kOk : Status::kNotFinite;
}

Status Batch::one_by_one(double t, std::span<const Pack> q, std::span<const Pack> p,
                         std::span<Pack> q_dot, std::span<Pack> p_dot) {
  auto status = Status::kOk;
  for (int lane = 0; lane < kLanes; ++lane) {
    for (std::size_t i = 0; i < coordinates_; ++i) state_[i] = q[i][lane];
    for (std::size_t i = 0; i < velocities_; ++i) state_[coordinates_ + i] = p[i][lane];
    const StateView state{t, state_.data(), state_.data() + coordinates_};
    if (!analysed_) formulation_->analyse(state, *workspace_);
    analysed_ = true;
    formulation_->prepare(state, *workspace_);
    if (formulation_->rate(state, *workspace_) != Status::kOk) status = Status::kNotFinite;
    for (std::size_t i = 0; i < coordinates_; ++i) q_dot[i].set(lane, workspace_->q_dot[i]);
    for (std::size_t i = 0; i < velocities_; ++i) p_dot[i].set(lane, workspace_->u_dot[i]);
  }
  return status;
}

Status Batch::rate(double t, std::size_t count, const double* q, const double* p, double* q_dot,
                   double* p_dot) {
  auto status = Status::kOk;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const auto instance = [&](int lane) {
      return std::min(first + static_cast<std::size_t>(lane), count - 1);
    };
    for (int lane = 0; lane < kLanes; ++lane) {
      const double* from = q + instance(lane) * coordinates_;
      for (std::size_t i = 0; i < coordinates_; ++i) q_packs_[i].set(lane, from[i]);
      from = p + instance(lane) * velocities_;
      for (std::size_t i = 0; i < velocities_; ++i) p_packs_[i].set(lane, from[i]);
    }
    if (rate(t, q_packs_, p_packs_, q_dot_packs_, p_dot_packs_) != Status::kOk)
      status = Status::kNotFinite;
    for (int lane = 0; lane < kLanes && first + static_cast<std::size_t>(lane) < count; ++lane) {
      double* to = q_dot + instance(lane) * coordinates_;
      for (std::size_t i = 0; i < coordinates_; ++i) to[i] = q_dot_packs_[i][lane];
      to = p_dot + instance(lane) * velocities_;
      for (std::size_t i = 0; i < velocities_; ++i) to[i] = p_dot_packs_[i][lane];
    }
  }
  return status;
}

}  // namespace hamiltree
