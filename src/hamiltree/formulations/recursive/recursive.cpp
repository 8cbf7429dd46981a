// The recursive formulation, instantiated once for both spaces.
#include "hamiltree/formulations/recursive/recursive.hpp"

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/contraction/choices.hpp"
#include "hamiltree/formulations/registry.hpp"
#include "hamiltree/formulations/screws/compile.hpp"
#include "hamiltree/formulations/screws/screws.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Recursive<Space>> : LoopChoices<Recursive<Space>> {};

std::unique_ptr<Formulation> make_recursive(const Model& model, const FormulationOptions&) {
  auto general =
      model.visit([]<class Space>(const System<Space>& system) -> std::unique_ptr<Formulation> {
        return std::make_unique<FormulationOf<Recursive<Space>>>(Recursive<Space>(system));
      });
  if (auto tree = screws::tree_under_gravity(model))
    return screws::make_formulation(*tree, std::move(general));
  return general;
}

}  // namespace hamiltree
