#include "hamiltree/formulations/registry.hpp"

#include <array>

#include "hamiltree/base/listed.hpp"

namespace hamiltree {
namespace {

constexpr std::array kFormulations{
    NamedKernel{"hdca", false, make_hdca},   NamedKernel{"recursive", false, make_recursive},
    NamedKernel{"dense", false, make_dense}, NamedKernel{"dca", true, make_dca},
    NamedKernel{"aba", true, make_aba},
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

UsageError unknown_formulation(std::string_view name, const std::vector<std::string>& known) {
  return UsageError("formulation \"" + std::string(name) + "\" is not known (" + listed(known) +
                    ")");
}

const NamedKernel& general_kernel(std::string_view formulation) {
  for (const auto& kernel : kFormulations)
    if (formulation == kernel.name) return kernel;
  throw unknown_formulation(formulation, formulation_names());
}

}  // namespace hamiltree
