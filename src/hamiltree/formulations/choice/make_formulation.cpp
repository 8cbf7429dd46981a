// From a choice to the formulation that computes it.
#include <utility>

#include "hamiltree/formulations/choice/choice.hpp"
#include "hamiltree/formulations/choice/in_plane.hpp"
#include "hamiltree/formulations/choice/subsystems.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/dh_frames/dh_frames.hpp"
#include "hamiltree/formulations/dh_frames/floating.hpp"
#include "hamiltree/formulations/kernel/spatial_kernel.hpp"
#include "hamiltree/formulations/planar_loops/planar_loops.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {
namespace {

using MadeFormulation = std::unique_ptr<Formulation>;

// The chosen kernel over the general one.
struct MakeOver {
  Choice& choice;
  std::string plan;
  MadeFormulation general;

  MadeFormulation operator()(InJointAxes&) { return std::move(general); }
  MadeFormulation operator()(InWorldAxes&) {
    return kernel::make_formulation(choice.computed(), std::move(plan), std::move(choice.forces),
                                    std::move(general), rows_in_use);
  }
  MadeFormulation operator()(dh_frames::Tree& tree) {
    return dh_frames::make_formulation(std::move(tree), std::move(plan), std::move(choice.forces),
                                       std::move(general), choice.options.threads);
  }
  MadeFormulation operator()(dh_frames::FloatingChain& chain) {
    return dh_frames::make_formulation(std::move(chain), std::move(plan), std::move(choice.forces),
                                       std::move(general));
  }
  MadeFormulation operator()(planar_loops::Alternatives& loops) {
    return planar_loops::make_formulation(std::move(loops), std::move(plan),
                                          std::move(choice.forces), std::move(general));
  }
};

MadeFormulation make_whole(Choice& choice, const std::string& plan) {
  const auto name = kernel_of(choice.formulation);
  const auto& model = choice.computed();
  auto made =
      std::visit(MakeOver{choice, plan, general_kernel(name).make(model, choice.options, plan)},
                 choice.kernel);
  if (name == choice.formulation) return made;
  return make_generated(name, plan, model, std::move(made));
}

}  // namespace

MadeFormulation make_formulation(Choice choice) {
  auto plan = to_text(choice);
  if (!choice.subsystems.empty()) {
    std::vector<PartFormulation> parts;
    for (auto& [subsystem, chosen] : choice.subsystems)
      parts.push_back({std::move(subsystem), make_formulation(std::move(chosen))});
    return make_of_subsystems(choice.model, std::move(plan), std::move(parts));
  }
  auto made = make_whole(choice, plan);
  if (!choice.plane) return made;
  const auto name = kernel_of(choice.formulation);
  return make_in_plane(*choice.plane, std::move(plan), std::move(made),
                       general_kernel(name).make(choice.model, choice.options, {}));
}

MadeFormulation make_formulation(std::string_view name, const Model& model,
                                 const FormulationOptions& options) {
  return make_formulation(choice_of(name, model, options));
}

}  // namespace hamiltree
