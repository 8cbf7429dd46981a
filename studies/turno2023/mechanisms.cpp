// Figs. 6, 7, 10-13: the two motions, and their errors.
#include "studies/mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "hamiltree/io/export/colours.hpp"
#include "studies/turno2023/motion.hpp"
#include "studies/turno2023/sections.hpp"

namespace hamiltree::turno2023 {
namespace {

constexpr double kUntil = 1.0;  // s: 10,000 steps

// All motions of one mechanism.
struct Motions {
  Motion single, twice, projected, half_implicit, exact, other;
  std::string other_name;  // empty: there is none
};

std::vector<double> difference(const std::vector<double>& a, const std::vector<double>& b,
                               double factor) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(factor * (a[i] - b[i]));
  return result;
}
std::vector<double> scaled(std::vector<double> a, double factor) {
  for (auto& x : a) x *= factor;
  return a;
}
std::vector<double> entry(const std::vector<Eigen::VectorXd>& a, int i) {
  std::vector<double> result;
  for (const auto& x : a) result.push_back(x(i));
  return result;
}
double largest(const std::vector<double>& a) {
  double result = 0.0;
  for (const double x : a) result = std::max(result, std::abs(x));
  return result;
}
double root_mean_square(const std::vector<double>& a) {
  double sum = 0.0;
  for (const double x : a) sum += x * x;
  return std::sqrt(sum / static_cast<double>(a.size()));
}

Motions all_motions(const Model& model) {
  Motions m;
  m.single = euler<float>(model, kEulerStep, kUntil);
  m.twice = euler<double>(model, kEulerStep, kUntil);
  m.projected = simulated(model, {.integrator = Euler{kEulerStep}}, kUntil);
  m.half_implicit = simulated(model, {.integrator = SemiImplicitEuler{kEulerStep}}, kUntil);
  m.exact = reference(model, kUntil);
  if (const auto engine = independent_engine()) {
    m.other = engine->run(model, kUntil, kEvery);
    m.other_name = engine->name;
  }
  return m;
}

const char* const kSingle = "explicit Euler in float";
const char* const kDouble = "explicit Euler in double";

// Position and velocity of the first joint.
void motion_figures(const std::string& figure, const std::string& joint, const Motions& m,
                    Document& document) {
  const auto add = [&](const std::string& what, const std::string& label, const std::string& unit,
                       std::vector<Eigen::VectorXd> Motion::*series) {
    document.figure({"fig" + figure + "_" + what,
                     "Fig. " + figure + ": " + label + " of joint `" + joint + "`",
                     {"time", "s"},
                     {label, unit},
                     {{kSingle, m.single.t, entry(m.single.*series, 0), nth_colour(0)},
                      {"reference", m.exact.t, entry(m.exact.*series, 0), nth_colour(1),
                       CurveStyle::kDashed}}});
  };
  add("position", "position", "rad", &Motion::q);
  add("velocity", "velocity", "rad/s", &Motion::v);
}

void energy_figures(const std::string& figure, const Motions& m, Document& document) {
  document.figure(
      {"fig" + figure + "_kinetic_energy",
       "Fig. " + figure + ": kinetic energy",
       {"time", "s"},
       {"kinetic energy", "J"},
       {{kSingle, m.single.t, m.single.kinetic, nth_colour(0)},
        {"reference", m.exact.t, m.exact.kinetic, nth_colour(1), CurveStyle::kDashed}}});
  Figure off{"fig" + figure + "_difference",
             "Fig. " + figure + ": kinetic energy of the run less that of exact ones",
             {"time", "s"},
             {"difference", "mJ"},
             {{"float less reference", m.single.t,
               difference(m.single.kinetic, m.exact.kinetic, 1e3), nth_colour(0)},
              {"float less double (rounding)", m.single.t,
               difference(m.single.kinetic, m.twice.kinetic, 1e3), nth_colour(2)}}};
  if (!m.other_name.empty()) {
    off.curves.push_back({"float less " + m.other_name, m.single.t,
                          difference(m.single.kinetic, m.other.kinetic, 1e3), nth_colour(1),
                          CurveStyle::kDotted});
  }
  document.figure(std::move(off));
}

void energy_table(const std::string& name, const Motions& m, Document& document) {
  const double peak = largest(m.exact.kinetic);
  DataTable table{name + "_kinetic_energy",
                  "Kinetic energy against the reference, over the run",
                  {{"run", ""},
                   {"largest difference", "mJ"},
                   {"root mean square", "mJ"},
                   {"largest, of the peak", "%"},
                   {"largest gap of the loop", "m"}},
                  {}};
  const auto add = [&](const std::string& run, const Motion& motion) {
    const auto off = difference(motion.kinetic, m.exact.kinetic, 1e3);
    table.rows.push_back({run, largest(off), root_mean_square(off), 0.1 * largest(off) / peak,
                          motion.gap.empty() ? Cell("") : Cell(largest(motion.gap))});
  };
  add("explicit Euler in float: the paper's", m.single);
  add(kDouble, m.twice);
  add("explicit Euler in double, with projection and momentum reset", m.projected);
  add("semi-implicit Euler in double, with projection and momentum reset", m.half_implicit);
  if (!m.other_name.empty()) add(m.other_name + ", accuracy 1e-11", m.other);
  document.table(std::move(table));
}

// The error as the step shrinks, until rounding takes over in float.
void step_figure(const std::string& name, const Model& model, const Motion& exact, bool quick,
                 Document& document) {
  std::vector<double> steps = {1e-3, 5e-4, 2e-4, 1e-4, 5e-5};
  if (!quick) steps.insert(steps.end(), {2e-5, 1e-5, 5e-6, 2e-6, 1e-6});
  Curve single{"float", {}, {}, nth_colour(0), CurveStyle::kLineAndPoints};
  Curve twice{"double", {}, {}, nth_colour(1), CurveStyle::kLineAndPoints};
  for (const double step : steps) {
    single.x.push_back(step);
    twice.x.push_back(step);
    single.y.push_back(
        1e3 * largest_difference(euler<float>(model, step, kUntil).kinetic, exact.kinetic));
    twice.y.push_back(
        1e3 * largest_difference(euler<double>(model, step, kUntil).kinetic, exact.kinetic));
  }
  document.figure({name + "_steps",
                   "Largest difference of the kinetic energy to the reference, explicit Euler",
                   {"step", "s", true},
                   {"difference", "mJ", true},
                   {std::move(single), std::move(twice)}});
}

MotionFindings findings(const Model& model, const Motions& m) {
  MotionFindings f;
  f.bar_mass = model.mechanism().bodies.front().mass;
  f.peak_kinetic = largest(m.exact.kinetic);
  f.single_off = largest_difference(m.single.kinetic, m.exact.kinetic);
  f.double_off = largest_difference(m.twice.kinetic, m.exact.kinetic);
  f.rounding = largest_difference(m.single.kinetic, m.twice.kinetic);
  f.rms_off = root_mean_square(difference(m.single.kinetic, m.exact.kinetic, 1.0));
  f.projected_off = largest_difference(m.projected.kinetic, m.exact.kinetic);
  if (!m.other_name.empty()) {
    f.engine_off = largest_difference(m.single.kinetic, m.other.kinetic);
    f.engine_reference = largest_difference(m.exact.kinetic, m.other.kinetic);
  }
  f.gap = largest(m.single.gap);
  f.gap_double = largest(m.twice.gap);
  return f;
}

// How far the angles of the four joints, each integrated for itself, are from closing the loop:
// crank, coupler and rocker turn by A, A + B, A + B + C, and D is the rocker's angle to the ground.
std::vector<double> angle_sums(const Motion& m) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < m.t.size(); ++i) {
    sums.push_back(m.q[i].sum() - m.closing_angle[i]);
  }
  const double start = sums.front();
  for (auto& sum : sums) sum -= start;
  return sums;
}

