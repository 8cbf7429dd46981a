// hamiltree bench: how long a model takes, by each formulation.
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/timing.hpp"
#include "hamiltree/batch/batch.hpp"
#include "hamiltree/formulations/codegen/generate.hpp"
#include "hamiltree/formulations/derivatives/derivatives.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/simulation.hpp"
#include "method.hpp"
#include "options.hpp"
#include "print.hpp"

namespace hamiltree::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kBenchFormat = 1;
constexpr double kRunSeconds = 0.1;   // of processor time, that a run takes to be timed
constexpr int kRuns = 3;              // at most, of one that takes less
constexpr double kSlowRates = 10.0;   // of the default: what is slower makes a shorter run
constexpr double kLongest = 10.0;     // s simulated, at most
constexpr std::size_t kStates = 16;   // that rates are timed at
constexpr std::size_t kBatch = 1024;  // states in a batch
constexpr int kMostTraced = 200;      // bodies whose operations are counted
constexpr int kMostDense = 200;       // velocities, for formulations of cubic cost
constexpr MeasureOptions kMeasured{2e-3, 0.5, 31};

struct BenchArguments {
  ModelArguments model;
  MethodArguments method;
  bool json = false;
};

// Times in ns; none where a formulation cannot do it, with why.
struct OfFormulation {
  std::string name, why_not;
  std::optional<double> rate_ns, jacobian_ns, step_ns;
  std::optional<std::size_t> operations;
};

struct ModelBench {
  std::string reason;  // of the default
  std::vector<OfFormulation> formulations;
  std::optional<double> batch_ns;
  bool batch_in_lanes = false;
  double until = 0.0;  // s
};

// Keeps the states of a run, evenly spread, and its number of steps.
struct States : Recorder {
  void begin(const RecordingHeader&) override {}
  void sample(const Sample& sample) override {
    all.push_back({sample.t, sample.q, sample.p});
    v.push_back(sample.v);
  }
  void finish(const Summary& summary) override { steps = summary.steps; }

  std::vector<State> all;
  std::vector<Eigen::VectorXd> v;
  long steps = 0;
};

struct Run {
  States states;
  double seconds = 0.0, until = 0.0;
};

Run run_of(const Model& model, const SimulationOptions& options, double until, double every) {
  Run run;
  Simulation simulation(model, options);
  const double start = thread_seconds();
  simulation.run_until(until, every, run.states);
  run.seconds = thread_seconds() - start;
  run.until = until;
  return run;
}

// So long that its time can be told.
Run long_enough(const Model& model, const SimulationOptions& options) {
  for (double until = 0.02;; until = std::min(2.0 * until, kLongest)) {
    auto run = run_of(model, options, until, until / static_cast<double>(kStates));
    if (run.seconds >= kRunSeconds || until == kLongest) return run;
  }
}

// ns for each state of the run; of the Jacobians of the rates with respect to the state none for a
// formulation of accelerations or a model with callbacks.
struct StateTimes {
  double rate_ns = 0.0;
  std::optional<double> jacobian_ns;
};
StateTimes state_times(const Model& model, const std::string& name, const MethodArguments& method,
                       const States& states) {
  const auto options = options_for(name, model, method);
  const auto formulation =
      make_formulation(name, model, {options.baumgarte, options.lanes, options.plane, 1});
  const auto workspace = formulation->make_workspace();
  const bool momenta = formulation->form() == StateForm::kMomenta;
  std::vector<StateView> views;
  for (std::size_t i = 0; i < states.all.size(); ++i) {
    const auto& state = states.all[i];
    views.push_back({state.t, state.q.data(), momenta ? state.p.data() : states.v[i].data()});
  }
  formulation->analyse(views.front(), *workspace);
  const auto evaluate = [&](std::size_t call) {
    formulation->rate(views[call % views.size()], *workspace);
  };
  StateTimes times{1e9 * measure({evaluate}, kMeasured).front().least, {}};
  std::optional<Derivatives> derivatives;
  try {
    derivatives.emplace(model, *formulation);
  } catch (const UsageError&) {
    return times;
  }
  Jacobians jacobians;
  const auto differentiate = [&](std::size_t call) {
    derivatives->jacobians(views[call % views.size()], *workspace, jacobians);
  };
  times.jacobian_ns = 1e9 * measure({differentiate}, kMeasured).front().least;
  return times;
}

// Additions and multiplications of a rate, constants folded.
std::optional<std::size_t> operations_of(const Model& model, const std::string& name,
                                         const States& states) {
  const auto& generated = codegen::formulations();
  if (std::ranges::find(generated, name) == generated.end()) return std::nullopt;
  if (model.body_count() > kMostTraced) return std::nullopt;
  const auto& start = states.all.front();
  codegen::GenerateOptions options;
  options.formulation = name;
  try {
    const auto file =
        codegen::generate(model, {start.t, start.q.data(), start.p.data()}, options, "model.h");
    for (const auto& function : file.functions) {
      if (function.name.ends_with("_rates")) return function.operations.flops();
    }
  } catch (const ModelError&) {  // callbacks are not traced
  }
  return std::nullopt;
}

// ns a state, of many.
double batch_ns(Batch& batch, const Model& model, const States& states) {
  const auto nq = static_cast<std::size_t>(model.coordinate_count());
  const auto nv = static_cast<std::size_t>(model.velocity_count());
  std::vector<double> q, p, q_dot(kBatch * nq), p_dot(kBatch * nv);
  for (std::size_t i = 0; i < kBatch; ++i) {
    const auto& state = states.all[i % states.all.size()];
    q.insert(q.end(), state.q.begin(), state.q.end());
    p.insert(p.end(), state.p.begin(), state.p.end());
  }
  const auto evaluate = [&](std::size_t) {
    batch.rate(0.0, kBatch, q.data(), p.data(), q_dot.data(), p_dot.data());
  };
  return 1e9 * measure({evaluate}, kMeasured).front().least / static_cast<double>(kBatch);
}

