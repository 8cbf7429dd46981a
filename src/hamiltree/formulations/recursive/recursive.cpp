// The recursive formulation, instantiated once for both spaces.
#include "hamiltree/formulations/recursive/recursive.hpp"

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

std::unique_ptr<Formulation> make_recursive(const Model& model) {
  return model.visit([]<class Space>(const System<Space>& system) -> std::unique_ptr<Formulation> {
    return std::make_unique<FormulationOf<Recursive<Space>>>(Recursive<Space>(system));
  });
}

}  // namespace hamiltree
