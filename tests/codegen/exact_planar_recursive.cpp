#include "codegen/exact_kernel.hpp"
#include "hamiltree/formulations/recursive/recursive.hpp"

namespace hamiltree::test {

std::unique_ptr<Exact> make_exact_planar_recursive(const Model& model, const StateView& start) {
  return make_exact<Recursive, Planar<double>>(model, start);
}

}  // namespace hamiltree::test
