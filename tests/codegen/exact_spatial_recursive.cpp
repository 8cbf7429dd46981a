#include "codegen/exact_kernel.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree::test {

std::unique_ptr<Exact> make_exact_spatial_recursive(const Model& model, const StateView& start) {
  return make_exact<Recursive, Spatial<double>>(model, start);
}

}  // namespace hamiltree::test
