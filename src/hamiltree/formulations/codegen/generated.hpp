// Generated formulations: "generated_hdca", "generated_recursive". The kernel's rates and
// velocities come from generated C, compiled when the rows of the loops have been chosen. States
// with other rows, and projections onto loops, are left to the kernels of the formulation itself.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hamiltree/formulations/rate_kernel.hpp"

namespace hamiltree {

inline constexpr std::string_view kGeneratedPrefix = "generated_";

// "hdca" of "generated_hdca"; of others the name itself.
inline std::string_view kernel_of(std::string_view formulation) {
  if (formulation.starts_with(kGeneratedPrefix)) formulation.remove_prefix(kGeneratedPrefix.size());
  return formulation;
}

// `kernel` is what follows the prefix and can be generated, of the model.
std::unique_ptr<RateKernel> make_generated(std::string_view kernel, const Model& model);

}  // namespace hamiltree
