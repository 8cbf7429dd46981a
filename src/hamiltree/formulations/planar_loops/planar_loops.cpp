#include "hamiltree/formulations/planar_loops/planar_loops.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/gravity_kernel.hpp"
#include "hamiltree/formulations/planar_loops/evaluation.hpp"

namespace hamiltree::planar_loops {
namespace {

struct WorkspaceOf final : GravityWorkspace {
  WorkspaceOf(const Alternatives& alternatives, const Model& model,
              std::unique_ptr<AddedForces> added)
      : GravityWorkspace(model, std::move(added)) {
    for (const auto& alternative : alternatives) works.emplace_back(alternative);
  }

  // Rates are left to the general kernel.
  bool leaves_rates() const { return needs_general || leak > 0.0; }

  std::vector<PartsWork> works;  // of each alternative
  std::size_t alternative = 0;   // of the last evaluation
  bool needs_general = false;    // rows are redundant, or the mask is not the usual one
  bool has_moved = false;        // the last evaluation ends with velocities
};

class PlanarLoops final : public GravityKernel {
 public:
  PlanarLoops(Alternatives alternatives, const Model& model, std::unique_ptr<AddedForces> forces)
      : GravityKernel(model, std::move(forces)), alternatives_(std::move(alternatives)) {}

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(alternatives_, model(), copy_of_forces());
  }

  bool take_rows(const StateView&, const Redundancy& rows, const Workspace&,
                 Workspace& workspace) const override {
    auto& own = of(workspace);
    own.needs_general = rows.redundant > 0;
    return !own.needs_general;
  }
  bool keeps_rows(const StateView&, const Workspace& workspace) const override {
    return !of(workspace).needs_general;
  }

  Answer velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& own = of(workspace);
    own.has_moved = false;
    if (own.needs_general) return {};
    find_velocities(arrays_of(state, phi, own), own);
    return are_finite(own.velocities) ? Status::kOk : Status::kNotFinite;
  }
  Answer rate(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    own.has_moved = false;
    if (own.leaves_rates()) return {};
    const auto arrays = arrays_of(state, nullptr, own);
    find_velocities(arrays, own);
    return find_rates(state, arrays, own);
  }
  bool sees_motion() const override { return true; }
  bool reset(const StateView& state, double* p, Workspace& workspace) const override {
    auto& own = of(workspace);
    if (own.leaves_rates()) return false;
    auto arrays = arrays_of(state, nullptr, own);
    if (!own.has_moved) find_velocities(arrays, own);
    std::ranges::fill(own.impulses, 0.0);
    arrays.p_clean = p;
    return find_rates(state, arrays, own) == Status::kOk;
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    const auto& own = of(workspace);
    if (own.leaves_rates()) return {};
    return Energies{kinetic_energy(state, workspace),
                    potential_energy(alternatives_[own.alternative], own.works[own.alternative]) +
                        own.forces->stored_energy(state.q)};
  }

  std::optional<std::vector<int>> singular_joints(const Workspace& workspace) const override {
    const auto& own = of(workspace);
    if (own.leaves_rates()) return {};
    return masked_cuts(alternatives_[own.alternative], own.works[own.alternative]);
  }
  std::optional<double> least_pivot(const Workspace& workspace) const override {
    const auto& own = of(workspace);
    if (own.leaves_rates()) return {};
    return planar_loops::least_pivot(alternatives_[own.alternative], own.works[own.alternative]);
  }
  void lower_mask(double, Workspace& workspace) const override {
    of(workspace).needs_general = true;
  }

 private:
  static WorkspaceOf& of(Workspace& workspace) { return static_cast<WorkspaceOf&>(workspace); }
  static const WorkspaceOf& of(const Workspace& workspace) {
    return static_cast<const WorkspaceOf&>(workspace);
  }

  static Arrays arrays_of(const StateView& state, const double* phi, WorkspaceOf& own) {
    return {.q = state.q,
            .p = state.u,
            .phi = phi,
            .v = own.velocities.data(),
            .sigma = own.impulses.data(),
            .p_dot = own.momentum_rates.data()};
  }

  void find_velocities(const Arrays& arrays, WorkspaceOf& own) const {
    own.alternative = 0;
    while (!planar_loops::find_velocities(kernels_, alternatives_[own.alternative], arrays,
                                          own.works[own.alternative]))
      ++own.alternative;
    own.has_moved = true;
    std::ranges::copy(own.velocities, own.coordinate_rates.begin());
  }

  // After the velocities.
  Status find_rates(const StateView& state, const Arrays& arrays, WorkspaceOf& own) const {
    own.has_moved = false;
    if (!find_momentum_rates(kernels_, alternatives_[own.alternative], arrays,
                             own.works[own.alternative]))
      return Status::kNotFinite;
    return add_efforts(state, own);
  }

  Alternatives alternatives_;
  const Kernels& kernels_ = kernels();
};

}  // namespace

std::string plan_of(const Alternatives& alternatives) {
  std::string text = ", planar pins";
  for (const auto& group : alternatives.front().lane_groups) {
    text += ", " + std::to_string(group.lanes()) + " parts of " +
            std::to_string(group.linkage.bodies.size()) + " bodies in lanes";
  }
  return text;
}

Alternatives alternatives(const Model& model, LaneChoice lanes) {
  Alternatives alternatives;
  for (const auto hub : {HubChoice::kIfMuchHangsOnIt, HubChoice::kNever}) {
    auto linkage = linkage_of(model, lanes, hub);
    if (linkage && (alternatives.empty() || alternatives.front().rest.hub != kGround))
      alternatives.push_back(std::move(*linkage));
  }
  return alternatives;
}

std::unique_ptr<RateKernel> make_kernel(Alternatives alternatives, const Model& model,
                                        std::unique_ptr<AddedForces> forces) {
  return std::make_unique<PlanarLoops>(std::move(alternatives), model, std::move(forces));
}

}  // namespace hamiltree::planar_loops
