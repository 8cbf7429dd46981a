// The hdca formulation, instantiated once for both spaces.
#include "hamiltree/formulations/hdca/hdca.hpp"

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/hdca/choices.hpp"
#include "hamiltree/formulations/registry.hpp"
#include "hamiltree/model/split_hubs.hpp"

namespace hamiltree {

// Threads gain from a hundred bodies on; below this they gain little, and sleep and wake for it.
constexpr int kLeastBodies = 256;

template class Hdca<Planar<double>>;
template class Hdca<Spatial<double>>;
template struct LoopChoices<Hdca<Planar<double>>>;
template struct LoopChoices<Hdca<Spatial<double>>>;

std::unique_ptr<GeneralKernel> make_hdca(const Model& model, const FormulationOptions& options) {
  return model.visit(
      [&]<class Space>(const System<Space>& system) -> std::unique_ptr<GeneralKernel> {
        HdcaSharing sharing;
        if (system.body_count() >= kLeastBodies) sharing.threads = options.threads;
        using Kernel = Hdca<Space>;
        if (auto split = split_hubs(system)) {
          return std::make_unique<GeneralKernelOf<Kernel>>(
              Kernel(std::move(split->system), sharing), std::move(split->joints));
        }
        return std::make_unique<GeneralKernelOf<Kernel>>(Kernel(system, sharing));
      });
}

}  // namespace hamiltree
