#include "benchmarks/runs.hpp"

#include <memory>
#include <optional>
#include <utility>

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
constexpr long kRuns = 4;  // from one start: what chains do after a second is no matter of speed

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

RunResult measure_run(const std::string& what, const Model& model, const std::string& integrator,
                      const MeasureOptions& options) {
  SimulationOptions run;
  run.formulation = kFormulation;
  run.integrator = method_of(integrator);
  // The momenta of long chains leave few digits, which the guard of energies would not accept.
  // There are no loops to project onto.
  run.projection = false;
  const double span = step_of(run.integrator) ? kFixedSpan : kAdaptiveSpan;
  std::optional<Simulation> simulation;
  Last last;
  const auto rates = make_own(model, kFormulation);
  rates->keep(draw_states(model, 1));
  long runs = 0;
  const auto timings =
      measure({[&](std::size_t) { rates->evaluate(0); },
               [&](std::size_t) {
                 if (runs % kRuns == 0) simulation.emplace(model, run), runs = 0;
                 ++runs;
                 simulation->run_until(static_cast<double>(runs) * span, span, last);
               }},
              options);
  const auto& s = last.summary;
  const auto evaluations = static_cast<double>(s.rate_evaluations + s.velocity_solves);
  return {what, integrator, model.body_count(), evaluations / static_cast<double>(s.steps),
          timings[1].ratio * static_cast<double>(runs) / evaluations};
}

}  // namespace

std::vector<RunResult> measure_runs(bool quick) {
  const MeasureOptions options =
      quick ? MeasureOptions{3e-4, 0.1, 15} : MeasureOptions{2e-3, 1.0, 31};
  std::vector<RunResult> results;
  const auto add = [&](const std::string& what, const Mechanism& mechanism) {
    const Model model(mechanism);
    for (const char* integrator : {"rk4", "dormand_prince", "adams"})
      results.push_back(measure_run(what, model, integrator, options));
  };
  add("chain", chain(16));
  add("chain", chain(256));
  add("planar chain", planar_chain(16));
  add("planar chain", planar_chain(256));
  add("humanoid", humanoid());
  return results;
}

}  // namespace hamiltree::benchmarks
