// Generated formulations: "generated_hdca", "generated_recursive". The kernel's rates and
// velocities come from generated C, compiled when the rows of the loops have been chosen; all else
// is the kernel's own.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree {

inline constexpr std::string_view kGeneratedPrefix = "generated_";

// "hdca" of "generated_hdca"; of others the name itself.
inline std::string_view kernel_of(std::string_view formulation) {
  if (formulation.starts_with(kGeneratedPrefix)) formulation.remove_prefix(kGeneratedPrefix.size());
  return formulation;
}

// `kernel` is what follows the prefix and can be generated, of the model; `engine` computes the
// same.
std::unique_ptr<Formulation> make_generated(std::string_view kernel, std::string plan,
                                            const Model& model,
                                            std::unique_ptr<Formulation> engine);

}  // namespace hamiltree
