#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "studies/precision/report.hpp"
#include "studies/precision/sweep.hpp"

namespace hamiltree::studies::round_off {
namespace {

constexpr double kGapBar = 1e-13;                        // of the chain's length
constexpr int kSegment = 16;                             // of the statements
constexpr std::size_t kSegmentColours[] = {5, 1, 4, 6};  // which no formulation here has

std::string trajectory_label(const std::string& formulation, int segment) {
  if (segment == 0) return formulation + ": plain";
  return formulation + ": m = " + std::to_string(segment);
}

double chain_length(const Sweep& sweep) {  // m, rods of 1 m
  return static_cast<double>(sweep.motion.pins.angles.size());
}

template <class Value>
Curve curve(const Sweep& sweep, const std::string& formulation, int segment, std::string colour,
            CurveStyle style, bool quick, const Value& value) {
  Curve result{trajectory_label(formulation, segment), {}, {}, std::move(colour), style};
  for (const double tolerance : swept_tolerances(quick)) {
    const auto& run = sweep.at(formulation, segment, tolerance);
    if (run.found.failed()) continue;
    result.x.push_back(static_cast<double>(run.solves()));
    result.y.push_back(value(run));
  }
  return result;
}

template <class Value>
std::vector<Curve> curves(const Sweep& sweep, bool quick, const Value& value) {
  std::vector<Curve> all;
  for (const std::string formulation : {"aba", "hdca", "recursive"}) {
    all.push_back(curve(sweep, formulation, 0, formulation_colour(formulation),
                        CurveStyle::kLineAndPoints, quick, value));
  }
  for (std::size_t i = 0; i < sweep.motion.segments.size(); ++i) {
    all.push_back(curve(sweep, "hdca", sweep.motion.segments[i], nth_colour(kSegmentColours[i]),
                        CurveStyle::kDashed, quick, value));
  }
  return all;
}

void add_figures(const Sweep& sweep, bool quick, Document& document) {
  const Axis solves{"solves of the whole system", "", true};
  document.figure({"rates_" + sweep.file(),
                   "Error of the rates of the pins at the end against work, " + sweep.motion.name +
                       ": one point for each tolerance.",
                   solves,
                   {"relative error", "", true},
                   curves(sweep, quick, [](const auto& run) { return run.error.rates; })});
  document.figure({"energy_" + sweep.file(),
                   "Largest relative error of the energy against work, " + sweep.motion.name + ".",
                   solves,
                   {"relative error", "", true},
                   curves(sweep, quick, [](const auto& run) { return run.found.energy_error; })});
}

DataTable table_of_trajectories(const Sweep& sweep) {
  DataTable table;
  table.name = "trajectories_" + sweep.file();
  table.caption = "Trajectories, " + sweep.motion.name + ", " + to_short(sweep.motion.duration) +
                  " s; the reference is known to " + to_short(sweep.own_error) + ".";
  table.columns = {{"tolerance", ""},      {"formulation", ""},
                   {"steps", ""},          {"rates", ""},
                   {"solves", ""},         {"time, plain = 1", ""},
                   {"error of rates", ""}, {"error of position", "m"},
                   {"energy error", ""},   {"gap before projection", "m"},
                   {"gap after", "m"},     {"gap of velocities", "m/s"}};
  for (const auto& run : sweep.runs) {
    const auto& plain = sweep.at(run.formulation, 0, run.tolerance);
    const bool comparable = !run.found.failed() && !plain.found.failed();
    std::vector<Cell> row{
        run.tolerance,
        trajectory_label(run.formulation, run.segment),
        double(run.found.steps),
        double(run.found.rate_evaluations),
        double(run.solves()),
        comparable ? Cell(run.found.wall_seconds / plain.found.wall_seconds) : Cell("")};
    if (run.found.failed()) {
      row.insert(row.end(), {Cell("gave up"), Cell("")});
    } else {
      row.insert(row.end(), {run.error.rates, run.error.position});
    }
    row.insert(row.end(), {run.found.energy_error, run.found.gap_before, run.found.position_drift,
                           run.found.velocity_drift});
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Runs in segments and runs of the plain chain in (q, p) that could not be integrated to the end.
Statement reaches_the_end(const std::vector<Sweep>& all) {
  int failed = 0, runs = 0;
  std::string plain;
  for (const auto& sweep : all) {
    for (const auto& run : sweep.runs) {
      if (run.segment > 0) {
        ++runs;
        failed += run.found.failed() ? 1 : 0;
      } else if (run.found.failed()) {
        plain += (plain.empty() ? "" : "; ") + sweep.motion.name + ", " + run.formulation + " at " +
                 to_short(run.tolerance);
      }
    }
  }
  return ours("Chains in floating segments can be integrated at every tolerance asked for",
              failed == 0,
              std::to_string(failed) + " of " + std::to_string(runs) +
                  " runs gave up; of the plain chain gave up: " + (plain.empty() ? "none" : plain));
}

Statement loops_stay_closed(const std::vector<Sweep>& all) {
  double worst = 0.0, before = 0.0;
  for (const auto& sweep : all) {
    for (const auto& run : sweep.runs) {
      worst = std::max(worst, run.found.position_drift / chain_length(sweep));
      before = std::max(before, run.found.gap_before / chain_length(sweep));
    }
  }
  return ours("One projection after each step keeps the cuts closed to " + to_short(kGapBar) +
                  " of the chain's length",
              worst <= kGapBar,
              to_short(worst) + " of the length; before the projection " + to_short(before));
}

Statement no_more_work(const std::vector<Sweep>& all) {
  int runs = 0, more = 0;
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const auto& sweep : all) {
    for (const auto& run : sweep.runs) {
      const auto& plain = sweep.at(run.formulation, 0, run.tolerance);
      if (run.segment != kSegment || run.found.failed() || plain.found.failed()) continue;
      const double ratio = static_cast<double>(run.solves()) / static_cast<double>(plain.solves());
      ++runs;
      if (ratio > 1.0) ++more;
      least = std::min(least, ratio);
      most = std::max(most, ratio);
    }
  }
  return ours("At the same tolerance segments of " + std::to_string(kSegment) +
                  " need no more solves than the plain chain in (q, p), projection and reset "
                  "included",
              more == 0,
              std::to_string(runs - more) + " of " + std::to_string(runs) + " runs; " +
                  to_short(least) + " to " + to_short(most) + " times as many");
}

// The smallest error that any tolerance reaches: it takes all of them to see it.
double floor_of(const Sweep& sweep, const std::string& formulation, int segment) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& run : sweep.runs) {
    if (run.formulation != formulation || run.segment != segment || run.found.failed()) continue;
    least = std::min(least, run.error.rates);
  }
  return least;
}

Statement reaches_further(const std::vector<Sweep>& all, bool quick) {
  const std::string text =
      "The best trajectory that hdca reaches at any tolerance is nearer to the reference with "
      "segments of " +
      std::to_string(kSegment) + " than without";
  if (quick) return not_run(text);
  bool holds = true;
  std::string evidence;
  for (const auto& sweep : all) {
    const double plain = floor_of(sweep, "hdca", 0);
    const double cut = floor_of(sweep, "hdca", kSegment);
    holds = holds && cut <= plain;
    evidence += (evidence.empty() ? "" : "; ") + sweep.motion.name + ": " + to_short(plain) +
                " -> " + to_short(cut) + ", aba " + to_short(floor_of(sweep, "aba", 0));
  }
  return ours(text, holds, evidence);
}

Statement velocities_win(const std::vector<Sweep>& all, bool quick) {
  const std::string text =
      "(q, v) wins along trajectories too: aba comes nearer to the reference, which is aba itself "
      "at "
      "a finer tolerance, than hdca with or without segments";
  if (quick) return not_run(text);
  bool holds = true;
  std::string evidence;
  for (const auto& sweep : all) {
    const double tolerance = sweep.runs.front().tolerance;
    const double best = std::min(floor_of(sweep, "hdca", 0), floor_of(sweep, "hdca", kSegment));
    holds = holds && floor_of(sweep, "aba", 0) < best;
    evidence += (evidence.empty() ? "" : "; ") + sweep.motion.name + ": solves at " +
                to_short(tolerance) + " " + std::to_string(sweep.at("aba", 0, tolerance).solves()) +
                ", hdca plain " + std::to_string(sweep.at("hdca", 0, tolerance).solves()) +
                ", in segments " + std::to_string(sweep.at("hdca", kSegment, tolerance).solves());
  }
  return ours(text, holds, evidence);
}

}  // namespace

Statements report_trajectories(const StudyOptions& options, Document& document) {
  const auto all = compute_sweeps(options);
  document.heading("The cure: floating segments, trajectories");
  document.paragraph(
      "Planar chains integrated by dormand_prince, with momentum reset and one projection after "
      "each "
      "step: released from rest, straight and level, and unfolding with random rates. The "
      "reference "
      "is aba in (q, v) at the tolerance 1e-13; its own error is that of a run at 1e-12. Work is "
      "counted in solves of the whole system: full rates, and the velocity solves of projection "
      "and reset. A plain chain whose momenta are rounded cannot follow a tolerance below that "
      "rounding: steps shrink until the integrator gives up.");
  for (const auto& sweep : all) add_figures(sweep, options.quick, document);
  for (const auto& sweep : all) document.table(table_of_trajectories(sweep));
  return {reaches_the_end(all), loops_stay_closed(all), no_more_work(all),
          reaches_further(all, options.quick), velocities_win(all, options.quick)};
}

}  // namespace hamiltree::studies::round_off
