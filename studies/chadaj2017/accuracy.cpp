#include <algorithm>
#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "studies/chadaj2017/chadaj2017.hpp"
#include "studies/power_law.hpp"

namespace hamiltree::studies {
namespace {

constexpr double kPaperTolerance = 1e-6;        // of the paper's Figs. 5-9
constexpr double kRightPlace = 1e-3;            // m
constexpr double kRoundOff = 1e-12;             // m/s: "within the numerical accuracy"
constexpr double kFitFrom = 0.5;                // s: growth is fitted after the first swing
constexpr double kQuadratic[] = {1.7, 2.3};     // exponents that pass as quadratic growth
constexpr double kSymmetric = kPaperTolerance;  // rad
const char* const kSourceOfAccuracy = "Chadaj2017, sect. 3.2";

struct Pair {
  Recording hdca, dca;
};

using Quantity = std::vector<double> (*)(const Recording&);

Figure figure(const std::string& name, const std::string& caption, const Axis& y, const Pair& pair,
              const Quantity& quantity) {
  Figure figure{name, caption, {"time", "s"}, y, {}};
  const auto add = [&](const Recording& recording, CurveStyle style) {
    const auto& formulation = recording.summary.formulation;
    figure.curves.push_back({formulation, times(recording), quantity(recording),
                             formulation_colour(formulation), style});
  };
  add(pair.hdca, CurveStyle::kLine);
  add(pair.dca, CurveStyle::kDashed);  // on top, where they agree
  return figure;
}

// How the largest value so far grows in time.
PowerLaw growth(const Recording& recording, std::vector<double> values) {
  auto t = times(recording);
  for (std::size_t i = 1; i < values.size(); ++i) values[i] = std::max(values[i], values[i - 1]);
  const auto from = std::ranges::lower_bound(t, kFitFrom) - t.begin();
  t.erase(t.begin(), t.begin() + from);
  values.erase(values.begin(), values.begin() + from);
  return fit_power_law(t, values);
}

// max |q_left + q_right| over all pairs of pins, which mirror each other.
double asymmetry(const Recording& recording) {
  const auto& q = recording.header.q;
  double worst = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto left = q[i].name.find("left");
    if (left == std::string::npos) continue;
    const auto mirrored =
        std::ranges::find(q, std::string(q[i].name).replace(left, 4, "right"), &Channel::name);
    for (const auto& sample : recording.samples)
      worst = std::max(
          worst, std::abs(sample.q(static_cast<Eigen::Index>(i)) + sample.q(mirrored - q.begin())));
  }
  return worst;
}

std::string pairs_of(const std::vector<Case>& cases, const std::vector<double>& hdca,
                     const std::vector<double>& dca, const std::string& unit) {
  std::string text;
  for (std::size_t i = 0; i < cases.size(); ++i)
    text += (i > 0 ? "; " : "") + cases[i].name + ": hdca " + to_short(hdca[i]) + ", dca " +
            to_short(dca[i]) + " " + unit;
  return text;
}

// How far K is from where a run at a tight tolerance has it at the end, m.
double distance_at_end(const Recording& recording, double y) {
  return std::abs(channel(recording, "K.position.y").back() - y);
}

void show_point_k(const Case& first, const Pair& pair, Findings& findings) {
  auto& document = findings.document;
  document.figure(figure("fig06_k_position", "Fig. 6: vertical position of point K, " + first.name,
                         {"y of K", "m"}, pair,
                         [](const Recording& r) { return channel(r, "K.position.y"); }));
  document.figure(figure("fig07_k_velocity", "Fig. 7: vertical velocity of point K, " + first.name,
                         {"dy/dt of K", "m/s"}, pair,
                         [](const Recording& r) { return channel(r, "K.velocity.y"); }));
  const double until = pair.hdca.summary.until;
  const auto tight = run(first.model, as_by_default("hdca", "dormand_prince", 1e-12), until);
  const double y = channel(tight, "K.position.y").back();
  const auto way = channel(pair.hdca, "K.position.y");
  const double hdca = distance_at_end(pair.hdca, y), dca = distance_at_end(pair.dca, y);
  findings.state(kSourceOfAccuracy, "The trajectory of point K is reproduced correctly.",
                 std::max(hdca, dca) < kRightPlace,
                 "distance from a run at tolerance 1e-12 after " + to_short(until) + " s: hdca " +
                     to_short(hdca) + " m, dca " + to_short(dca) + " m, on a way of " +
                     to_short(largest(way) - *std::ranges::min_element(way)) + " m");
}

}  // namespace

