#include "benchmarks/runs.hpp"

#include <functional>
#include <vector>

#include "benchmarks/models.hpp"
#include "benchmarks/own.hpp"
#include "benchmarks/states.hpp"
#include "hamiltree/base/timing.hpp"
#include "hamiltree/integrators/method.hpp"
#include "hamiltree/simulation/simulation.hpp"

namespace hamiltree::benchmarks {
namespace {

constexpr const char* kFormulation = "recursive";
constexpr double kStep = 1e-4, kTolerance = 1e-9;
// s, from one record to the next: hundreds of steps, so that records do not count.
constexpr double kFixedSpan = 0.05, kAdaptiveSpan = 0.25;

// Forgets all but the last summary.
struct Last : Recorder {
  void begin(const RecordingHeader&) override {}
  void sample(const Sample&) override {}
  void finish(const Summary& s) override { summary = s; }
  Summary summary;
};

Method method_of(const std::string& name) {
  const auto method = *method_from_name(name);
  return tolerances_of(method) ? with_tolerances(method, {kTolerance, kTolerance})
                               : with_step(method, kStep);
}

double seconds_of(const std::function<void()>& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

RunResult measure_run(const std::string& what, const Model& model, const std::string& integrator,
                      int rounds) {
  SimulationOptions run;
  run.formulation = kFormulation;
  run.integrator = method_of(integrator);
  // The momenta of long chains leave few digits, which the guard of energies would not accept.
  // There are no loops to project onto.
  run.projection = false;
  const double span = step_of(run.integrator) ? kFixedSpan : kAdaptiveSpan;
  Last last;
  const auto rates = make_own(model, kFormulation);
  rates->keep(draw_states(model, 1));
  // A Simulation is made before the clock starts: it costs as much as some steps of a small model.
  std::vector<double> ratios;
  for (int round = 0; round < rounds; ++round) {
    Simulation simulation(model, run);
    const double of_run = seconds_of([&] { simulation.run_until(span, span, last); });
    const long evaluations = last.summary.rate_evaluations + last.summary.velocity_solves;
    const double of_rates = seconds_of([&] {
      for (long i = 0; i < evaluations; ++i) rates->evaluate(0);
    });
    ratios.push_back(of_run / of_rates);
  }
  const auto& s = last.summary;
  const auto evaluations = static_cast<double>(s.rate_evaluations + s.velocity_solves);
  return {what, integrator, model.body_count(), evaluations / static_cast<double>(s.steps),
          median(ratios)};
}

}  // namespace

std::vector<RunResult> measure_runs(bool quick) {
  const int rounds = quick ? 5 : 31;
  std::vector<RunResult> results;
  const auto add = [&](const std::string& what, const Mechanism& mechanism) {
    const Model model(mechanism);
    for (const char* integrator : {"rk4", "dormand_prince", "adams"})
      results.push_back(measure_run(what, model, integrator, rounds));
  };
  add("chain", chain(16));
  add("chain", chain(256));
  add("planar chain", planar_chain(16));
  add("planar chain", planar_chain(256));
  add("humanoid", humanoid());
  return results;
}

}  // namespace hamiltree::benchmarks
