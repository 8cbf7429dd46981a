#include "hamiltree/formulations/registry.hpp"

#include <array>

#include "hamiltree/base/error.hpp"

namespace hamiltree {
namespace {

constexpr std::array kFormulations{
    GeneralKernel{"hdca", false, make_hdca},   GeneralKernel{"recursive", false, make_recursive},
    GeneralKernel{"dense", false, make_dense}, GeneralKernel{"dca", true, make_dca},
    GeneralKernel{"aba", true, make_aba},
};

}  // namespace

const std::vector<std::string>& formulation_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& kernel : kFormulations) list.emplace_back(kernel.name);
    return list;
  }();
  return names;
}

const GeneralKernel& general_kernel(std::string_view formulation) {
  std::string known;
  for (const auto& kernel : kFormulations) {
    if (formulation == kernel.name) return kernel;
    known += (known.empty() ? "" : ", ") + std::string(kernel.name);
  }
  throw UsageError("formulation \"" + std::string(formulation) + "\" is not known (" + known + ")");
}

}  // namespace hamiltree
