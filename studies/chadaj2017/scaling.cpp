#include <algorithm>
#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "hamiltree/plan/plan.hpp"
#include "studies/chadaj2017/chadaj2017.hpp"
#include "studies/chadaj2017/evaluation_cost.hpp"

namespace hamiltree::studies {
namespace {

const char* const kSourceOfScaling = "Chadaj2017, sect. 3.4";
constexpr int kLargest = 20, kLargestQuick = 8;  // powers of two
constexpr double kConstant = 0.1;                // relative changes below it are none

// n equal links on revolute pins from the ground, the last one pinned to the ground again if
// closed.
System<Planar<double>> chain(int n, bool closed) {
  Mechanism mechanism;
  mechanism.name = "chain";
  mechanism.space = SpaceKind::kPlanar;
  mechanism.gravity = {0.0, -9.81, 0.0};
  const auto link = [](int i) { return "link_" + std::to_string(i); };
  const auto pin = [&](int i, const std::string& parent, const std::string& child) {
    JointDescription joint;
    joint.name = "pin_" + std::to_string(i);
    joint.parent = parent;
    joint.child = child;
    if (i > 0) joint.at_parent.position = {1.0, 0.0, 0.0};
    return joint;
  };
  for (int i = 0; i < n; ++i) {
    BodyDescription body;
    body.name = link(i);
    body.mass = 1.0;
    body.com = {0.5, 0.0, 0.0};
    body.inertia(2, 2) = 1.0;
    mechanism.add(body);
    mechanism.add(pin(i, i == 0 ? kGround : link(i - 1), link(i)));
  }
  if (closed) {
    auto last = pin(n, kGround, link(n - 1));
    last.at_child.position = {1.0, 0.0, 0.0};
    last.at_parent.position = {0.5, 0.0, 0.0};
    last.cut = true;  // the chain as it is when open, and one joint more
    mechanism.add(last);
  }
  return planar_system(Model(std::move(mechanism)));
}

struct Series {
  std::vector<double> n, work, parallel, sequential, merged;
};

Series measure(bool closed, const StudyOptions& options, DataTable& table) {
  Series series;
  for (int k = 2; k <= (options.quick ? kLargestQuick : kLargest); ++k) {
    const int n = 1 << k;
    options.progress(std::string("critical path, ") + (closed ? "closed" : "open") + " chain of " +
                     std::to_string(n) + " bodies");
    const auto system = chain(n, closed);
    const auto cost = evaluation_cost(system);
    const double bodies = n;
    series.n.push_back(bodies);
    series.work.push_back(static_cast<double>(cost.work()) / bodies);
    series.parallel.push_back(cost.separate_span());
    series.merged.push_back(cost.merged_span);
    series.sequential.push_back(cost.poses.span + cost.separate_span() - cost.scanned_poses.span);
    table.rows.push_back(
        {closed ? "closed" : "open", bodies, static_cast<double>(make_plan(system).depth),
         static_cast<double>(cost.work()) / bodies, static_cast<double>(cost.scanned_poses.span),
         static_cast<double>(cost.contraction.span), static_cast<double>(cost.disassembly.span),
         static_cast<double>(cost.rates.span), static_cast<double>(cost.separate_span()),
         static_cast<double>(cost.merged_span),
         static_cast<double>(cost.work()) / cost.separate_span()});
  }
  return series;
}

// Operations that one doubling of the bodies adds to the span, on the last doublings.
double per_doubling(const std::vector<double>& span, std::size_t back) {
  return span[span.size() - back] - span[span.size() - back - 1];
}

}  // namespace

void scaling(const StudyOptions& options, Findings& findings) {
  auto& document = findings.document;
  document.heading("Work and critical path to 2^20 bodies (sect. 3.4)");
  document.paragraph(
      "The program's own kernel of `hdca`, run on a scalar that knows how many operations, one "
      "after the other, led to it. Work is the number of operations of one evaluation of the "
      "rates; "
      "the span is its critical path, the time with as many processors as there are independent "
      "operations, in operations. Planar chains of links on revolute pins, open or pinned to the "
      "ground at both ends. The program places bodies one after the other, which alone would be "
      "linear; here their poses come from a scan, whose values agree.");
  DataTable table{"scaling",
                  "Work and span of one evaluation, in operations",
                  {{"chain", ""},
                   {"bodies", ""},
                   {"depth of the plan", ""},
                   {"work per body", ""},
                   {"span, poses", ""},
                   {"span, contraction", ""},
                   {"span, disassembly", ""},
                   {"span, loads and rates", ""},
                   {"span", ""},
                   {"span, loads merged", ""},
                   {"work/span", ""}},
                  {}};
  const auto open = measure(false, options, table);
  const auto closed = measure(true, options, table);
  Figure span{"scaling_span",
              "Critical path of one evaluation",
              {"bodies", "", true},
              {"operations one after the other", ""},
              {}};
  span.curves = {
      {"open", open.n, open.parallel, nth_colour(0), CurveStyle::kLineAndPoints},
      {"open, loads merged", open.n, open.merged, nth_colour(0), CurveStyle::kDashed},
      {"closed", closed.n, closed.parallel, nth_colour(1), CurveStyle::kLineAndPoints},
      {"closed, loads merged", closed.n, closed.merged, nth_colour(1), CurveStyle::kDashed}};
  Figure work{"scaling_work",
              "Work of one evaluation, per body",
              {"bodies", "", true},
              {"operations per body", ""},
              {}};
  work.curves = {{"open", open.n, open.work, nth_colour(0), CurveStyle::kLineAndPoints},
                 {"closed", closed.n, closed.work, nth_colour(1), CurveStyle::kLineAndPoints}};
  Figure ratio{"scaling_sequential",
               "The span with poses one after the other, and by a scan",
               {"bodies", "", true},
               {"operations one after the other", "", true},
               {}};
  ratio.curves = {{"open, poses in sequence", open.n, open.sequential, nth_colour(1)},
                  {"open, poses by a scan", open.n, open.parallel, nth_colour(0)}};
  document.figure(span);
  document.figure(work);
  document.figure(ratio);
  document.table(table);

  const double change = std::abs(open.work.back() / open.work[open.work.size() - 2] - 1.0);
  findings.state(kSourceOfScaling,
                 "The cost of sequential calculations is linear in the number of bodies.",
                 change < kConstant,
                 to_short(open.work.back()) + " operations per body at " + to_short(open.n.back()) +
                     " bodies, " + to_short(open.work[open.work.size() - 2]) + " at half as many");
  const double first = per_doubling(open.parallel, 3), last = per_doubling(open.parallel, 1);
  const double closed_first = per_doubling(closed.parallel, 3),
               closed_last = per_doubling(closed.parallel, 1);
  findings.state(kSourceOfScaling, "With as many threads as bodies the time is nearly logarithmic.",
                 std::abs(last / first - 1.0) < kConstant &&
                     std::abs(closed_last / closed_first - 1.0) < kConstant,
                 "each doubling adds " + to_short(last) +
                     " operations to the span of an open "
                     "chain (" +
                     to_short(open.parallel.back()) + " at " + to_short(open.n.back()) +
                     " bodies) and " + to_short(closed_last) +
                     " to that of a closed one, if poses are scanned");
  findings.state("Chadaj2017, sect. 2.3",
                 "Loads that do not depend on velocities can be evaluated along with them.",
                 open.merged.back() < open.parallel.back(),
                 "the operations are the same; the span of the open chain falls from " +
                     to_short(open.parallel.back()) + " to " + to_short(open.merged.back()) +
                     ", of the closed one, whose cut loads need σ, from " +
                     to_short(closed.parallel.back()) + " to " + to_short(closed.merged.back()));
}

}  // namespace hamiltree::studies
