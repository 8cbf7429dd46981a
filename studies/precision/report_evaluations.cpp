#include <algorithm>
#include <cstddef>
#include <string>

#include "hamiltree/io/export/colours.hpp"
#include "studies/power_law.hpp"
#include "studies/precision/report.hpp"
#include "studies/precision/series.hpp"

namespace hamiltree::studies::round_off {
namespace {

constexpr int kLeastOfFit = 16;  // bodies: shorter chains follow no power yet

std::string colour(std::string_view form) {
  return form == kRefined ? nth_colour(5) : formulation_colour(form);
}

template <class Value>
Curve curve_of_errors(std::string label, std::string colour, CurveStyle style, const Series& series,
                      const Value& value) {
  Curve result{std::move(label), {}, {}, std::move(colour), style};
  for (const auto& point : series.points) {
    result.x.push_back(point.bodies);
    result.y.push_back(value(point));
  }
  return result;
}

Figure figure_of_errors(const Series& series) {
  const bool random = series.momenta == Momenta::kRandom;
  Figure figure;
  figure.name = "errors_" + series.file();
  figure.caption = "Errors of one evaluation, " + series.text() + " chain, " +
                   (random ? "random momenta" : "momenta of a motion") +
                   ": of qdot from (q, p), of vdot from (q, v).";
  figure.x = {"bodies", "", true};
  figure.y = {"relative error", "", true};
  for (std::size_t i = 0; i < kMomentumForms.size(); ++i) {
    figure.curves.push_back(curve_of_errors(
        std::string(kMomentumForms[i]), colour(kMomentumForms[i]), CurveStyle::kLineAndPoints,
        series, [i](const auto& e) { return e.momentum_form[i].motion; }));
  }
  for (std::size_t i = 0; i < kVelocityForms.size(); ++i) {
    figure.curves.push_back(curve_of_errors(
        std::string(kVelocityForms[i]), colour(kVelocityForms[i]), CurveStyle::kLineAndPoints,
        series, [i](const auto& e) { return e.velocity_form[i].motion; }));
  }
  figure.curves.push_back(curve_of_errors("unavoidable", nth_colour(6), CurveStyle::kDashed, series,
                                          [](const auto& e) { return e.unavoidable; }));
  if (!random) {
    figure.curves.push_back(curve_of_errors("rounding p", nth_colour(6), CurveStyle::kDotted,
                                            series, [](const auto& e) { return e.rounded_p; }));
  }
  return figure;
}

DataTable table_of_errors(const Series& series) {
  const bool random = series.momenta == Momenta::kRandom;
  DataTable table;
  table.name = "errors_" + series.file();
  table.caption = "Relative errors of one evaluation, " + series.text() + " chain, " +
                  (random ? "random momenta." : "momenta of a motion.");
  table.columns = {{"bodies", ""}, {"cond M", ""}, {"estimated digits", ""}, {"unavoidable", ""}};
  if (!random) table.columns.insert(table.columns.end(), {{"rounding p", ""}, {"reference", ""}});
  for (const auto form : kMomentumForms) table.columns.push_back({std::string(form) + " qdot", ""});
  for (const auto form : kMomentumForms) table.columns.push_back({std::string(form) + " pdot", ""});
  table.columns.push_back({"rounding q, v", ""});
  for (const auto form : kVelocityForms) table.columns.push_back({std::string(form) + " vdot", ""});
  for (const auto& e : series.points) {
    std::vector<Cell> row{double(e.bodies), e.condition,
                          e.digits ? Cell(*e.digits) : Cell("too large"), e.unavoidable};
    if (!random) row.insert(row.end(), {e.rounded_p, e.reference});
    for (const auto& form : e.momentum_form) row.emplace_back(form.motion);
    for (const auto& form : e.momentum_form) row.emplace_back(form.p_dot);
    row.emplace_back(e.rounded_qv);
    for (const auto& form : e.velocity_form) row.emplace_back(form.motion);
    table.rows.push_back(std::move(row));
  }
  return table;
}

template <class Value>
double exponent(const Series& series, const Value& value) {
  std::vector<double> x, y;
  for (const auto& point : series.points) {
    if (point.bodies < kLeastOfFit) continue;
    x.push_back(point.bodies);
    y.push_back(value(point));
  }
  return fit_power_law(x, y).exponent;
}

DataTable exponents(const std::vector<Series>& all) {
  DataTable table;
  table.name = "growth";
  table.caption = "Exponents k of growth with n^k, momenta of a motion, from " +
                  std::to_string(kLeastOfFit) + " bodies on.";
  table.columns = {{"chain", ""}, {"cond M", ""}, {"unavoidable", ""}, {"rounding p", ""}};
  for (const auto form : kMomentumForms) table.columns.push_back({std::string(form), ""});
  for (const auto form : kVelocityForms) table.columns.push_back({std::string(form), ""});
  for (const auto& series : all) {
    if (series.momenta == Momenta::kRandom) continue;
    std::vector<Cell> row{series.text(),
                          exponent(series, [](const auto& e) { return e.condition; }),
                          exponent(series, [](const auto& e) { return e.unavoidable; }),
                          exponent(series, [](const auto& e) { return e.rounded_p; })};
    for (std::size_t i = 0; i < kMomentumForms.size(); ++i) {
      row.emplace_back(exponent(series, [i](const auto& e) { return e.momentum_form[i].motion; }));
    }
    for (std::size_t i = 0; i < kVelocityForms.size(); ++i) {
      row.emplace_back(exponent(series, [i](const auto& e) { return e.velocity_form[i].motion; }));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Statements report_evaluations(const StudyOptions& options, Document& document) {
  const auto all = compute_series(options);
  document.heading("One evaluation");
  document.paragraph(
      "Relative errors are in the 2-norm. A formulation is held against quadruple precision at the "
      "very state in double precision that it is given, so that only its own round-off counts: "
      "that of qdot from (q, p), of vdot from (q, v). `rounding p` is what remains of qdot in "
      "quadruple precision once the momenta of the motion have been rounded to double; `rounding "
      "q, v` the same of vdot. `unavoidable` is eps |M^-1| |p| / |qdot|, with the norm of M^-1 "
      "from power iteration: no algorithm that starts from p in double can promise less. "
      "`reference` is the error of quadruple precision itself, against the motion from which p was "
      "computed. `estimated digits` is what `hamiltree info` says. `hdca refined` takes the step "
      "of iterative refinement that hdca otherwise takes for mechanisms with loops only.");
  for (const auto& series : all) document.figure(figure_of_errors(series));
  for (const auto& series : all) document.table(table_of_errors(series));
  document.table(exponents(all));
  return evaluation_verdicts(all);
}

}  // namespace hamiltree::studies::round_off
