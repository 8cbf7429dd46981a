#include "hamiltree/formulations/choice/check_options.hpp"

#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/codegen/generate.hpp"
#include "hamiltree/formulations/codegen/generated.hpp"
#include "hamiltree/formulations/registry.hpp"

namespace hamiltree {

constexpr int kMostThreads = 1024;

void check_threads(int threads) {
  if (threads >= 0 && threads <= kMostThreads) return;
  throw UsageError("threads must be a whole number up to " + std::to_string(kMostThreads) +
                   ", not " + std::to_string(threads));
}

void check_options(std::string_view formulation, const Model& model,
                   const FormulationOptions& options) {
  check_threads(options.threads);
  const auto name = kernel_of(formulation);
  const bool is_generated = name != formulation;
  if (is_generated) codegen::check(model, std::string(name));
  const auto& kernel = general_kernel(name);
  if (options.lanes != LaneChoice::kAuto && formulation != "recursive") {
    throw UsageError("formulation " + std::string(formulation) +
                     " has no lanes to choose (recursive has)");
  }
  if (options.baumgarte != 0.0 && !kernel.takes_baumgarte) {
    throw UsageError("formulation " + std::string(name) +
                     " keeps velocities on the loops exactly and takes no Baumgarte terms (dca "
                     "and aba do)");
  }
}

}  // namespace hamiltree
