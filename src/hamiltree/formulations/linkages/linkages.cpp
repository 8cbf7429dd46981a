#include "hamiltree/formulations/linkages/linkages.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/formulations/linkages/evaluation.hpp"
#include "hamiltree/formulations/over_general.hpp"

namespace hamiltree::linkages {
namespace {

struct WorkspaceOf final : WorkspaceOverGeneral {
  WorkspaceOf(const std::vector<LinkageInParts>& ways, std::unique_ptr<Workspace> for_general)
      : WorkspaceOverGeneral(std::move(for_general)) {
    for (const auto& way : ways) works.emplace_back(way);
  }

  std::vector<PartsWork> works;  // of each way
  std::size_t way = 0;           // of the last evaluation
  bool needs_general = false;    // rows are redundant, or the mask is not the usual one
};

class Linkages final : public OverGeneral {
 public:
  Linkages(std::vector<LinkageInParts> ways, std::unique_ptr<JointForces> forces,
           std::unique_ptr<Formulation> general)
      : OverGeneral(std::move(forces), std::move(general)), ways_(std::move(ways)) {}

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<WorkspaceOf>(ways_, general().make_workspace());
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
    if (own.needs_general || own.leak > 0.0) {
      own.general->leak = own.leak;
      const auto status = general().rate(state, *own.general);
      own.copy_rates();
      return status;
    }
    const auto arrays = arrays_of(state, nullptr, own);
    find_velocities(arrays, own);
    if (!find_momentum_rates(kernels_, ways_[own.way], arrays, own.works[own.way]))
      return Status::kNotFinite;
    return add_efforts(state, own);
  }
  std::optional<Energies> energies(const StateView& state,
                                   const Workspace& workspace) const override {
    const auto& own = static_cast<const WorkspaceOf&>(workspace);
    if (own.needs_general || own.leak > 0.0) return general().energies(state, *own.general);
    double twice_kinetic = 0.0;
    for (std::size_t i = 0; i < workspace.v.size(); ++i)
      twice_kinetic += state.u[i] * workspace.v[i];
    return Energies{0.5 * twice_kinetic, potential_energy(ways_[own.way], own.works[own.way]) +
                                             forces().stored_energy(state.q)};
  }

  std::vector<int> singular_joints(const Workspace& workspace) const override {
    const auto& own = static_cast<const WorkspaceOf&>(workspace);
    if (own.needs_general || own.leak > 0.0) return general().singular_joints(*own.general);
    return masked_cuts(ways_[own.way], own.works[own.way]);
  }
  double least_pivot(const Workspace& workspace) const override {
    const auto& own = static_cast<const WorkspaceOf&>(workspace);
    if (own.needs_general || own.leak > 0.0) return general().least_pivot(*own.general);
    return linkages::least_pivot(ways_[own.way], own.works[own.way]);
  }
  void lower_mask(double share, Workspace& workspace) const override {
    auto& own = of(workspace);
    own.needs_general = true;
    general().lower_mask(share, *own.general);
  }

  std::string plan() const override;

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
    own.way = 0;
    while (!linkages::find_velocities(kernels_, ways_[own.way], arrays, own.works[own.way]))
      ++own.way;
    std::ranges::copy(own.velocities, own.coordinate_rates.begin());
  }

  std::vector<LinkageInParts> ways_;
  const Kernels& kernels_ = kernels();
};

std::string Linkages::plan() const {
  std::string text = general().plan() + ", planar pins";
  for (const auto& bank : ways_.front().banks) {
    text += ", " + std::to_string(bank.lanes()) + " parts of " +
            std::to_string(bank.linkage.bodies.size()) + " bodies in lanes";
  }
  return text;
}

}  // namespace

std::vector<LinkageInParts> ways_of(const Model& model, LaneChoice lanes) {
  std::vector<LinkageInParts> ways;
  for (const auto hub : {HubChoice::kIfMuchHangsOnIt, HubChoice::kNever}) {
    auto linkage = linkage_of(model, lanes, hub);
    if (linkage && (ways.empty() || ways.front().rest.hub != kGround))
      ways.push_back(std::move(*linkage));
  }
  return ways;
}

std::unique_ptr<Formulation> make_formulation(std::vector<LinkageInParts> ways,
                                              std::unique_ptr<JointForces> forces,
                                              std::unique_ptr<Formulation> general) {
  return std::make_unique<Linkages>(std::move(ways), std::move(forces), std::move(general));
}

}  // namespace hamiltree::linkages
