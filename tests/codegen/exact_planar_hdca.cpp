#include "codegen/exact_kernel.hpp"
#include "hamiltree/formulations/hdca/hdca.hpp"

namespace hamiltree::test {

std::unique_ptr<Exact> make_exact_planar_hdca(const Model& model, const StateView& start) {
  return make_exact<Hdca, Planar<double>>(model, start);
}

}  // namespace hamiltree::test
