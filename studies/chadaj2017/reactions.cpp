#include <cmath>

#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/formulation.hpp"
#include "hamiltree/io/export/colours.hpp"
#include "studies/chadaj2017/chadaj2017.hpp"
#include "studies/chadaj2017/evaluation_cost.hpp"

namespace hamiltree::studies {
namespace {

const char* const kSourceOfReactions = "Chadaj2017, sect. 3.4";
constexpr double kTime = 1.0;  // s, where reactions are compared
constexpr double kTolerances[] = {1e-6, 1e-9, 1e-12};
constexpr double kSmallFraction = 0.35;

using Eigen::VectorXd;

class Impulses {
 public:
  explicit Impulses(const Model& model)
      : formulation_(make_formulation("hdca", model)), workspace_(formulation_->make_workspace()) {}

  VectorXd sigma(const Sample& sample) {
    prepare(sample);
    formulation_->velocities(view(sample), nullptr, *workspace_);
    return Eigen::Map<const VectorXd>(workspace_->sigma.data(), size(workspace_->sigma));
  }
  VectorXd lambda(const Sample& sample) {
    prepare(sample);
    formulation_->accelerations(view(sample), *workspace_);
    return Eigen::Map<const VectorXd>(workspace_->lambda.data(), size(workspace_->lambda));
  }

 private:
  static StateView view(const Sample& s) { return {s.t, s.q.data(), s.p.data()}; }
  static Eigen::Index size(std::span<const double> values) {
    return static_cast<Eigen::Index>(values.size());
  }
  void prepare(const Sample& sample) {
    if (!analysed_) formulation_->analyse(view(sample), *workspace_);
    analysed_ = true;
  }

  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Workspace> workspace_;
  bool analysed_ = false;
};

// Relative error of (sigma(t + h) - sigma(t - h)) / 2h as lambda(t), along a run.
double difference_error(const Model& model, double tolerance, double h) {
  Simulation simulation(model, as_in_paper("hdca", "dormand_prince", tolerance));
  simulation.run_until(kTime - h);
  const auto around = simulation.run_until(kTime + h, h).samples;
  Impulses impulses(model);
  const VectorXd difference =
      (impulses.sigma(around.back()) - impulses.sigma(around.front())) / (2.0 * h);
  const VectorXd lambda = impulses.lambda(around[1]);
  return (difference - lambda).norm() / lambda.norm();
}

}  // namespace

void reactions(const std::vector<Case>& cases, const StudyOptions& options, Findings& findings) {
  auto& document = findings.document;
  document.heading("Reactions (beyond sect. 3.4)");
  document.paragraph(
      "The paper names two ways to the reactions λ of the cuts: differences of σ in time, and a "
      "module of its own. Both exist here: `accelerations` uses the factors of the velocities once "
      "more. Differences lose half of the digits, and need a natural gauge, in which nothing is "
      "reset.");
  Figure figure{"reactions",
                "Central differences of σ as reactions of the cut of case 1, at 1 s",
                {"half interval h", "s", true},
                {"relative error of λ", "", true},
                {}};
  double best = 1.0;
  std::size_t n = 0;
  for (const double tolerance : kTolerances) {
    options.progress("reactions, tolerance " + to_short(tolerance));
    Curve curve{
        "tolerance " + to_short(tolerance), {}, {}, nth_colour(n++), CurveStyle::kLineAndPoints};
    for (double h = 0.1; h > 1e-7; h /= options.quick ? 10.0 : std::sqrt(10.0)) {
      curve.x.push_back(h);
      curve.y.push_back(difference_error(cases.front().model, tolerance, h));
      best = std::min(best, curve.y.back());
    }
    figure.curves.push_back(curve);
  }
  document.figure(figure);
  findings.state(kSourceOfReactions, "dσ/dt = λ: reactions follow from finite differences of σ.",
                 best < 1e-6,
                 "smallest relative error over all intervals and tolerances: " + to_short(best));

  std::string fractions;
  double worst = 0.0;
  for (const auto& c : cases) {
    const auto cost = evaluation_cost(planar_system(c.model));
    const double fraction =
        static_cast<double>(cost.accelerations.work) / static_cast<double>(cost.velocities());
    worst = std::max(worst, fraction);
    fractions += (fractions.empty() ? "" : ", ") + c.name + ": " + to_short(100 * fraction) + " %";
  }
  findings.state(
      kSourceOfReactions,
      "A separate module for the reactions costs only a small fraction of the velocities "
      "and impulses.",
      worst < kSmallFraction,
      "operations of the acceleration pass, which gives the reactions of all joints, "
      "against those of the velocities: " +
          fractions);
}

}  // namespace hamiltree::studies