void loop_figures(const Motions& m, Document& document) {
  document.figure(
      {"fig12_loop_vector",
       "Fig. 12: length of r_0 + r_1 + r_2 - r_3, by which the loop fails to close",
       {"time", "s"},
       {"gap", "mm"},
       {{kSingle, m.single.t, scaled(m.single.gap, 1e3), nth_colour(0)},
        {kDouble, m.twice.t, scaled(m.twice.gap, 1e3), nth_colour(1), CurveStyle::kDashed}}});
  document.figure({"fig13_inner_angles",
                   "Fig. 13: error of the sum of the inner angles",
                   {"time", "s"},
                   {"error", "urad"},
                   {{kSingle, m.single.t, scaled(angle_sums(m.single), 1e6), nth_colour(0)},
                    {kDouble, m.twice.t, scaled(angle_sums(m.twice), 1e6), nth_colour(1),
                     CurveStyle::kDashed}}});
}

}  // namespace

MotionFindings double_pendulum_section(const studies::StudyOptions& options, Document& document) {
  options.progress("double pendulum");
  const Model model(studies::shipped("double_pendulum"));
  const auto m = all_motions(model);
  document.heading("Double pendulum");
  motion_figures("6", model.joint_name(0), m, document);
  energy_figures("7", m, document);
  energy_table("double_pendulum", m, document);
  step_figure("double_pendulum", model, m.exact, options.quick, document);
  return findings(model, m);
}

MotionFindings four_bar_section(const studies::StudyOptions& options, Document& document) {
  options.progress("four-bar linkage");
  const Model model(studies::shipped("four_bar"));
  const auto m = all_motions(model);
  document.heading("Four-bar linkage");
  motion_figures("10", model.joint_name(0), m, document);
  energy_figures("11", m, document);
  energy_table("four_bar", m, document);
  loop_figures(m, document);
  step_figure("four_bar", model, m.exact, options.quick, document);
  auto f = findings(model, m);
  f.angle = largest(angle_sums(m.single));
  f.angle_double = largest(angle_sums(m.twice));
  const auto longer = euler<float>(model, kEulerStep, 10.0 * kUntil);
  f.long_gap = largest(longer.gap);
  f.long_angle = largest(angle_sums(longer));
  f.long_gap_double = largest(euler<double>(model, kEulerStep, 10.0 * kUntil).gap);
  return f;
}

}  // namespace hamiltree::turno2023
