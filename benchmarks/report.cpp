#include "benchmarks/report.hpp"

#include <cmath>
#include <fstream>
#include <map>

#include "benchmarks/agreement.hpp"
#include "benchmarks/prediction.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/base/version.hpp"
#include "hamiltree/io/export/colours.hpp"

namespace hamiltree::benchmarks {
namespace {

Cell number(double x) { return Cell(x); }
Cell nothing() { return Cell(std::string()); }

DataTable limits_table(const MachineLimits& limits) {
  DataTable table{"machine", "What one core can do at best.", {{"limit", ""}, {"value", ""}}, {}};
  const auto add = [&](const std::string& what, double value) {
    table.rows.push_back({Cell(what), number(value)});
  };
  add("multiply-adds one by one, GFLOP/s", 1e-9 * limits.scalar_flops);
  add("in " + std::to_string(limits.lanes) + " lanes, GFLOP/s", 1e-9 * limits.vector_flops);
  add("reading from memory, GB/s", 1e-9 * limits.bandwidth);
  if (limits.fork_join > 0.0)
    add("fork and join of two spinning threads, ns", 1e9 * limits.fork_join);
  return table;
}

DataTable engines_table(const std::vector<Peer>& peers) {
  DataTable table{"engines",
                  "The engines. A missing one was not timed.",
                  {{"engine", ""}, {"version", ""}, {"what is timed", ""}, {"compiled by", ""}},
                  {}};
  table.rows.push_back({Cell("hamiltree"), Cell(kVersion), Cell("`rate` of the formulation named"),
                        Cell(std::string(kCompiler) + ", " + kBuildType)});
  for (const auto& peer : peers) {
    if (peer.engine == nullptr) {
      table.rows.push_back({Cell(peer.name), Cell("missing"), Cell(peer.missing),
                            Cell("to install: " + peer.install)});
    } else {
      table.rows.push_back({Cell(peer.name), Cell(peer.engine->version()),
                            Cell(peer.engine->method()), Cell(peer.build)});
    }
  }
  return table;
}

DataTable threads_table(const std::vector<ThreadsResult>& results) {
  DataTable table{"threads",
                  "Two threads that share a model and nothing else, by the clock on the wall.",
                  {{"what", ""},
                   {"formulation", ""},
                   {"bodies", ""},
                   {"one thread", "1/s"},
                   {"two threads", "1/s"},
                   {"ratio", ""}},
                  {}};
  for (const auto& one : results) {
    table.rows.push_back({Cell(one.what), Cell(one.formulation), number(one.bodies),
                          number(one.one), number(one.two), number(one.speed_up())});
  }
  return table;
}

DataTable runs_table(const std::vector<RunResult>& results) {
  DataTable table{"runs",
                  "Whole runs of `recursive`: how many rates a step takes, the one that finds its "
                  "energies included, and the time of all beside that of these rates alone.",
                  {{"what", ""},
                   {"bodies", ""},
                   {"integrator", ""},
                   {"rates per step", ""},
                   {"run / rates", ""}},
                  {}};
  for (const auto& run : results) {
    table.rows.push_back({Cell(run.what), number(run.bodies), Cell(run.integrator),
                          number(run.rates_per_step), number(run.ratio)});
  }
  return table;
}

DataTable prediction_table(const ChainModel& model) {
  constexpr int kCores[] = {1, 16, 64};
  DataTable table{
      "prediction",
      "A model, not a measurement: one chain on many cores. T(n, c) = t(n / c) + (b + 2 f) log2 c, "
      "with t the time measured on one core, b = " +
          hamiltree::to_text(std::round(1e9 * model.join)) +
          " ns for a join, fitted to the sizes in lanes within " +
          hamiltree::to_text(std::ceil(100.0 * model.misfit)) +
          " %, and f = " + hamiltree::to_text(std::round(1e9 * model.fork_join)) +
          " ns to start and await a core. That cores share memory is left out",
      {{"bodies", ""}, {"longest way, joins", ""}},
      {}};
  for (const int cores : kCores)
    table.columns.push_back({std::to_string(cores) + (cores == 1 ? " core" : " cores"), "us"});
  for (const int cores : {16, 64})
    table.columns.push_back({"gain of " + std::to_string(cores), ""});
  for (double n = 1e3; n <= 1e7; n *= 10.0) {
    auto& row = table.rows.emplace_back();
    row = {number(n), number(std::ceil(std::log2(n)))};
    for (const int cores : kCores) row.push_back(number(1e6 * model.time(n, cores)));
    for (const int cores : {16, 64}) row.push_back(number(model.time(n, 1) / model.time(n, cores)));
  }
  return table;
}

std::vector<Cell> row(const CaseResult& result, const Contest& contest,
                      const MachineLimits& limits) {
  const double bodies = result.bodies, time = contest.timing.median;
  std::vector<Cell> cells{result.name.empty() ? number(result.size) : Cell(result.name),
                          Cell(contest.engine)};
  if (contest.outcome == Outcome::kTimed) {
    cells.insert(cells.end(),
                 {number(1e9 * time), number(1e9 * time / bodies), number(contest.timing.ratio)});
  } else {
    cells.insert(cells.end(), {Cell(std::string(to_text(contest.outcome)) + ": " + contest.why),
                               nothing(), nothing()});
  }
  cells.push_back(contest.difference ? number(*contest.difference) : nothing());
  if (contest.flops) {
    const double speed = *contest.flops / time;
    cells.insert(cells.end(), {number(*contest.flops / bodies), number(1e-9 * speed),
                               number(100.0 * speed / limits.vector_flops)});
  } else {
    cells.insert(cells.end(), {nothing(), nothing(), nothing()});
  }
  return cells;
}

DataTable times_table(const FamilyResult& family, const MachineLimits& limits) {
  DataTable table;
  table.name = family.family.name;
  table.caption = family.family.about + " Ratios are to the first row of each size.";
  table.columns = {{family.family.counted, ""}, {"engine", ""},       {"one call", "ns"},
                   {"per body", "ns"},          {"ratio", ""},        {"results differ by", ""},
                   {"operations per body", ""}, {"speed", "GFLOP/s"}, {"of the peak", "%"}};
  for (const auto& result : family.cases) {
    for (const auto& contest : result.contests) {
      if (contest.outcome == Outcome::kMissing) continue;  // said above, once
      table.rows.push_back(row(result, contest, limits));
    }
  }
  return table;
}

// ns per body over the size; an engine has the same colour in every figure.
Figure figure(const FamilyResult& family) {
  Figure figure;
  figure.name = family.family.name + "_times";
  figure.caption = family.family.title + ": time of one evaluation, per body, one core.";
  figure.x = {family.family.counted, "", true};
  figure.y = {"time per body", "ns", true};
  static const std::vector<std::string> kOrder{
      "hamiltree recursive", "Simbody", "Pinocchio", "MuJoCo", "Bullet", "DART", "hamiltree aba"};
  std::map<std::string, Curve> curves;
  for (const auto& result : family.cases) {
    for (const auto& contest : result.contests) {
      if (contest.outcome != Outcome::kTimed) continue;
      auto& curve = curves[contest.engine];
      curve.x.push_back(result.size);
      curve.y.push_back(1e9 * contest.timing.median / result.bodies);
    }
  }
  for (std::size_t i = 0; i < kOrder.size(); ++i) {
    const auto found = curves.find(kOrder[i]);
    if (found == curves.end()) continue;
    found->second.label = kOrder[i];
    found->second.colour = nth_colour(i);
    found->second.style = CurveStyle::kLineAndPoints;
    figure.curves.push_back(std::move(found->second));
  }
  return figure;
}

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

Document to_document(const BenchResult& result) {
  Document document;
  document.title = "Benchmarks";
  document.subtitle = "hamiltree " + std::string(kVersion) + " on " + processor_name() + ", " +
                      std::to_string(usable_cores().size()) + " cores";
  document.paragraph(
      "Forward dynamics of the same mechanisms in the same states, gravity and sines included, by "
      "one thread on one core. Before an engine is timed its accelerations are held against those "
      "of `aba`, and must agree to " +
      hamiltree::to_text(kAgreement) +
      " of the largest, or of gravity where all are smaller (beyond 128 bodies to more, as the "
      "cube "
      "of their number); where loops of "
      "an engine give, the difference is told only. Engines take "
      "turns, round after round; times are medians of the thread's time, ratios medians over the "
      "rounds, so that what disturbs the machine disturbs all alike. Absolute times move with the "
      "machine; the ratios are what to look at.");
  document.heading("Machine and engines");
  document.table(limits_table(result.limits));
  document.table(engines_table(result.peers));
  for (const auto& family : result.families) {
    if (family.cases.empty()) continue;
    document.heading(family.family.title);
    const auto& counted = family.family.counted;
    if (family.cases.size() > 1 && (counted == "bodies" || counted == "loops")) {
      document.figure(figure(family));
    }
    document.table(times_table(family, result.limits));
  }
  for (const auto& family : result.families) {
    if (family.family.name != "chain" || family.cases.empty()) continue;
    document.heading("Many cores");
    document.table(prediction_table(fit_chain(family, result.limits.fork_join)));
  }
  if (!result.threads.empty()) {
    document.heading("Two threads");
    document.table(threads_table(result.threads));
  }
  if (!result.runs.empty()) {
    document.heading("Whole runs");
    document.table(runs_table(result.runs));
  }
  return document;
}

}  // namespace hamiltree::benchmarks
