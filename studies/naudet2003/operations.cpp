// Table 1: operations of the kernels that exist, beside those that are published.
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/io/export/colours.hpp"
#include "studies/naudet2003/chains.hpp"
#include "studies/naudet2003/kernel_counts.hpp"
#include "studies/naudet2003/published.hpp"
#include "studies/naudet2003/sections.hpp"

namespace hamiltree::naudet2003 {
namespace {

constexpr Axes kAxes[] = {Axes::kGeneral, Axes::kCommonNormal, Axes::kAligned};
constexpr Loads kLoads[] = {Loads::kNone, Loads::kGravity, Loads::kWrench};

// One kind of operation over all n.
struct Series {
  std::vector<double> additions, multiplications, flops, divisions, trigonometric;

  void add(const OperationCount& count) {
    additions.push_back(static_cast<double>(count.additions));
    multiplications.push_back(static_cast<double>(count.multiplications));
    flops.push_back(static_cast<double>(count.flops()));
    divisions.push_back(static_cast<double>(count.divisions));
    trigonometric.push_back(static_cast<double>(count.trigonometric));
  }
};

// One kernel on the chains of one kind.
struct KernelSeries {
  Series run, needed;
  std::vector<double> depth;

  void add(const KernelCounts& counts) {
    run.add(counts.run);
    needed.add(counts.needed);
    depth.push_back(static_cast<double>(counts.depth));
  }
};

struct Family {
  Axes axes;
  Loads loads;
  KernelSeries recursive, dh_frames, aba;
};

std::vector<double> sizes(bool quick) {
  if (quick) return {3, 4, 5, 8, 16, 64};
  return {3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64};
}

std::vector<Family> count_all(const std::vector<double>& n, const studies::StudyOptions& options) {
  std::vector<Family> families;
  for (const Axes axes : kAxes) {
    for (const Loads loads : kLoads) {
      options.progress(std::string("counting: ") + to_text(axes) + ", " + to_text(loads));
      Family family{axes, loads, {}, {}, {}};
      for (const double bodies : n) {
        const Model model(pin_chain(static_cast<int>(bodies), axes, loads));
        family.recursive.add(recursive_counts(model));
        family.dh_frames.add(dh_counts(model, loads));
        family.aba.add(aba_counts(model));
      }
      families.push_back(std::move(family));
    }
  }
  return families;
}

const Family& of(const std::vector<Family>& families, Axes axes, Loads loads) {
  for (const auto& family : families) {
    if (family.axes == axes && family.loads == loads) return family;
  }
  return families.front();
}

// Table 1 with ours beside it.
void published_table(const std::vector<double>& n, const std::vector<Family>& families,
                     Document& document) {
  DataTable table{"table_1",
                  "Table 1: operations of one evaluation, chains of n pins, without loads. Ours "
                  "counted: what the results need, constants folded; divisions, sines and cosines "
                  "not among them",
                  {{"algorithm", ""},
                   {"additions", ""},
                   {"multiplications", ""},
                   {"total", ""},
                   {"n = 7", ""},
                   {"n = 64", ""},
                   {"total less 363n - 475 at n = 64, per body", ""}},
                  {}};
  const auto add = [&](const std::string& name, const std::string& additions,
                       const std::string& multiplications, const Linear& total) {
    table.rows.push_back({name, additions, multiplications, to_text(total), std::round(total(7)),
                          std::round(total(64)), (total(64) - kNaudet.total(64)) / 64.0});
  };
  for (const auto& p : kPublished) {
    add(p.name, to_text(p.additions), to_text(p.multiplications), p.total);
  }
  add("reachable, in DH frames", "", "", kReachable);
  const auto add_ours = [&](const std::string& name, const Series& series) {
    add(name, to_text(fit(n, series.additions)), to_text(fit(n, series.multiplications)),
        fit(n, series.flops));
  };
  for (const Axes axes : kAxes) {
    const auto& family = of(families, axes, Loads::kNone);
    add_ours(std::string("ours, `recursive` in DH frames, ") + to_text(axes),
             family.dh_frames.needed);
    add_ours(std::string("ours, `recursive`, any joint, ") + to_text(axes),
             family.recursive.needed);
    add_ours(std::string("ours, `aba`, ") + to_text(axes), family.aba.needed);
  }
  document.table(std::move(table));
}

void own_table(const std::vector<double>& n, const std::vector<Family>& families,
               Document& document) {
  DataTable table{"operations",
                  "Ours in all cases: executed as compiled without folding, and needed after "
                  "folding; straight lines through all n",
                  {{"kernel", ""},
                   {"frames", ""},
                   {"loads", ""},
                   {"counted", ""},
                   {"additions", ""},
                   {"multiplications", ""},
                   {"total", ""},
                   {"off the line, at most", ""},
                   {"divisions", ""},
                   {"sines and cosines", ""}},
                  {}};
  const auto add = [&](const std::string& kernel, const Family& family, const std::string& counted,
                       const Series& series) {
    const Linear total = fit(n, series.flops);
    table.rows.push_back({kernel, to_text(family.axes), to_text(family.loads), counted,
                          to_text(fit(n, series.additions)),
                          to_text(fit(n, series.multiplications)), to_text(total), total.deviation,
                          to_text(fit(n, series.divisions)),
                          to_text(fit(n, series.trigonometric))});
  };
  for (const auto& family : families) {
    add("dh_frames", family, "needed", family.dh_frames.needed);
    add("recursive", family, "needed", family.recursive.needed);
    add("aba", family, "needed", family.aba.needed);
    add("dh_frames", family, "executed", family.dh_frames.run);
    add("recursive", family, "executed", family.recursive.run);
    add("aba", family, "executed", family.aba.run);
  }
  document.table(std::move(table));
}

// From what exists to the paper's figure and to what is known to be reachable.
void gap_table(const std::vector<double>& n, const std::vector<Family>& families,
               Document& document) {
  DataTable table{"gap",
                  "From `recursive` in DH frames to the paper and to what was known to be "
                  "reachable: operations per body, slopes of the lines",
                  {{"frames", ""},
                   {"loads", ""},
                   {"ours", ""},
                   {"paper", ""},
                   {"gap", ""},
                   {"reachable", ""},
                   {"gap", ""},
                   {"`aba` to `recursive`", ""}},
                  {}};
  for (const auto& family : families) {
    if (family.axes == Axes::kAligned) continue;
    const Linear& reachable = family.loads == Loads::kNone      ? kReachable
                              : family.loads == Loads::kGravity ? kReachableGravity
                                                                : kReachableWrench;
    const double ours = fit(n, family.dh_frames.needed.flops).slope;
    const double aba = fit(n, family.aba.needed.flops).slope;
    table.rows.push_back({to_text(family.axes), to_text(family.loads), ours, kNaudet.total.slope,
                          ours - kNaudet.total.slope, reachable.slope, ours - reachable.slope,
                          aba / ours});
  }
  document.table(std::move(table));
}

std::vector<double> values(const Linear& line, const std::vector<double>& n) {
  std::vector<double> y;
  for (const double x : n) y.push_back(line(x));
  return y;
}

std::vector<double> per_body(std::vector<double> y, const std::vector<double>& n) {
  for (std::size_t i = 0; i < n.size(); ++i) y[i] /= n[i];
  return y;
}

void figures_of_counts(const std::vector<double>& n, const std::vector<Family>& families,
                       Document& document) {
  const auto& general = of(families, Axes::kGeneral, Loads::kNone);
  const auto& normal = of(families, Axes::kCommonNormal, Loads::kNone);
  const auto published = [&](std::size_t i) {
    return Curve{std::string(kPublished[i].name) + " (paper)", n, values(kPublished[i].total, n),
                 nth_colour(i), CurveStyle::kDashed};
  };
  const auto ours = [&](const std::string& label, const KernelSeries& counted, CurveStyle style) {
    return Curve{label, n, counted.needed.flops,
                 formulation_colour(label.substr(0, label.find(':'))), style};
  };
  std::vector<Curve> all;
  for (std::size_t i = 0; i < kPublished.size(); ++i) all.push_back(published(i));
  all.push_back(ours("recursive: DH frames", general.dh_frames, CurveStyle::kLineAndPoints));
  all.push_back(ours("aba", general.aba, CurveStyle::kLineAndPoints));
  document.figure(
      {"operations",
       "Additions and multiplications against the number of bodies, without loads; ours "
       "with frames anywhere",
       {"bodies", ""},
       {"operations", ""},
       std::move(all)});
  std::vector<Curve> near = {
      published(kPublished.size() - 1),
      {"reachable", n, values(kReachable, n), nth_colour(6), CurveStyle::kDotted},
      ours("recursive: DH frames", general.dh_frames, CurveStyle::kLineAndPoints),
      ours("recursive: any joint", general.recursive, CurveStyle::kLine),
      ours("aba: frames anywhere", general.aba, CurveStyle::kLineAndPoints),
      ours("aba: common normals", normal.aba, CurveStyle::kLine)};
  for (auto& curve : near) curve.y = per_body(curve.y, n);
  document.figure({"operations_per_body",
                   "Additions and multiplications per body, without loads",
                   {"bodies", "", true},
                   {"operations per body", ""},
                   std::move(near)});
  document.figure({"depth",
                   "Operations that have to follow one another, were there units without end",
                   {"bodies", ""},
                   {"longest path", "operations"},
                   {{"recursive", n, general.recursive.depth, formulation_colour("recursive")},
                    {"aba", n, general.aba.depth, formulation_colour("aba")}}});
}

}  // namespace

CountFindings operations_section(const studies::StudyOptions& options, Document& document) {
  const auto n = sizes(options.quick);
  const auto families = count_all(n, options);
  document.heading("Operations");
  document.paragraph(
      "The kernels run on two scalars in place of `double`: one counts what is executed, the other "
      "records the graph of operations, folds constants, shares equal terms and drops what no "
      "result needs. Placements, masses and inertias are random constants (seed " +
      std::to_string(kSeed) +
      ") with their zeros and ones kept; coordinates, momenta and velocities are inputs.");
  published_table(n, families, document);
  figures_of_counts(n, families, document);
  gap_table(n, families, document);
  own_table(n, families, document);
  document.paragraph(
      "Where two constants come out equal or not by rounding, a product is shared or not: such "
      "counts are lines but for one operation. Chains with axes at right angles have fewer "
      "operations near their ends and no single line. Sines executed beyond 2n are those of the "
      "wrenches' functions of time, which vanish when constants are folded.");
  const auto& general = of(families, Axes::kGeneral, Loads::kNone);
  const auto& gravity = of(families, Axes::kGeneral, Loads::kGravity);
  CountFindings found;
  found.recursive_general = fit(n, general.recursive.needed.flops);
  found.dh_frames = fit(n, general.dh_frames.needed.flops);
  found.dh_frames_gravity = fit(n, gravity.dh_frames.needed.flops);
  found.dh_frames_wrench =
      fit(n, of(families, Axes::kGeneral, Loads::kWrench).dh_frames.needed.flops);
  found.recursive_run = fit(n, general.recursive.run.flops);
  found.recursive_normal =
      fit(n, of(families, Axes::kCommonNormal, Loads::kNone).recursive.needed.flops);
  found.recursive_aligned =
      fit(n, of(families, Axes::kAligned, Loads::kNone).recursive.needed.flops);
  found.aba_general = fit(n, general.aba.needed.flops);
  found.recursive_gravity = fit(n, gravity.recursive.needed.flops);
  found.aba_gravity = fit(n, gravity.aba.needed.flops);
  found.recursive_depth = fit(n, general.recursive.depth);
  found.aba_depth = fit(n, general.aba.depth);
  found.largest_n = static_cast<int>(n.back());
  return found;
}

}  // namespace hamiltree::naudet2003
