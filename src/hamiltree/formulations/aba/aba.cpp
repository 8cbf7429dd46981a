// The aba formulation, instantiated once for both spaces.
#include "hamiltree/formulations/aba/aba.hpp"

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/block_elimination/momentum_level_choices.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

template <class Space>
struct KernelChoices<Aba<Space>> : MomentumLevelChoices<Aba<Space>, Recursive<Space>> {};

std::unique_ptr<GeneralKernel> make_aba(const Model& model, const FormulationOptions& options) {
  return model.visit(
      [&]<class Space>(const System<Space>& system) -> std::unique_ptr<GeneralKernel> {
        return std::make_unique<GeneralKernelOf<Aba<Space>>>(Aba<Space>(system, options.baumgarte));
      });
}

}  // namespace hamiltree
