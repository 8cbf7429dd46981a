// Momenta against accelerations: the same chains, methods and tolerances.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/io/export/colours.hpp"
#include "studies/mechanisms.hpp"
#include "studies/naudet2003/chains.hpp"
#include "studies/naudet2003/runs.hpp"
#include "studies/naudet2003/sections.hpp"

namespace hamiltree::naudet2003 {
namespace {

// The runs of one chain with one method, loosest tolerance first.
struct Case {
  std::string chain, method;
  std::vector<double> tolerances;
  std::vector<RunResult> momenta, accelerations;
};

// Short enough for the last poses to mean something: long chains are chaotic.
std::vector<Chain> chains(const studies::StudyOptions& options) {
  const double until = options.quick ? 0.5 : 1.0;
  const unsigned starts = options.quick ? 1 : 5;
  std::vector<Chain> result;
  result.push_back(
      make_chain("double pendulum", until, {Model(studies::shipped("double_pendulum"))}));
  for (const int n : options.quick ? std::vector<int>{6} : std::vector<int>{4, 8, 16}) {
    std::vector<Model> models;
    for (unsigned i = 0; i < starts; ++i) {
      models.emplace_back(pin_chain(n, Axes::kGeneral, Loads::kGravity, kSeed + i));
    }
    result.push_back(make_chain(std::to_string(n) + " bodies in space", until, std::move(models)));
  }
  return result;
}

std::vector<double> tolerances(bool quick) {
  if (quick) return {1e-3, 1e-5, 1e-7, 1e-9};
  return {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
}

// log evaluations = a + b log error, by least squares.
struct WorkLine {
  double mean_x = 0.0, mean_y = 0.0, slope = 0.0, low = 0.0, high = 0.0;

  explicit WorkLine(const std::vector<RunResult>& runs) {
    const auto count = static_cast<double>(runs.size());
    low = high = std::log(runs.front().position_error);
    for (const auto& run : runs) {
      const double x = std::log(run.position_error);
      mean_x += x / count;
      mean_y += std::log(run.evaluations) / count;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    double covariance = 0.0, variance = 0.0;
    for (const auto& run : runs) {
      const double x = std::log(run.position_error) - mean_x;
      covariance += x * (std::log(run.evaluations) - mean_y);
      variance += x * x;
    }
    slope = covariance / variance;
  }
  double operator()(double x) const { return mean_y + slope * (x - mean_x); }
};

// Evaluations at an equal error of the last pose, in the middle of the errors that both reach.
double work_ratio(const Case& c) {
  const WorkLine momenta(c.momenta), accelerations(c.accelerations);
  const double error =
      0.5 * (std::max(momenta.low, accelerations.low) + std::min(momenta.high, accelerations.high));
  return std::exp(momenta(error) - accelerations(error));
}

template <class Value>
std::vector<double> ratios(const std::vector<Case>& cases, const Value& value) {
  std::vector<double> result;
  for (const auto& c : cases) {
    for (std::size_t i = 0; i < c.tolerances.size(); ++i) {
      const double a = value(c.momenta[i]), b = value(c.accelerations[i]);
      if (a > 0.0 && b > 0.0) result.push_back(a / b);
    }
  }
  return result;
}

double evaluations(const RunResult& run) { return run.evaluations; }
double energy_error(const RunResult& run) { return run.energy_error; }
double position_error(const RunResult& run) { return run.position_error; }
double wall_seconds(const RunResult& run) { return run.wall_seconds; }

std::vector<Case> run_all(const studies::StudyOptions& options) {
  std::vector<Case> cases;
  for (const auto& chain : chains(options)) {
    for (const Method& method : {Method(DormandPrince{}), Method(Adams{})}) {
      options.progress("integrating: " + chain.name + ", " + to_name(method));
      Case c{chain.name, to_name(method), tolerances(options.quick), {}, {}};
      for (const double tolerance : c.tolerances) {
        const Method at = with_tolerances(method, {tolerance, tolerance});
        c.momenta.push_back(run_chain(chain, "recursive", at));
        c.accelerations.push_back(run_chain(chain, "aba", at));
      }
      cases.push_back(std::move(c));
    }
  }
  return cases;
}

void case_table(const std::vector<Case>& cases, Document& document) {
  DataTable table{
      "integration",
      "Momenta (`recursive`) and accelerations (`aba`) at equal relative and absolute "
      "tolerance, geometric means over the starts. Times are of whole runs, on one core",
      {{"chain", ""},
       {"method", ""},
       {"tolerance", ""},
       {"evaluations, momenta", ""},
       {"accelerations", ""},
       {"energy error, momenta", ""},
       {"accelerations", ""},
       {"error of the last pose, momenta", "rad"},
       {"accelerations", "rad"},
       {"time, momenta to accelerations", ""}},
      {}};
  for (const auto& c : cases) {
    for (std::size_t i = 0; i < c.tolerances.size(); ++i) {
      const auto &a = c.momenta[i], &b = c.accelerations[i];
      table.rows.push_back({c.chain, c.method, c.tolerances[i], std::round(a.evaluations),
                            std::round(b.evaluations), a.energy_error, b.energy_error,
                            a.position_error, b.position_error, a.wall_seconds / b.wall_seconds});
    }
  }
  document.table(std::move(table));
}

void summary_table(const std::vector<Case>& cases, Document& document) {
  DataTable table{"integration_summary",
                  "Momenta to accelerations, geometric means over the tolerances: below 1 momenta "
                  "are better",
                  {{"chain", ""},
                   {"method", ""},
                   {"evaluations", ""},
                   {"energy error", ""},
                   {"error of the last pose", ""},
                   {"evaluations at equal error", ""},
                   {"time", ""}},
                  {}};
  for (const auto& c : cases) {
    const std::vector<Case> one = {c};
    table.rows.push_back({c.chain, c.method, geometric_mean(ratios(one, evaluations)),
                          geometric_mean(ratios(one, energy_error)),
                          geometric_mean(ratios(one, position_error)), work_ratio(c),
                          geometric_mean(ratios(one, wall_seconds))});
  }
  document.table(std::move(table));
}

template <class Value>
std::vector<double> column(const std::vector<RunResult>& runs, const Value& value) {
  std::vector<double> result;
  for (const auto& run : runs) result.push_back(value(run));
  return result;
}

// Figures of the last chain, the longest.
void figures_of_runs(const std::vector<Case>& cases, Document& document) {
  const std::string chain = cases.back().chain;
  const auto curves = [&](const auto& x, const auto& y) {
    std::vector<Curve> result;
    for (const auto& c : cases) {
      if (c.chain != chain) continue;
      const auto style = c.method == "adams" ? CurveStyle::kDashed : CurveStyle::kLineAndPoints;
      result.push_back({"momenta: " + c.method, x(c, c.momenta), y(c.momenta),
                        formulation_colour("recursive"), style});
      result.push_back({"accelerations: " + c.method, x(c, c.accelerations), y(c.accelerations),
                        formulation_colour("aba"), style});
    }
    return result;
  };
  const auto by_tolerance = [](const Case& c, const auto&) { return c.tolerances; };
  const auto by_error = [](const Case&, const auto& runs) { return column(runs, position_error); };
  const auto count = [](const auto& runs) { return column(runs, evaluations); };
  document.figure({"evaluations",
                   "Evaluations of the rates, " + chain,
                   {"tolerance", "", true},
                   {"evaluations", "", true},
                   curves(by_tolerance, count)});
  document.figure({"energy_error",
                   "Largest relative error of the energy, " + chain,
                   {"tolerance", "", true},
                   {"error", "", true},
                   curves(by_tolerance, [](const auto& r) { return column(r, energy_error); })});
  document.figure({"work",
                   "Work for accuracy, " + chain,
                   {"error of the last pose", "rad", true},
                   {"evaluations", "", true},
                   curves(by_error, count)});
  std::vector<Curve> times;
  for (const auto& c : cases) {
    std::vector<double> ratio;
    for (std::size_t i = 0; i < c.tolerances.size(); ++i) {
      ratio.push_back(c.momenta[i].wall_seconds / c.accelerations[i].wall_seconds);
    }
    times.push_back({c.chain + ": " + c.method, c.tolerances, ratio, nth_colour(times.size() / 2),
                     c.method == "adams" ? CurveStyle::kDashed : CurveStyle::kLineAndPoints});
  }
  document.figure({"times",
                   "Wall time of a run, momenta to accelerations",
                   {"tolerance", "", true},
                   {"ratio", ""},
                   std::move(times)});
}

}  // namespace

IntegrationFindings integration_section(const studies::StudyOptions& options, Document& document) {
  const auto cases = run_all(options);
  document.heading("Numerical integration");
  document.paragraph(
      "Open chains under gravity, those in space from random poses and velocities (" +
      std::string(options.quick ? "one start" : "five starts") + " each, seeds from " +
      std::to_string(kSeed) +
      "), the double pendulum from rest: `recursive` integrates (q, p), "
      "`aba` (q, v), with the same method at the same tolerances; errors of momenta are weighed by "
      "the inertia that each joint feels, as errors of velocities. Errors of poses are against "
      "Dormand-Prince at tolerances of 1e-13. Runs are short, for long chains are chaotic.");
  summary_table(cases, document);
  figures_of_runs(cases, document);
  case_table(cases, document);
  IntegrationFindings found;
  for (const auto& c : cases) found.pairs += static_cast<int>(c.tolerances.size());
  found.evaluations_ratio = geometric_mean(ratios(cases, evaluations));
  found.energy_ratio = geometric_mean(ratios(cases, energy_error));
  found.position_ratio = geometric_mean(ratios(cases, position_error));
  found.time_ratio = geometric_mean(ratios(cases, wall_seconds));
  for (const auto* method : {"dormand_prince", "adams"}) {
    std::vector<double> work;
    for (const auto& c : cases) {
      if (c.method == method) work.push_back(work_ratio(c));
    }
    found.work.push_back({method, geometric_mean(work), *std::min_element(work.begin(), work.end()),
                          *std::max_element(work.begin(), work.end())});
  }
  return found;
}

}  // namespace hamiltree::naudet2003
