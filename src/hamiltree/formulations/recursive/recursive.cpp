// The recursive formulation, instantiated once for both spaces.
// clang-format off
#include "hamiltree/formulations/recursive/without_packets.hpp"
// clang-format on
#include "hamiltree/formulations/recursive/recursive.hpp"

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/dh_frames/compile.hpp"
#include "hamiltree/formulations/dh_frames/compile_floating.hpp"
#include "hamiltree/formulations/dh_frames/dh_frames.hpp"
#include "hamiltree/formulations/dh_frames/floating.hpp"
#include "hamiltree/formulations/dh_frames/into_lanes.hpp"
#include "hamiltree/formulations/joint_forces.hpp"
#include "hamiltree/formulations/kernel/spatial_kernel.hpp"
#include "hamiltree/formulations/planar_loops/planar_loops.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

template class Recursive<Planar<double>>;
template class Recursive<Spatial<double>>;
template struct LoopChoices<Recursive<Planar<double>>>;
template struct LoopChoices<Recursive<Spatial<double>>>;

namespace {

using InSpace = Recursive<Spatial<double>>;

std::vector<bool> rows_in_use(const Workspace& workspace) {
  const auto& work = FormulationOf<InSpace>::work_of(workspace);
  std::vector<bool> in_use(work.r.size(), false);
  for (const auto& front : work.fronts)
    for (const int position : front.order) in_use[at(front.rows[at(position)])] = true;
  return in_use;
}

// The kernel in world axes, for models in space.
std::unique_ptr<Formulation> in_world_axes(const Model& model, std::unique_ptr<JointForces> forces,
                                           std::unique_ptr<Formulation> general) {
  const auto* system = std::get_if<System<Spatial<double>>>(&model.tables());
  if (system == nullptr) return general;
  if (!system->drives.empty()) forces = nullptr;  // efforts along a driven joint are loads
  return kernel::make_formulation(model, std::move(forces), std::move(general), rows_in_use);
}

}  // namespace

std::unique_ptr<Formulation> make_recursive(const Model& model, const FormulationOptions& options) {
  auto general =
      model.visit([]<class Space>(const System<Space>& system) -> std::unique_ptr<Formulation> {
        return std::make_unique<FormulationOf<Recursive<Space>>>(Recursive<Space>(system));
      });
  const auto tree = dh_frames::tree_of(model);
  auto forces = joint_forces_of(model);
  if (forces && options.lanes != LaneChoice::kNever) {
    if (auto chain = dh_frames::floating_chain_of(model)) {
      return dh_frames::make_formulation(std::move(*chain), std::move(forces), std::move(general));
    }
  }
  if (forces) {
    auto alternatives = planar_loops::alternatives(model, options.lanes);
    if (!alternatives.empty() && options.lanes == LaneChoice::kAlways &&
        alternatives.front().lane_groups.empty()) {
      throw UsageError("nothing of " + model.name() +
                       " can be laid in lanes: no three parts of the linkage are alike");
    }
    if (!alternatives.empty())
      return planar_loops::make_formulation(std::move(alternatives), std::move(forces),
                                            std::move(general));
  }
  if (!tree || !forces) {
    if (options.lanes == LaneChoice::kAlways) {
      throw UsageError(
          "nothing of " + model.name() +
          " can be laid in lanes: it is no tree of revolute joints on which gravity and forces "
          "along joints act");
    }
    return in_world_axes(model, std::move(forces), std::move(general));
  }
  return dh_frames::make_formulation(dh_frames::into_lanes(*tree, options.lanes), std::move(forces),
                                     std::move(general), options.threads);
}

}  // namespace hamiltree