// The time of an accepted step: the median of runs.
double step_ns(const Model& model, const SimulationOptions& options, double until) {
  std::vector<double> found;
  double seconds = 0.0;
  do {
    const auto run = run_of(model, options, until, until);
    seconds += run.seconds;
    found.push_back(1e9 * run.seconds / static_cast<double>(std::max(run.states.steps, 1L)));
  } while (static_cast<int>(found.size()) < kRuns && seconds < kRunSeconds);
  return median(found);
}

OfFormulation time_formulation(const Model& model, const std::string& name,
                               const BenchArguments& arguments, const Run& reference,
                               double default_rate_ns) {
  OfFormulation result;
  result.name = name;
  const bool cubic = name != "recursive" && name != "hdca" && name != "dca" && name != "aba";
  if (cubic && model.velocity_count() > kMostDense) {
    result.why_not =
        "its cost grows with the cube of " + std::to_string(model.velocity_count()) + " velocities";
    return result;
  }
  try {
    const auto options = options_for(name, model, arguments.method);
    const auto times = state_times(model, name, arguments.method, reference.states);
    result.rate_ns = times.rate_ns;
    result.jacobian_ns = times.jacobian_ns;
    result.operations = operations_of(model, name, reference.states);
    const double rates = default_rate_ns > 0.0 ? times.rate_ns / default_rate_ns : 1.0;
    result.step_ns = step_ns(model, options, reference.until * std::min(1.0, kSlowRates / rates));
  } catch (const UsageError& error) {
    result.why_not = error.what();
  } catch (const SimulationError& error) {
    result.why_not = error.what();
  }
  return result;
}

ModelBench time_model(const Model& model, const BenchArguments& arguments) {
  const Pinned pinned(usable_cores().front());
  ModelBench bench;
  const auto selected = select_formulation(model, initial_state(model).q);
  bench.reason = selected.reason;
  const auto reference = long_enough(model, options_for(selected.name, model, arguments.method));
  bench.until = reference.until;
  auto names = formulation_names();
  std::stable_partition(names.begin(), names.end(),
                        [&](const auto& name) { return name == selected.name; });
  for (const auto& name : names) {
    const double default_rate_ns =
        bench.formulations.empty() ? 0.0 : bench.formulations.front().rate_ns.value_or(0.0);
    bench.formulations.push_back(
        time_formulation(model, name, arguments, reference, default_rate_ns));
  }
  Batch batch(model);
  bench.batch_ns = batch_ns(batch, model, reference.states);
  bench.batch_in_lanes = batch.in_lanes();
  return bench;
}

Json or_null(const auto& value) { return value ? Json(*value) : Json(); }

Json bench_object(const OfFormulation& f) {
  Json object{{"name", f.name},
              {"rate_ns", or_null(f.rate_ns)},
              {"jacobian_ns", or_null(f.jacobian_ns)},
              {"step_ns", or_null(f.step_ns)},
              {"operations", or_null(f.operations)}};
  if (!f.why_not.empty()) object["why_not"] = f.why_not;
  return object;
}

std::string bench_json(const Model& model, const ModelBench& bench) {
  Json document{{"format", kBenchFormat},
                {"name", model.name()},
                {"file", model.mechanism().where.file},
                {"bodies", model.body_count()},
                {"until", bench.until},
                {"reason", bench.reason},
                {"formulations", Json::array()},
                {"batch_ns", or_null(bench.batch_ns)},
                {"batch_in_lanes", bench.batch_in_lanes}};
  for (const auto& f : bench.formulations) document["formulations"].push_back(bench_object(f));
  return document.dump(2) + "\n";
}

std::string ns_text(const std::optional<double>& ns) { return ns ? to_short(*ns) + " ns" : "-"; }

std::string bench_text(const Model& model, const ModelBench& bench) {
  Table table;
  table.add({"formulation", "rate", "Jacobian", "step", "operations", ""});
  for (std::size_t i = 0; i < bench.formulations.size(); ++i) {
    const auto& f = bench.formulations[i];
    table.add({f.name, ns_text(f.rate_ns), ns_text(f.jacobian_ns), ns_text(f.step_ns),
               f.operations ? std::to_string(*f.operations) : "-",
               !f.why_not.empty() ? f.why_not
               : i == 0           ? "default: " + bench.reason
                                  : ""});
  }
  std::string text = model.name() + ", " + counted(model.body_count(), "body", "bodies") +
                     ", steps of the first " + to_short(bench.until) + " s\n" + table.text();
  if (bench.batch_ns) {
    text += "batch of " + std::to_string(kBatch) + " states: " + ns_text(bench.batch_ns) +
            " a state, " + (bench.batch_in_lanes ? "eight at a time\n" : "one by one\n");
  }
  return text;
}

void bench(const BenchArguments& arguments) {
  const Model model(read_model(arguments.model).mechanism(arguments.model.overrides));
  const auto result = time_model(model, arguments);
  std::cout << (arguments.json ? bench_json(model, result) : bench_text(model, result));
}

}  // namespace

Command add_bench(CLI::App& app) {
  const auto given = std::make_shared<BenchArguments>();
  auto& arguments = *given;
  auto* command = app.add_subcommand("bench", "time a model by each formulation");
  add_model(*command, arguments.model);
  add_method(*command, arguments.method);
  command->add_flag("--json", arguments.json, "print JSON and nothing else");
  return {command, [given] { bench(*given); }};
}

}  // namespace hamiltree::app
