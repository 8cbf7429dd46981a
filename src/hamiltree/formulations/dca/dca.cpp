// The dca formulation, instantiated once for both spaces.
#include "hamiltree/formulations/dca/dca.hpp"

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/block_elimination/momentum_level_choices.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Dca<Space>> : MomentumLevelChoices<Dca<Space>, Hdca<Space>> {};

std::unique_ptr<GeneralKernel> make_dca(const Model& model, const FormulationOptions& options) {
  return model.visit(
      [&]<class Space>(const System<Space>& system) -> std::unique_ptr<GeneralKernel> {
        return std::make_unique<GeneralKernelOf<Dca<Space>>>(Dca<Space>(system, options.baumgarte));
      });
}

}  // namespace hamiltree
