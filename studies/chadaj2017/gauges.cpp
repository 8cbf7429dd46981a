#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/dense/dense.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "studies/chadaj2017/chadaj2017.hpp"
#include "studies/power_law.hpp"

namespace hamiltree::studies {
namespace {

const char* const kSourceOfGauges = "Chadaj2017, sect. 3.4";
constexpr double kGaugeTolerance = 1e-6;
constexpr double kScales[] = {1e-3, 1.0, 1e3};  // of D
constexpr double kFewEvaluations = 1.35;        // times those of dca
constexpr double kSame = 1e-9;                  // relative differences below it are no effect

struct Gauge {
  const char* name;
  bool reset;
  std::optional<double> leak;  // 1/s; nothing: as the motion asks for
};

constexpr Gauge kNatural{"natural, as in the paper", false, 0.0};
constexpr Gauge kReset{"momentum reset", true, 0.0};
constexpr Gauge kLeak{"leak 2/s", false, 2.0};

// Options that treat sigma as the gauge says. Multistep methods turn a reset into a leak.
SimulationOptions in_gauge(const Gauge& gauge, const char* method) {
  auto options = as_by_default("hdca", method, kGaugeTolerance);
  options.projection = false;
  options.reset = gauge.reset;
  options.leak = gauge.leak;
  return options;
}

// max |sigma| of the cuts at each sample, N s.
std::vector<double> largest_impulses(const Model& model, const Recording& recording) {
  const auto formulation = make_formulation("hdca", model);
  const auto workspace = formulation->make_workspace();
  std::vector<double> largest;
  for (const auto& sample : recording.samples) {
    const StateView state{sample.t, sample.q.data(), sample.p.data()};
    if (largest.empty()) formulation->analyse(state, *workspace);
    formulation->velocities(state, nullptr, *workspace);
    double size = 0.0;
    for (const double sigma : workspace->sigma) size = std::max(size, std::abs(sigma));
    largest.push_back(size);
  }
  return largest;
}

// The augmented system [Chadaj2017 eq. 8] with D scaled by s:
//   M v - s A^T sigma = p
//   s A v             = 0
struct Scaled {
  double sigma = 0.0, impulse = 0.0;  // max |sigma|, max |s A^T sigma|
  Eigen::VectorXd v;
};

Scaled solve_scaled(const Eigen::MatrixXd& M, const Eigen::MatrixXd& A, const Eigen::VectorXd& p,
                    double s) {
  const auto n = M.rows(), m = A.rows();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = M;
  K.topRightCorner(n, m) = -s * A.transpose();
  K.bottomLeftCorner(m, n) = s * A;
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(n + m);
  rhs.head(n) = p;
  const Eigen::VectorXd x = pivoted_qr(K).solve(rhs);
  return {x.tail(m).cwiseAbs().maxCoeff(), (s * A.transpose() * x.tail(m)).cwiseAbs().maxCoeff(),
          x.head(n)};
}

// With M and A of the model at the last sample.
std::vector<Scaled> with_scaled_directions(const Model& model, const Sample& last) {
  return model.visit([&]<class Space>(const System<Space>& system) {
    const Dense<Space> dense(system);
    typename Dense<Space>::Work work(dense);
    dense.velocities(last.t, last.q.data(), last.p.data(), nullptr, work);
    std::vector<Scaled> solutions;
    for (const double s : kScales)
      solutions.push_back(solve_scaled(work.augmented.M, work.augmented.A, last.p, s));
    return solutions;
  });
}

void try_scaling(const Case& c, const Recording& natural, Findings& findings) {
  const auto solutions = with_scaled_directions(c.model, natural.samples.back());
  DataTable table{"scaling_of_directions",
                  "The constrained directions D scaled by s, at the end of the run without a reset "
                  "(" +
                      c.name + ")",
                  {{"s", ""},
                   {"max |σ|", "N s"},
                   {"max |D σ| on the joints", "N m s"},
                   {"change of the velocities", "relative"}},
                  {}};
  double impulse_change = 0.0, velocity_change = 0.0;
  const auto& unscaled = solutions[1];
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    const auto& x = solutions[i];
    const double change = (x.v - unscaled.v).norm() / unscaled.v.norm();
    table.rows.push_back({kScales[i], x.sigma, x.impulse, change});
    velocity_change = std::max(velocity_change, change);
    impulse_change = std::max(impulse_change, std::abs(x.impulse / unscaled.impulse - 1.0));
  }
  findings.document.table(table);
  findings.state(kSourceOfGauges, "Scaling D should not affect the constraint impulses T = D σ.",
                 impulse_change < kSame,
                 "largest relative change of D σ: " + to_short(impulse_change));
  findings.state(kSourceOfGauges,
                 "The growth of σ, which may lead to numerical errors, could be circumvented by "
                 "scaling D.",
                 velocity_change > kSame || impulse_change > kSame,
                 "σ is scaled, but the equations contain only D σ, which grows as before; the "
                 "velocities change by " +
                     to_short(velocity_change) +
                     " relative. A momentum reset takes D σ itself to zero");
}

// The gain of hdca in a clean gauge over dca, without projection in both.
struct Gain {
  int better_energy = 0, runs = 0;
  double evaluations = 0.0, drift = INFINITY;  // largest and smallest ratio

