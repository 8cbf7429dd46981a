#include "hamiltree/sweep/sample_runner.hpp"

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/io/controller/controllers.hpp"
#include "hamiltree/io/import/option_error.hpp"
#include "hamiltree/simulation/chosen_formulation.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree {
namespace {

std::vector<std::string> paths_of(const SweepStudy& study) {
  std::vector<std::string> paths;
  for (const auto& setting : study.settings) paths.push_back(setting.path);
  return paths;
}

// A UsageError about a part of the study as an error of its file.
template <class F>
auto at_place(const SourceLocation& where, const F& f) {
  try {
    return f();
  } catch (const UsageError& error) {
    throw ModelError(where, "", error.what());
  }
}

std::shared_ptr<Controllers> started_controllers(const Model& model, const SweepStudy& study) {
  auto controllers = controllers_of(model, study.controller_command);
  if (controllers) controllers->start();
  return controllers;
}

}  // namespace

SamplePlan::SamplePlan(const SweepStudy& study)
    : study_(study),
      variants_(study.model, study.overrides, paths_of(study)),
      base_(study.model.mechanism(study.overrides)),
      outputs_(study.outputs, study.parameters, base_) {
  check_paths();
  controllers_ = at_place({study.file, 0}, [&] {
    const auto controllers = started_controllers(base_, study);
    return controllers ? controllers->checksums() : std::vector<std::string>();
  });
  // Options that do not fit are refused here.
  at_place(study.run, [&] { return std::make_unique<Simulation>(base_, study.options); });
  if (fits_lockstep(base_, study.options)) base_pins_ = revolute_mechanism(base_);
}

void SamplePlan::check_paths() const {
  try {
    variants_.check_paths(settings(parameters(0)));
  } catch (const OptionError& error) {
    for (const auto& [path, value, where, element] : study_.settings)
      if (path == error.option()) throw ModelError(where, element, element + ": " + error.what());
    throw;
  }
}

std::vector<double> SamplePlan::settings(const std::vector<double>& parameters) const {
  std::vector<double> values;
  for (const auto& setting : study_.settings) values.push_back(setting.value.value(parameters));
  return values;
}

SampleRunner::SampleRunner(const SamplePlan& plan, std::function<bool()> interrupted)
    : plan_(plan), variants_(plan.variants()), interrupted_(std::move(interrupted)) {}

SampleRecord SampleRunner::begun(std::size_t sample) const {
  SampleRecord record;
  record.sample = sample;
  record.parameters = plan_.parameters(sample);
  return record;
}

void SampleRunner::fail(const std::exception& error, SampleRecord& record) const {
  record.failure = error.what();
  record.outputs.assign(plan_.outputs().names().size(), std::numeric_limits<double>::quiet_NaN());
}

void SampleRunner::run(std::span<const std::size_t> samples,
                       const std::function<void(const SampleRecord&)>& keep) {
  std::vector<SampleRecord> side_by_side;
  std::vector<LockstepRun> runs;
  for (const auto sample : samples) {
    auto record = begun(sample);
    if (auto run = for_lockstep(record)) {
      runs.push_back(std::move(*run));
      side_by_side.push_back(std::move(record));
      continue;
    }
    if (record.failure.empty()) run_alone(record);
    keep(record);
  }
  if (runs.empty()) return;
  run_in_lockstep(side_by_side, runs);
  for (const auto& record : side_by_side) keep(record);
}

std::optional<LockstepRun> SampleRunner::for_lockstep(SampleRecord& record) {
  if (!plan_.base_pins()) return std::nullopt;
  try {
    const Model model(variants_.with(plan_.settings(record.parameters)));
    auto pins = revolute_mechanism(model);
    if (!pins || !are_alike(*pins, *plan_.base_pins())) return std::nullopt;
    auto start = initial_state(model);
    if (with_formulation(model, start.q, plan_.study().options).formulation != "recursive")
      return std::nullopt;
    return LockstepRun{model, std::move(*pins), std::move(start.q), std::move(start.p)};
  } catch (const ModelError& error) {
    fail(error, record);
  } catch (const UsageError& error) {
    fail(error, record);
  }
  return std::nullopt;
}

void SampleRunner::run_alone(SampleRecord& record) {
  const auto& study = plan_.study();
  try {
    const Model model(variants_.with(plan_.settings(record.parameters)));
    Reduction reduction(plan_.outputs(), study.trajectories);
    const auto controllers = started_controllers(model, study);
    if (controllers && controllers->checksums() != plan_.controllers())
      throw std::runtime_error("the file of a controller has changed since the sweep began");
    Simulation simulation(model, study.options);
    if (controllers) Controllers::drive(controllers, simulation);
    simulation.on_step([&](double) {
      if (interrupted_()) throw SweepInterrupted{};
    });
    simulation.run_until(study.until, study.every, reduction);
    record.outputs = reduction.outputs();
    record.trajectory = reduction.trajectory();
  } catch (const ModelError& error) {
    fail(error, record);
  } catch (const UsageError& error) {
    fail(error, record);
  } catch (const SimulationError& error) {
    fail(error, record);
  }
}

// Samples that do not stay finite run again by themselves, which says when and why.
void SampleRunner::run_in_lockstep(std::vector<SampleRecord>& records,
                                   std::span<const LockstepRun> runs) {
  const auto& study = plan_.study();
  std::vector<Reduction> reductions(runs.size(), Reduction(plan_.outputs(), study.trajectories));
  std::vector<Recorder*> recorders;
  for (auto& reduction : reductions) recorders.push_back(&reduction);
  Lockstep lockstep(runs, study.options);
  const auto finite = lockstep.run_until(study.until, study.every, recorders, [&] {
    if (interrupted_()) throw SweepInterrupted{};
  });
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (!finite[k]) {
      run_alone(records[k]);
      continue;
    }
    records[k].outputs = reductions[k].outputs();
    records[k].trajectory = reductions[k].trajectory();
  }
}

}  // namespace hamiltree
