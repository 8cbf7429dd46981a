#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "studies/precision/report.hpp"
#include "studies/precision/segments.hpp"

namespace hamiltree::studies::round_off {
namespace {

constexpr int kShortSegment = 8;     // bodies, of the statements
constexpr int kBodiesOfCure = 4096;  // of the statement about a size
constexpr double kCured = 9e-11;     // planar straight, of the rates
constexpr double kLeastGain = 10.0;
constexpr double kWorthACure = 1e-12;  // errors of plain chains below it are left alone

// All segmentations of one chain.
struct Cured {
  SpaceKind space = SpaceKind::kPlanar;
  Shape shape = Shape::kStraight;
  std::vector<int> bodies, segments;  // segments: 0 first
  std::vector<SegmentErrors> points;  // segments within bodies, those shorter than the chain

  std::string text() const { return to_text(space, shape); }
  const SegmentErrors& at(int n, int m) const {
    return *std::find_if(points.begin(), points.end(),
                         [&](const auto& e) { return e.bodies == n && e.segment == m; });
  }
};

std::vector<Cured> compute(const StudyOptions& options) {
  std::vector<Cured> all;
  for (const auto space : {SpaceKind::kPlanar, SpaceKind::kSpatial}) {
    for (const auto shape : {Shape::kStraight, Shape::kFolded}) {
      Cured cured{space, shape, {64, 256, 1024, 4096}, {0, 4, 8, 16, 32, 64}, {}};
      if (options.quick) cured = {space, shape, {32, 64, 128}, {0, 8, 16}, {}};
      options.progress("floating segments, " + cured.text());
      for (const int n : cured.bodies) {
        for (const int m : cured.segments) {
          if (m >= n) continue;
          cured.points.push_back(evaluate_segments({space, n, m}, shape, kSeed));
        }
      }
      all.push_back(std::move(cured));
    }
  }
  return all;
}

std::string segment_label(int segment) {
  return segment == 0 ? "plain" : "m = " + std::to_string(segment);
}

std::string file_of(const Cured& cured) {
  std::string name = "segments_" + cured.text();
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

Figure figure_of_segments(const Cured& cured, std::size_t form) {
  Figure figure;
  figure.name = file_of(cured) + "_" + std::string(kSegmentForms[form]);
  figure.caption = "Error of the rates of all pins, " + cured.text() + " chain, " +
                   std::string(kSegmentForms[form]) + ", segments of m bodies.";
  figure.x = {"bodies", "", true};
  figure.y = {"relative error", "", true};
  for (std::size_t i = 0; i < cured.segments.size(); ++i) {
    Curve curve{
        segment_label(cured.segments[i]), {}, {}, nth_colour(i), CurveStyle::kLineAndPoints};
    for (const auto& e : cured.points) {
      if (e.segment != cured.segments[i]) continue;
      curve.x.push_back(e.bodies);
      curve.y.push_back(e.form[form].algorithm);
    }
    figure.curves.push_back(std::move(curve));
  }
  return figure;
}

DataTable table_of_segments(const Cured& cured) {
  DataTable table;
  table.name = file_of(cured);
  table.caption = "Relative errors of the rates of all pins, " + cured.text() +
                  " chain in segments of m bodies, and the time of one evaluation.";
  table.columns = {{"bodies", ""}, {"m", ""}, {"rounding q, p", ""}};
  for (const auto form : kSegmentForms) {
    table.columns.push_back({std::string(form), ""});
    table.columns.push_back({std::string(form) + ", with rounding", ""});
    table.columns.push_back({std::string(form) + " time", "us"});
    table.columns.push_back({std::string(form) + " time, plain = 1", ""});
  }
  for (const auto& e : cured.points) {
    const auto& plain = cured.at(e.bodies, 0);
    std::vector<Cell> row{double(e.bodies),
                          e.segment == 0 ? Cell("plain") : Cell(double(e.segment)),
                          e.rounded_state};
    for (std::size_t i = 0; i < e.form.size(); ++i) {
      row.insert(row.end(), {e.form[i].algorithm, e.form[i].all, e.form[i].microseconds,
                             e.form[i].microseconds / plain.form[i].microseconds});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Statement gains(const std::vector<Cured>& all, std::size_t form) {
  bool holds = true;
  std::string evidence;
  for (const auto& cured : all) {
    const int n = cured.bodies.back();
    const double plain = cured.at(n, 0).form[form].all;
    const double found = cured.at(n, kShortSegment).form[form].all;
    holds = holds && (plain <= kWorthACure || found * kLeastGain <= plain);
    evidence += (evidence.empty() ? "" : "; ") + cured.text() + ", " + std::to_string(n) +
                " bodies: " + to_short(plain) + " -> " + to_short(found);
  }
  return ours("Floating segments of " + std::to_string(kShortSegment) + " bodies: errors of " +
                  std::string(kSegmentForms[form]) + ", rounding included, are at least " +
                  to_short(kLeastGain) +
                  " times smaller than of the plain chain, where those are above " +
                  to_short(kWorthACure),
              holds, evidence);
}

Statement cure(const Cured& cured, std::size_t form) {
  const std::string text = "On a straight planar chain of " + to_short(kBodiesOfCure) +
                           " bodies segments of " + std::to_string(kShortSegment) +
                           " leave about " + to_short(kCured) + " of the rates, by " +
                           std::string(kSegmentForms[form]);
  if (cured.bodies.back() != kBodiesOfCure) return not_run(text);
  const double found = cured.at(kBodiesOfCure, kShortSegment).form[form].algorithm;
  return ours(text, found <= 10.0 * kCured,
              to_short(cured.at(kBodiesOfCure, 0).form[form].algorithm) + " -> " + to_short(found) +
                  ", of all pins");
}

}  // namespace

Statements report_segments(const StudyOptions& options, Document& document) {
  const auto all = compute(options);
  document.heading("The cure: floating segments, one evaluation");
  document.paragraph(
      "The chain is cut every m bodies. The first body of each further segment hangs on a free "
      "joint to the ground, and the pin before it becomes a loop closure. The momenta are those "
      "after a reset, when no cut carries an impulse: each is then a sum over its own segment "
      "only. Errors are those of the rates of all pins, also of the cut ones, whose rates follow "
      "from the motion of the two bodies.");
  for (const auto& cured : all) {
    for (std::size_t i = 0; i < kSegmentForms.size(); ++i)
      document.figure(figure_of_segments(cured, i));
  }
  for (const auto& cured : all) document.table(table_of_segments(cured));
  Statements found;
  for (std::size_t i = 0; i < kSegmentForms.size(); ++i) found.push_back(gains(all, i));
  for (std::size_t i = 0; i < kSegmentForms.size(); ++i) found.push_back(cure(all.front(), i));
  return found;
}

}  // namespace hamiltree::studies::round_off
