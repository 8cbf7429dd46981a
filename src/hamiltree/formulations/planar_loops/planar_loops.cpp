#include "hamiltree/formulations/planar_loops/planar_loops.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/over_general.hpp"
#include "hamiltree/formulations/planar_loops/evaluation.hpp"
#include "hamiltree/formulations/sees_motion.hpp"

namespace hamiltree::planar_loops {
namespace {

struct WorkspaceOf final : WorkspaceOverGeneral {
  WorkspaceOf(const Alternatives& alternatives, std::unique_ptr<Workspace> for_general,
              std::unique_ptr<AddedForces> added)
      : WorkspaceOverGeneral(std::move(for_general), std::move(added)) {
    for (const auto& alternative : alternatives) works.emplace_back(alternative);
  }

  std::vector<PartsWork> works;  // of each alternative
  std::size_t alternative = 0;   // of the last evaluation
  bool needs_general = false;    // rows are redundant, or the mask is not the usual one
  bool has_moved = false;        // the last evaluation ends with velocities
};

class PlanarLoops final : public OverGeneral, public SeesMotion {
 public:
  PlanarLoops(Alternatives alternatives, std::string plan, std::unique_ptr<AddedForces> forces,
              std::unique_ptr<Formulation> general)
      : OverGeneral(std::move(plan), std::move(forces), std::move(general)),
        alternatives_(std::move(alternatives)) {}

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(alternatives_, general().make_workspace(),
                                         copy_of_forces());
  }

  Redundancy analyse(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    const auto redundancy = general().analyse(state, *own.general);
    own.needs_general = redundancy.redundant > 0;
    return redundancy;
  }
  bool prepare(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    return own.needs_general && general().prepare(state, *own.general);
  }

  Status velocities(const StateView& state, const double* phi,
                    Workspace& workspace) const override {
    auto& own = of(workspace);
    own.has_moved = false;
    if (own.needs_general) {
      const auto status = general().velocities(state, phi, *own.general);
      own.copy_velocities();
      return status;
    }
    find_velocities(arrays_of(state, phi, own), own);
    return are_finite(own.velocities) ? Status::kOk : Status::kNotFinite;
  }
  Status rate(const StateView& state, Workspace& workspace) const override {
    auto& own = of(workspace);
    own.has_moved = false;
    if (own.needs_general || own.leak > 0.0) {
      own.general->leak = own.leak;
      const auto status = general().rate(state, *own.general);
      own.copy_rates();
      return status;
    }
    const auto arrays = arrays_of(state, nullptr, own);
    find_velocities(arrays, own);
    return find_rates(state, arrays, own);
  }
  // Poses are those of the plane: nobody sees them in space.
  const Kinematics<Spatial<double>>* placed(const StateView&, Workspace&) const override {
    return nullptr;
  }
  const Kinematics<Spatial<double>>* moved(Workspace&) const override { return nullptr; }
  bool reset(const StateView& state, double* p, Workspace& workspace) const override {
    auto& own = of(workspace);
    if (own.needs_general || own.leak > 0.0) return false;
    auto arrays = arrays_of(state, nullptr, own);
    if (!own.has_moved) find_velocities(arrays, own);
    std::ranges::fill(own.impulses, 0.0);
    arrays.p_clean = p;
    return find_rates(state, arrays, own) == Status::kOk;
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    const auto& own = static_cast<const WorkspaceOf&>(workspace);
    if (own.needs_general || own.leak > 0.0) return general().energies(state, *own.general);
    return Energies{kinetic_energy(state, workspace),
                    potential_energy(alternatives_[own.alternative], own.works[own.alternative]) +
                        own.forces->stored_energy(state.q)};
  }

  std::vector<int> singular_joints(const Workspace& workspace) const override {
    const auto& own = static_cast<const WorkspaceOf&>(workspace);
    if (own.needs_general || own.leak > 0.0) return general().singular_joints(*own.general);
    return masked_cuts(alternatives_[own.alternative], own.works[own.alternative]);
  }
  double least_pivot(const Workspace& workspace) const override {
    const auto& own = static_cast<const WorkspaceOf&>(workspace);
    if (own.needs_general || own.leak > 0.0) return general().least_pivot(*own.general);
    return planar_loops::least_pivot(alternatives_[own.alternative], own.works[own.alternative]);
  }
  void lower_mask(double share, Workspace& workspace) const override {
    auto& own = of(workspace);
    own.needs_general = true;
    general().lower_mask(share, *own.general);
  }

 private:
  static WorkspaceOf& of(Workspace& workspace) { return static_cast<WorkspaceOf&>(workspace); }

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

std::unique_ptr<Formulation> make_formulation(Alternatives alternatives, std::string plan,
                                              std::unique_ptr<AddedForces> forces,
                                              std::unique_ptr<Formulation> general) {
  return std::make_unique<PlanarLoops>(std::move(alternatives), std::move(plan), std::move(forces),
                                       std::move(general));
}

}  // namespace hamiltree::planar_loops