void accuracy(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings) {
  const double until = options.quick ? 3.0 : 10.0;
  auto& document = findings.document;
  document.heading("Accuracy (sect. 3.2)");
  document.paragraph(
      "`dormand_prince` with the relative and absolute tolerance 1e-6 for velocities and momenta "
      "alike, as in the paper; loops are not stabilised and momenta not reset. In `dca` loops hold "
      "at the level of accelerations; the rows of these loops are independent, so the paper's "
      "pseudo-inverse is the inverse.");
  std::vector<Pair> pairs;
  for (const auto& c : cases) {
    options.progress("accuracy, " + c.name);
    const auto of = [&](const char* formulation) {
      return run(c.model, as_in_paper(formulation, "dormand_prince", kPaperTolerance), until);
    };
    pairs.push_back({of("hdca"), of("dca")});
  }
  std::vector<double> energy_h, energy_d, velocity_h, velocity_d, position_h, position_d, exponent;
  std::string symmetry;
  double worst_asymmetry = 0.0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Recording &hdca = pairs[i].hdca, &dca = pairs[i].dca;
    const auto collect = [&](Quantity quantity, std::vector<double>& h, std::vector<double>& d) {
      h.push_back(largest(quantity(hdca)));
      d.push_back(largest(quantity(dca)));
    };
    collect(energy_errors, energy_h, energy_d);
    collect(velocity_residuals, velocity_h, velocity_d);
    collect(position_residuals, position_h, position_d);
    exponent.push_back(growth(dca, position_residuals(dca)).exponent);
    worst_asymmetry = std::max({worst_asymmetry, asymmetry(hdca), asymmetry(dca)});
    symmetry += (i > 0 ? "; " : "") + cases[i].name + ": hdca " + to_short(asymmetry(hdca)) +
                ", dca " + to_short(asymmetry(dca)) + " rad";
  }
  const auto show = [&](const char* file, const std::string& caption, const Axis& axis,
                        Quantity quantity) {
    for (std::size_t i = 0; i < cases.size(); ++i)
      document.figure(figure(file + std::string("_") + cases[i].file,
                             caption + ", " + cases[i].name, axis, pairs[i], quantity));
  };
  show("fig05_energy", "Fig. 5: error of the total energy", {"|E - E_0|", "J", true},
       energy_errors);
  show_point_k(cases.front(), pairs.front(), findings);
  show("fig08_velocity_level", "Fig. 8: violation of the loops at the velocity level",
       {"max |dΦ/dt|", "m/s", true}, velocity_residuals);
  show("fig09_position_level", "Fig. 9: violation of the loops at the position level",
       {"max |Φ|", "m", true}, position_residuals);

  const auto all_less = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return x < y; });
  };
  findings.state(kSourceOfAccuracy, "HDCA preserves the energy better than DCA in all cases.",
                 all_less(energy_h, energy_d),
                 "largest error, tolerance 1e-6: " + pairs_of(cases, energy_h, energy_d, "J"));
  findings.state(kSourceOfAccuracy,
                 "HDCA satisfies the constraints at the velocity level within the numerical "
                 "accuracy; for DCA the discrepancy is huge.",
                 largest(velocity_h) < kRoundOff && all_less(velocity_h, velocity_d),
                 "largest violation: " + pairs_of(cases, velocity_h, velocity_d, "m/s"));
  std::string exponents;
  for (std::size_t i = 0; i < cases.size(); ++i)
    exponents += (i > 0 ? ", " : "") + cases[i].name + ": " + to_short(exponent[i]);
  findings.state(kSourceOfAccuracy, "The position error of DCA grows quadratically in time.",
                 std::ranges::all_of(
                     exponent, [](double e) { return e > kQuadratic[0] && e < kQuadratic[1]; }),
                 "exponent fitted to the largest error so far, from 0.5 s on: " + exponents);
  findings.state(kSourceOfAccuracy, "The drift of the positions in HDCA is negligible.",
                 all_less(position_h, position_d) && largest(position_h) < 1e-3,
                 "largest violation: " + pairs_of(cases, position_h, position_d, "m"));
  findings.state("Chadaj2017, sect. 3.1",
                 "The mechanisms should preserve the symmetry of the motion.",
                 worst_asymmetry < kSymmetric, "largest |q_left + q_right|: " + symmetry);
  for (const auto& [item, what] : {std::pair{"Fig. 5", "energy error over time"},
                                   {"Fig. 6", "position of point K"},
                                   {"Fig. 7", "velocity of point K"},
                                   {"Fig. 8", "velocity-level violation"},
                                   {"Fig. 9", "position-level violation"}})
    findings.regenerated.push_back({item, what, true, "Accuracy"});
}

}  // namespace hamiltree::studies
