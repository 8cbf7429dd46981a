#include "hardware/backend/chip_steps.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"

namespace hamiltree::hardware {

ChipSteps::ChipSteps(const Model& model, std::shared_ptr<ChipRun> run, OdeProblem& problem,
                     double t, const double* y)
    : FixedStep(run->h, problem, t, y),
      model_(model),
      run_(std::move(run)),
      y_dot_(at(problem.size())) {
  run_->drift.resize(at(problem.coordinates()));
  run_->chip->set_state(to_single(model_, run_->step.words, y, y + model_.coordinate_count()));
}

std::string ChipSteps::note() const {
  const auto& shape = run_->step.program.shape;
  const auto& drift = run_->drift;
  std::string note = "steps were taken by the simulated chip in single precision: " +
                     std::to_string(run_->step.report.cycles) + " cycles each, with " +
                     counted(shape.adders, "adder") + ", " +
                     counted(shape.multipliers, "multiplier") + " and a reciprocal";
  const auto most = std::ranges::max_element(drift, {}, [](double x) { return std::abs(x); });
  if (most == drift.end()) return note;
  return note + "; that took coordinates off the course of their velocities, the farthest " +
         problem_.name_of(static_cast<int>(most - drift.begin())) + ", by " +
         to_short(std::abs(*most));
}

void ChipSteps::take(double t, double h, double* y) {
  if (std::abs(h - run_->h) > 1e-6 * run_->h) {
    give_up(
        "the chip takes whole steps only, and an output time or an event asks for a part of one");
  }
  before_.assign(y, y + problem_.size());
  rate(t, y, y_dot_.data());
  take_on_chip(y);
  const int state = model_.coordinate_count() + model_.velocity_count();
  for (int n = state; n < problem_.size(); ++n) y[n] += h * y_dot_[at(n)];
  if (run_->update == Update::kSemiImplicitEuler) {
    std::copy(y + model_.coordinate_count(), y + state,
              before_.begin() + model_.coordinate_count());
    rate(t, before_.data(), y_dot_.data());
  }
  for (int n = 0; n < model_.coordinate_count(); ++n)
    run_->drift[at(n)] += y[n] - before_[at(n)] - h * y_dot_[at(n)];
}

void ChipSteps::take_on_chip(double* y) {
  auto& chip = *run_->chip;
  chip.start(1);
  chip.finish(1);
  const auto status = chip.status();
  if (status.nan != 0) give_up("the chip reports a result that is not a number");
  if (status.overflow != 0) give_up("the chip reports an overflow");
  std::uint32_t step = 0;
  std::vector<double> values;
  for (const Word word : chip.state(step)) values.push_back(static_cast<double>(float_of(word)));
  from_words(model_, run_->step.words, values, y, y + model_.coordinate_count());
}

namespace {

CompiledStep compile_for_some_engine(const Model& model, Update update, double h) {
  try {
    return compile_step(model, update, h, small_engine());
  } catch (const std::length_error&) {
  }
  try {
    return compile_step(model, update, h, large_engine());
  } catch (const std::length_error& error) {
    throw ModelError({model.name(), 0}, model.name(),
                     std::string("The simulated chip is too small for it: ") + error.what() + ".");
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
  const auto run = std::make_shared<ChipRun>(
      ChipRun{compile_for_some_engine(model, update, h), update, h, nullptr, {}});
  std::string missing;
  auto simulator =
      load_chip_simulator(run->step.program.shape, program_folder() / "hardware", missing);
  if (!simulator) throw UsageError("--backend fpga-sim: " + missing);
  run->chip = std::make_unique<DrivenChip>(std::move(simulator), run->step.program);
  return [run, model](OdeProblem& problem, double t, const double* y) {
    return std::make_unique<ChipSteps>(model, run, problem, t, y);
  };
}

}  // namespace hamiltree::hardware
