#include "method.hpp"

#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/formulation.hpp"

namespace hamiltree::app {
namespace {

// The method by its name, with its tolerances or its step; what does not go with it is refused.
Method method_of(const MethodArguments& arguments) {
  const auto name = arguments.integrator.value_or(to_name(Auto{}));
  const auto method = *method_from_name(name);
  const auto refuse = [&](const char* option, const char* has) {
    throw UsageError(std::string(option) + " does not go with --integrator " + name +
                     ", which has " + has);
  };
  if (const auto tolerances = tolerances_of(method)) {
    if (arguments.step) refuse("--step", "tolerances, --rtol and --atol");
    return with_tolerances(method, {arguments.rtol.value_or(tolerances->relative),
                                    arguments.atol.value_or(tolerances->absolute)});
  }
  for (const auto& [given, option] : {std::pair{arguments.rtol.has_value(), "--rtol"},
                                      {arguments.atol.has_value(), "--atol"},
                                      {arguments.weights.has_value(), "--weights"}}) {
    if (given) refuse(option, "a fixed --step");
  }
  return with_step(method, arguments.step.value_or(*step_of(method)));
}

}  // namespace

void add_method(CLI::App& command, MethodArguments& arguments) {
  auto& c = command;
  add_choice(c, "--integrator", arguments.integrator, method_names(),
             "method; default auto: dormand_prince, and bdf where the motion is stiff")
      ->group("Method");
  add_positive(c, "--rtol", arguments.rtol, "relative tolerance of adaptive methods; default 1e-9")
      ->group("Method");
  add_positive(c, "--atol", arguments.atol, "absolute tolerance of adaptive methods; default 1e-9")
      ->group("Method");
  add_positive(
      c, "--step", arguments.step,
      "step in s of other methods; default 1e-2 of symplectic ones, 1e-3 of rk4, 1e-4 of eulers")
      ->group("Method");
  add_choice(c, "--weights", arguments.weights, {"inertia", "equal"},
             "how adaptive methods weigh errors of momenta; default inertia")
      ->group("Method");
  add_switch(
      c, "--reset", arguments.reset,
      "after every step take the impulses of loops out of momenta, or with dca and aba bring "
      "velocities onto the loops; default on")
      ->group("Method");
  add_switch(c, "--projection", arguments.projection, "close loops after every step; default on")
      ->group("Method");
  add_number(
      c, "--leak", [&arguments](double value) { arguments.leak = value; },
      "rate in 1/s at which impulses of loops leak out of momenta; 0: none; default of adams and "
      "bdf: from the motion")
      ->group("Method");
  add_switch(c, "--energy-scaling", arguments.energy_scaling,
             "scale momenta after every step to hold the energy; default off")
      ->group("Method");
  add_switch(c, "--dense-output", arguments.dense_output,
             "interpolate outputs between the steps of adaptive methods instead of stepping to "
             "them; default on")
      ->group("Method");
  add_choice(c, "--lanes", arguments.lanes, {kLaneChoices.begin(), kLaneChoices.end()},
             "whether recursive computes bodies side by side; default auto, where that is faster")
      ->group("Method");
  add_switch(c, "--plane", arguments.plane,
             "let hdca and recursive compute spatial models, or subsystems, that move in one plane "
             "in that plane; default on")
      ->group("Method");
  add_count(c, "--segments", arguments.segments,
            "bodies in each floating segment that long chains are cut into, which keeps their "
            "digits; default 0, none")
      ->group("Method");
  add_threads(c, arguments.threads);
  add_positive(c, "--baumgarte", arguments.baumgarte,
               "rate in 1/s at which dca and aba pull loops closed; default none")
      ->group("Method");
}

void add_threads(CLI::App& c, int& threads) {
  add_count(c, "--threads", threads,
            "cores that share one evaluation of large mechanisms by hdca, and of long chains by "
            "recursive; 0: all; default 1; results do not depend on it")
      ->group("Method");
}

SimulationOptions options_for(const std::string& formulation, const Model& model,
                              const MethodArguments& arguments) {
  auto options = options_of(arguments);
  options.formulation = formulation;
  if (formulation != "recursive") options.lanes = LaneChoice::kAuto;
  if (make_formulation(formulation, model)->form() == StateForm::kMomenta) {
    options.baumgarte = 0.0;
  } else {
    options.leak.reset();
  }
  return options;
}

SimulationOptions options_of(const MethodArguments& arguments) {
  SimulationOptions options;
  options.integrator = method_of(arguments);
  if (arguments.weights == "equal") options.weights = Weights::kEqual;
  options.reset = arguments.reset.value_or(true);
  options.projection = arguments.projection.value_or(true);
  options.leak = arguments.leak;
  options.energy_scaling = arguments.energy_scaling;
  options.dense_output = arguments.dense_output;
  options.baumgarte = arguments.baumgarte.value_or(0.0);
  options.lanes = *lane_choice_from_name(arguments.lanes.value_or("auto"));
  options.plane = arguments.plane;
  options.segments = arguments.segments;
  options.threads = arguments.threads;
  return options;
}

}  // namespace hamiltree::app
