// The dca formulation, instantiated once for both spaces.
#include "hamiltree/formulations/dca/dca.hpp"

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/block_elimination/momentum_level_choices.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Dca<Space>> : MomentumLevelChoices<Dca<Space>, Hdca<Space>> {};

std::unique_ptr<Formulation> make_dca(const Model& model, const FormulationOptions& options,
                                      std::string plan) {
  return model.visit([&]<class Space>(const System<Space>& system) -> std::unique_ptr<Formulation> {
    return std::make_unique<FormulationOf<Dca<Space>>>(Dca<Space>(system, options.baumgarte),
                                                       std::move(plan));
  });
}

}  // namespace hamiltree
