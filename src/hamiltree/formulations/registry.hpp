// The general kernel of each formulation by name; each is made in its own translation unit.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/rate_kernel.hpp"

namespace hamiltree {

using MakeGeneralKernel = std::unique_ptr<GeneralKernel>(const Model& model,
                                                         const FormulationOptions& options);
MakeGeneralKernel make_hdca, make_recursive, make_dense, make_dca, make_aba;

struct NamedKernel {
  const char* name;
  bool takes_baumgarte;
  MakeGeneralKernel& make;
};
UsageError unknown_formulation(std::string_view name, const std::vector<std::string>& known);

// Throws UsageError for an unknown name.
const NamedKernel& general_kernel(std::string_view formulation);

// The rows of Phi that the general kernel of `recursive` has in use for the model.
std::vector<bool> rows_in_use(const Model& model, const Workspace& workspace);

}  // namespace hamiltree