  void add(const Summary& hdca, const Summary& dca) {
    ++runs;
    if (hdca.energy.max_error < dca.energy.max_error) ++better_energy;
    evaluations = std::max(evaluations, static_cast<double>(hdca.rate_evaluations) /
                                            static_cast<double>(dca.rate_evaluations));
    drift = std::min(drift, dca.constraint.position_max / hdca.constraint.position_max);
  }
};

void compare_gauges(const std::vector<Case>& cases, const StudyOptions& options,
                    Findings& findings) {
  const double until = options.quick ? 2.0 : 10.0;
  DataTable table{"gauges",
                  "Cost and errors by gauge beside those of dca, runs of " + to_short(until) +
                      " s, tolerance 1e-6, no projection",
                  {{"", ""},
                   {"integrator", ""},
                   {"gauge", ""},
                   {"evaluations", ""},
                   {"energy error", "J"},
                   {"max |Φ|", "m"},
                   {"max |dΦ/dt|", "m/s"}},
                  {}};
  Gain one_step, multistep;
  for (const auto& c : cases) {
    options.progress("gauges, " + c.name);
    for (const auto* method : {"dormand_prince", "adams"}) {
      const auto add = [&](const char* name, const SimulationOptions& settings) {
        const auto r = run(c.model, settings, until).summary;
        table.rows.push_back({c.name, method, name, static_cast<double>(r.rate_evaluations),
                              r.energy.max_error, r.constraint.position_max,
                              r.constraint.velocity_max});
        return r;
      };
      const bool is_multi = is_multistep(*method_from_name(method));
      const auto& clean = is_multi ? kLeak : kReset;
      const auto dca = add("dca", as_in_paper("dca", method, kGaugeTolerance));
      add(kNatural.name, in_gauge(kNatural, method));
      (is_multi ? multistep : one_step).add(add(clean.name, in_gauge(clean, method)), dca);
    }
  }
  findings.document.table(table);
  for (const auto& [gain, name] :
       {std::pair{one_step, "ode45 and a reset"}, {multistep, "ode113 and a leak"}})
    findings.state(
        "ours",
        "With " + std::string(name) +
            ", HDCA preserves the energy better than DCA, drifts less and needs at most "
            "1.35 times the evaluations.",
        gain.better_energy == gain.runs && gain.drift > 1.0 && gain.evaluations < kFewEvaluations,
        "tolerance 1e-6: energy better in " + std::to_string(gain.better_energy) + " of " +
            std::to_string(gain.runs) + " cases, drift at least " + to_short(gain.drift) +
            " times smaller, evaluations at most " + to_short(gain.evaluations) + " times as many");
}

}  // namespace

void gauges(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings) {
  auto& document = findings.document;
  document.heading("Growth of σ, and what stops it (beyond sect. 3.4)");
  document.paragraph(
      "σ is the time integral of the reactions in the cut joints: where a reaction keeps its sign, "
      "σ grows without bound. A momentum reset after every step moves the impulses D σ of the cuts "
      "into the momenta of the joints, which leaves the motion as it is; a leak lets them go over "
      "gradually, which multistep methods need. Tolerance 1e-6, errors of momenta weighed by "
      "inertia, no projection.");
  const double longer = options.quick ? 4.0 : 100.0;
  Figure figure{"sigma_growth",
                "Largest constraint impulse of the cut joint, case 1",
                {"time", "s"},
                {"max |σ|", "N s", true},
                {}};
  std::optional<Recording> natural;
  std::size_t n = 0;
  for (const auto& gauge : {kNatural, kReset, kLeak}) {
    options.progress(std::string("growth of sigma, ") + gauge.name);
    auto recording =
        run(cases.front().model, in_gauge(gauge, "dormand_prince"), longer, longer / 200);
    figure.curves.push_back({gauge.name, times(recording),
                             largest_impulses(cases.front().model, recording), nth_colour(n++)});
    if (!natural) natural = std::move(recording);
  }
  document.figure(figure);
  const auto growth = fit_power_law(figure.curves[0].x, figure.curves[0].y);
  findings.state(kSourceOfGauges, "σ may grow indefinitely with the simulation time.",
                 growth.exponent > 0.5,
                 "case 1: max |σ| = " + to_short(figure.curves[0].y.back()) + " N s after " +
                     to_short(longer) + " s, growing as t^" + to_short(growth.exponent) +
                     "; with a reset " + to_short(largest(figure.curves[1].y)) +
                     " N s, with a leak " + to_short(largest(figure.curves[2].y)) + " N s");
  try_scaling(cases.front(), *natural, findings);

  compare_gauges(cases, options, findings);
}

}  // namespace hamiltree::studies
