// From a choice to the formulation that computes it.
#include <utility>

#include "hamiltree/formulations/choice/choice.hpp"
#include "hamiltree/formulations/choice/subsystems.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/dh_frames/dh_frames.hpp"
#include "hamiltree/formulations/dh_frames/floating.hpp"
#include "hamiltree/formulations/kernel/spatial_kernel.hpp"
#include "hamiltree/formulations/planar_loops/planar_loops.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {
namespace {

using MadeKernel = std::unique_ptr<RateKernel>;

// The chosen kernel; null: the general one.
struct MakeKernel {
  Choice& choice;

  MadeKernel operator()(InJointAxes&) { return nullptr; }
  MadeKernel operator()(InWorldAxes& in_space) {
    const auto rows = [model = choice.computed()](const Workspace& general) {
      return rows_in_use(model, general);
    };
    return kernel::make_kernel(in_space.lifted.value_or(choice.computed()),
                               std::move(choice.forces), rows, in_space.lifted.has_value());
  }
  MadeKernel operator()(dh_frames::Tree& tree) {
    return dh_frames::make_kernel(std::move(tree), choice.computed(), std::move(choice.forces),
                                  choice.options.threads);
  }
  MadeKernel operator()(dh_frames::FloatingChain& chain) {
    return dh_frames::make_kernel(std::move(chain), choice.computed(), std::move(choice.forces));
  }
  MadeKernel operator()(planar_loops::Alternatives& loops) {
    return planar_loops::make_kernel(std::move(loops), choice.computed(), std::move(choice.forces));
  }
};

}  // namespace

std::unique_ptr<Formulation> make_formulation(Choice choice) {
  auto plan = to_text(choice);
  if (!choice.subsystems.empty()) {
    std::vector<PartFormulation> parts;
    for (auto& [subsystem, chosen] : choice.subsystems)
      parts.push_back({std::move(subsystem), make_formulation(std::move(chosen))});
    return std::make_unique<Formulation>(choice.formulation, std::move(plan),
                                         std::vector<MadeKernel>{},
                                         make_of_subsystems(choice.model, std::move(parts)));
  }
  const auto name = kernel_of(choice.formulation);
  const auto& general = general_kernel(name);
  std::vector<MadeKernel> specialised;
  if (name != choice.formulation) specialised.push_back(make_generated(name, choice.computed()));
  if (auto chosen = std::visit(MakeKernel{choice}, choice.kernel))
    specialised.push_back(std::move(chosen));
  Formulation::InSpace in_space;
  if (choice.plane) in_space = {choice.plane->rows, general.make(choice.model, choice.options)};
  return std::make_unique<Formulation>(choice.formulation, std::move(plan), std::move(specialised),
                                       general.make(choice.computed(), choice.options),
                                       std::move(in_space));
}

std::unique_ptr<Formulation> make_formulation(std::string_view name, const Model& model,
                                              const FormulationOptions& options) {
  return make_formulation(choice_of(name, model, options));
}

}  // namespace hamiltree
