#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "studies/chadaj2017/chadaj2017.hpp"

namespace hamiltree::studies {
namespace {

constexpr double kTolerance = 1e-6;
constexpr double kSparkStep = 5e-3;  // s
constexpr double kRedundantTolerance = 1e-9;

struct Variant {
  std::string name;
  SimulationOptions options;
  std::string colour;
  CurveStyle style;
};

std::vector<Variant> variants() {
  auto spark = as_by_default("hdca", "dormand_prince", kTolerance);
  spark.integrator = Spark{2, kSparkStep};
  auto scaled = as_by_default("hdca", "dormand_prince", kTolerance);
  scaled.energy_scaling = true;
  const auto hdca = formulation_colour("hdca"), dca = formulation_colour("dca");
  return {
      {"dca, as in the paper", as_in_paper("dca", "dormand_prince", kTolerance), dca,
       CurveStyle::kLine},
      {"dca, projected", as_by_default("dca", "dormand_prince", kTolerance), dca,
       CurveStyle::kDashed},
      {"hdca, as in the paper", as_in_paper("hdca", "dormand_prince", kTolerance), hdca,
       CurveStyle::kLine},
      {"hdca, reset and projected", as_by_default("hdca", "dormand_prince", kTolerance), hdca,
       CurveStyle::kDashed},
      {"hdca, energy scaled too", scaled, hdca, CurveStyle::kDotted},
      {"hdca, spark_2", spark, formulation_colour("recursive"), CurveStyle::kLine},
  };
}

double last(const std::vector<double>& values) { return values.back(); }

}  // namespace

void long_runs(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings) {
  const double until = options.quick ? 5.0 : 1000.0;
  auto& document = findings.document;
  document.heading("Long runs: projection and structure-preserving steps (beyond sect. 3.4)");
  document.paragraph(
      "Runs of " + to_short(until) +
      " s of case 1, `dormand_prince` with the tolerance 1e-6 or "
      "SPARK of order 4 with steps of 5 ms. Projection closes the loops after every step; a reset "
      "clears the momenta, in `dca` the velocities, of what loops leave in them; energy scaling "
      "keeps the energy on top.");
  Figure energy{"long_energy",
                "Error of the total energy, case 1",
                {"time", "s", true},
                {"|E - E_0|", "J", true},
                {}};
  Figure position{"long_position",
                  "Violation of the loop at the position level, case 1",
                  {"time", "s", true},
                  {"max |Φ|", "m", true},
                  {}};
  DataTable table{"long_runs",
                  "Case 1 over " + to_short(until) + " s",
                  {{"", ""},
                   {"reached", "s"},
                   {"largest energy error", "J"},
                   {"energy error at the end", "J"},
                   {"max |Φ|", "m"},
                   {"max |dΦ/dt|", "m/s"},
                   {"evaluations", ""},
                   {"wall time", "s"}},
                  {}};
  double paper = 0.0, ours = 0.0, spark = 0.0;
  for (const auto& variant : variants()) {
    options.progress("long run, " + variant.name);
    const auto r = run(cases.front().model, variant.options, until, until / 250);
    const auto errors = energy_errors(r);
    energy.curves.push_back({variant.name, times(r), errors, variant.colour, variant.style});
    position.curves.push_back(
        {variant.name, times(r), position_residuals(r), variant.colour, variant.style});
    const auto& s = r.summary;
    table.rows.push_back({variant.name, s.reached, s.energy.max_error, last(errors),
                          s.constraint.position_max, s.constraint.velocity_max,
                          static_cast<double>(s.rate_evaluations), s.wall_seconds});
    if (variant.name == "hdca, as in the paper") paper = s.constraint.position_max;
    if (variant.name == "hdca, reset and projected") ours = s.constraint.position_max;
    if (variant.name == "hdca, spark_2") spark = s.energy.max_error;
  }
  document.figure(energy);
  document.figure(position);
  document.table(table);
  findings.state("Chadaj2017, sect. 3.4",
                 "Stabilisation and symplectic integration would further improve the accuracy.",
                 ours < paper && spark < largest(energy.curves[2].y),
                 "case 1 after " + to_short(until) + " s: positions off by " + to_short(paper) +
                     " m as in the paper, " + to_short(ours) +
                     " m with projection; energy off by " + to_short(largest(energy.curves[2].y)) +
                     " J as in the paper, " + to_short(spark) + " J with SPARK");
}

void redundant_loops(const std::vector<Case>& cases, const StudyOptions& options,
                     Findings& findings) {
  const double until = options.quick ? 2.0 : 10.0;
  auto& document = findings.document;
  document.heading("The same mechanisms in space: redundant loops (beyond sect. 3.4)");
  document.paragraph(
      "The paper takes constraints to be independent. As spatial mechanisms the three cases close "
      "each loop with five equations, of which three follow from the others. `hdca` finds the "
      "independent ones at the start and keeps to them. Tolerance 1e-9, " +
      to_short(until) + " s, point K compared with the planar run.");
  DataTable table{"redundant_loops",
                  "Planar and spatial models of the same mechanism, hdca",
                  {{"", ""},
                   {"constraints", ""},
                   {"redundant", ""},
                   {"evaluations, planar", ""},
                   {"evaluations, spatial", ""},
                   {"energy error", "J"},
                   {"max |Φ|", "m"},
                   {"point K off", "m"},
                   {"time spatial/planar", ""}},
                  {}};
  double worst = 0.0;
  for (const auto& c : cases) {
    options.progress("redundant loops, " + c.name);
    const Model spatial(in_space(c.mechanism));
    const auto settings = as_by_default("hdca", "dormand_prince", kRedundantTolerance);
    const auto flat = run(c.model, settings, until, until / 20);
    auto kept = settings;  // in space, where the rows are redundant
    kept.plane = false;
    const auto deep = run(spatial, kept, until, until / 20);
    const auto y = channel(flat, "K.position.y"), z = channel(deep, "K.position.y");
    double off = 0.0;
    for (std::size_t i = 0; i < std::min(y.size(), z.size()); ++i)
      off = std::max(off, std::abs(y[i] - z[i]));
    worst = std::max(worst, deep.summary.status == "completed" ? off : INFINITY);
    table.rows.push_back({c.name, static_cast<double>(spatial.constraint_count()),
                          static_cast<double>(deep.summary.model.redundant_constraints),
                          static_cast<double>(flat.summary.rate_evaluations),
                          static_cast<double>(deep.summary.rate_evaluations),
                          deep.summary.energy.max_error, deep.summary.constraint.position_max, off,
                          deep.summary.wall_seconds / flat.summary.wall_seconds});
  }
  document.table(table);
  findings.state("ours", "Redundant spatial models move as the planar ones do.", worst < 1e-6,
                 "point K differs by at most " + to_short(worst) + " m");
}

}  // namespace hamiltree::studies
