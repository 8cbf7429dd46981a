// How a run is to be done, on the command line.
#pragma once

#include <optional>
#include <string>

#include "hamiltree/model/model.hpp"
#include "hamiltree/simulation/options.hpp"
#include "options.hpp"

namespace hamiltree::app {

inline constexpr double kUntil = 10.0;  // s, the end of a run by default

struct MethodArguments {
  std::optional<std::string> integrator, weights, lanes;
  std::optional<double> rtol, atol, step;  // s
  int segments = 0;
  int threads = 1;
  std::optional<bool> reset, projection;  // on, but for the chip
  bool energy_scaling = false, dense_output = true, plane = true;
  std::optional<double> leak, baumgarte;  // 1/s
};

void add_method(CLI::App& command, MethodArguments& arguments);
void add_threads(CLI::App& command, int& threads);

// With the default formulation. Throws UsageError for what does not go together.
SimulationOptions options_of(const MethodArguments& arguments);

// The same for one of several formulations: what only some of them have is given to these.
SimulationOptions options_for(const std::string& formulation, const Model& model,
                              const MethodArguments& arguments);

}  // namespace hamiltree::app
