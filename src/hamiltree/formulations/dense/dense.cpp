// The dense formulation, instantiated once for both spaces.
#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/dense/choices.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

template class Dense<Planar<double>>;
template class Dense<Spatial<double>>;

std::unique_ptr<GeneralKernel> make_dense(const Model& model, const FormulationOptions&) {
  return model.visit(
      []<class Space>(const System<Space>& system) -> std::unique_ptr<GeneralKernel> {
        return std::make_unique<GeneralKernelOf<Dense<Space>>>(Dense<Space>(system));
      });
}

}  // namespace hamiltree
