// The general kernel of each formulation by name; each is made in its own translation unit.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

// `plan`: see Formulation.
using MakeFormulation = std::unique_ptr<Formulation>(const Model& model,
                                                     const FormulationOptions& options,
                                                     std::string plan);
MakeFormulation make_hdca, make_recursive, make_dense, make_dca, make_aba;

struct GeneralKernel {
  const char* name;
  bool takes_baumgarte;
  MakeFormulation& make;
};
// Throws UsageError for an unknown name.
const GeneralKernel& general_kernel(std::string_view formulation);

// The rows of Phi that the general kernel of `recursive` has in use, of a model in space.
std::vector<bool> rows_in_use(const Workspace& workspace);

}  // namespace hamiltree
