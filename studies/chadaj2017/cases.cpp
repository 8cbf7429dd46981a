#include "studies/chadaj2017/cases.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "studies/mechanisms.hpp"

namespace hamiltree::studies {
namespace {

template <class Value>
std::vector<double> of_samples(const Recording& recording, const Value& value) {
  std::vector<double> values;
  for (const auto& sample : recording.samples) values.push_back(value(sample));
  return values;
}

}  // namespace

std::vector<Case> chadaj_cases() {
  std::vector<Case> cases;
  for (const std::string n : {"1", "2", "3"})
    cases.push_back({"case " + n, "case_" + n, shipped("chadaj_case_" + n)});
  return cases;
}

Mechanism in_space(Mechanism planar) {
  planar.space = SpaceKind::kSpatial;
  planar.name += "_in_space";
  for (auto& body : planar.bodies) body.inertia.setIdentity();
  return planar;
}

const System<Planar<double>>& planar_system(const Model& model) {
  return model.visit([]<class Space>(const System<Space>& system) -> const System<Planar<double>>& {
    if constexpr (Space::kIsPlanar) return system;
    throw std::logic_error("not a planar model");
  });
}

SimulationOptions as_in_paper(std::string_view formulation, std::string_view method,
                              double tolerance) {
  SimulationOptions options = as_by_default(formulation, method, tolerance);
  options.weights = Weights::kEqual;
  options.reset = options.projection = false;
  if (formulation == "hdca") options.leak = 0.0;
  return options;
}

SimulationOptions as_by_default(std::string_view formulation, std::string_view method,
                                double tolerance) {
  SimulationOptions options;
  options.formulation = formulation;
  options.integrator = with_tolerances(*method_from_name(method), {tolerance, tolerance});
  return options;
}

Recording run(const Model& model, const SimulationOptions& options, double until, double every) {
  Recording recording;
  try {
    Simulation(model, options).run_until(until, every, recording);
  } catch (const SimulationError&) {  // the summary says so
  }
  return recording;
}

std::vector<double> energy_errors(const Recording& recording) {
  const auto& first = recording.samples.front();
  const double start = first.kinetic_energy + first.potential_energy;
  return of_samples(recording, [&](const Sample& s) {
    return std::abs(s.kinetic_energy + s.potential_energy - start);
  });
}

std::vector<double> times(const Recording& recording) {
  return of_samples(recording, [](const Sample& s) { return s.t; });
}

std::vector<double> channel(const Recording& recording, std::string_view name) {
  const auto& sensors = recording.header.sensors;
  const auto found = std::ranges::find(sensors, name, &Channel::name);
  if (found == sensors.end()) throw std::logic_error("no channel " + std::string(name));
  const auto place = found - sensors.begin();
  return of_samples(recording, [&](const Sample& s) { return s.sensors(place); });
}

std::vector<double> position_residuals(const Recording& recording) {
  return of_samples(recording, [](const Sample& s) { return s.position_residual; });
}

std::vector<double> velocity_residuals(const Recording& recording) {
  return of_samples(recording, [](const Sample& s) { return s.velocity_residual; });
}

double largest(const std::vector<double>& values) { return *std::ranges::max_element(values); }

}  // namespace hamiltree::studies
