// The recursive formulation, with its choices of both spaces; its algorithm is compiled in
// planar.cpp and spatial.cpp.
// clang-format off
#include "hamiltree/base/without_packets.hpp"
// clang-format on
#include "hamiltree/formulations/recursive/recursive.hpp"

#include "hamiltree/formulations/adapter.hpp"
#include "hamiltree/formulations/recursive/choices.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

template struct LoopChoices<Recursive<Planar<double>>>;
template struct LoopChoices<Recursive<Spatial<double>>>;

std::vector<bool> rows_in_use(const Model& model, const Workspace& workspace) {
  return model.visit([&]<class Space>(const System<Space>&) {
    const auto& work = GeneralKernelOf<Recursive<Space>>::work_of(workspace);
    std::vector<bool> in_use(work.r.size(), false);
    for (const auto& front : work.fronts)
      for (const int position : front.order) in_use[at(front.rows[at(position)])] = true;
    return in_use;
  });
}

std::unique_ptr<GeneralKernel> make_recursive(const Model& model, const FormulationOptions&) {
  return model.visit(
      []<class Space>(const System<Space>& system) -> std::unique_ptr<GeneralKernel> {
        return std::make_unique<GeneralKernelOf<Recursive<Space>>>(Recursive<Space>(system));
      });
}

}  // namespace hamiltree
