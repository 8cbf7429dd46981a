// Batch: rates of many states of one Model. Eight states at a time where the model is a tree of
// pins in space under gravity; one after the other otherwise, the redundancy of loops taken as it
// is at the first state.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/formulations/screws/kernels.hpp"
#include "hamiltree/math/pack.hpp"

namespace hamiltree {

class Batch {
 public:
  explicit Batch(const Model& model);

  // Whether eight states are evaluated at a time.
  bool in_lanes() const { return tree_.has_value(); }

  // Of eight states: q, p and the rates by coordinate and velocity, a lane for each state.
  Status rate(double t, std::span<const Pack> q, std::span<const Pack> p, std::span<Pack> q_dot,
              std::span<Pack> p_dot);

  // Of `count` states, one after the other in each array. Those that do not fill a pack are
  // evaluated with copies of the last.
  Status rate(double t, std::size_t count, const double* q, const double* p, double* q_dot,
              double* p_dot);

 private:
  Status one_by_one(double t, std::span<const Pack> q, std::span<const Pack> p,
                    std::span<Pack> q_dot, std::span<Pack> p_dot);

  std::size_t coordinates_, velocities_;
  std::optional<screws::Tree> tree_;
  const screws::Kernels& kernels_;
  screws::ScrewWork<Pack> work_;
  std::unique_ptr<Formulation> formulation_;  // where there is no such tree
  std::unique_ptr<Workspace> workspace_;
  bool analysed_ = false;
  std::vector<double> state_;  // of one lane
  std::vector<Pack> q_packs_, p_packs_, q_dot_packs_, p_dot_packs_;
};

}  // namespace hamiltree
