// The hdca formulation, instantiated once for both spaces.
#include "hamiltree/formulations/hdca/hdca.hpp"

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/contraction/choices.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Hdca<Space>> : LoopChoices<Hdca<Space>> {};

std::unique_ptr<Formulation> make_hdca(const Model& model, const FormulationOptions&) {
  return model.visit([]<class Space>(const System<Space>& system) -> std::unique_ptr<Formulation> {
    return std::make_unique<FormulationOf<Hdca<Space>>>(Hdca<Space>(system));
  });
}

}  // namespace hamiltree
