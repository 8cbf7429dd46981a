#include "hardware/backend/chip_steps.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree::hardware {

ChipSteps::ChipSteps(const Model& model, const CompiledStep& step, double h, DrivenChip& chip,
                     OdeProblem& problem, double t, const double* y)
    : FixedStep(h, problem, t, y), model_(model), compiled_(step), h_(h), chip_(chip) {
  if (problem.integrals() > 0) {
    throw UsageError(
        "--backend fpga-sim does not integrate the work of dampers, actuators and drives");
  }
  chip_.set_state(words_of(y));
}

std::string ChipSteps::note() const {
  const auto& shape = compiled_.program.shape;
  return "steps were taken by the simulated chip in single precision: " +
         std::to_string(compiled_.report.cycles) + " cycles each, with " +
         std::to_string(shape.adders) + " adders, " + std::to_string(shape.multipliers) +
         " multipliers and a reciprocal";
}

std::vector<Word> ChipSteps::words_of(const double* y) const {
  std::vector<Word> words;
  for (const double x : to_words(model_, compiled_.words, y, y + model_.coordinate_count())) {
    words.push_back(bits_of(static_cast<float>(x)));
  }
  return words;
}

void ChipSteps::take(double, double h, double* y) {
  if (std::abs(h - h_) > 1e-6 * h_) {
    give_up(
        "the chip takes whole steps only, and an output time or an event asks for a part of one");
  }
  chip_.start(1);
  chip_.finish(1);
  const auto status = chip_.status();
  if (status.nan != 0) give_up("the chip reports a result that is not a number");
  if (status.overflow != 0) give_up("the chip reports an overflow");
  std::uint32_t step = 0;
  std::vector<double> values;
  for (const Word word : chip_.state(step)) values.push_back(static_cast<double>(float_of(word)));
  from_words(model_, compiled_.words, values, y, y + model_.coordinate_count());
}

namespace {

// State kept over a run: the integrator is made anew at every restart.
struct Backend {
  CompiledStep step;
  std::unique_ptr<DrivenChip> chip;
};

CompiledStep compile_for_some_engine(const Model& model, Update update, double h) {
  try {
    return compile_step(model, update, h, small_engine());
  } catch (const std::length_error&) {
  }
  try {
    return compile_step(model, update, h, large_engine());
  } catch (const std::length_error& error) {
    throw ModelError({model.name(), 0}, model.name(),
                     std::string("The chip is too small for it: ") + error.what() + ".");
  }
}

}  // namespace

MakeIntegrator chip_integrator(const Model& model, const SimulationOptions& options) {
  const bool explicitly = std::holds_alternative<Euler>(options.integrator);
  if (!explicitly && !std::holds_alternative<SemiImplicitEuler>(options.integrator)) {
    throw UsageError(std::string("--backend fpga-sim steps by euler or semi_implicit_euler, not ") +
                     to_name(options.integrator));
  }
  if (options.reset || options.projection || options.energy_scaling) {
    throw UsageError("there is no reset, projection or energy scaling on the chip");
  }
  const double h = *step_of(options.integrator);
  const auto update = explicitly ? Update::kEuler : Update::kSemiImplicitEuler;
  const auto backend =
      std::make_shared<Backend>(Backend{compile_for_some_engine(model, update, h), nullptr});
  std::string missing;
  auto simulator =
      load_chip_simulator(backend->step.program.shape, program_folder() / "hardware", missing);
  if (!simulator) throw UsageError("--backend fpga-sim: " + missing);
  backend->chip = std::make_unique<DrivenChip>(std::move(simulator), backend->step.program);
  return [backend, model, h](OdeProblem& problem, double t, const double* y) {
    return std::make_unique<ChipSteps>(model, backend->step, h, *backend->chip, problem, t, y);
  };
}

}  // namespace hamiltree::hardware
