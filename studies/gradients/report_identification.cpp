// Masses and damping of a four-bar from a noisy recording of its motion.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/base/text.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "hamiltree/sensitivity/differentiable_run.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "studies/gradients/minimise.hpp"
#include "studies/gradients/report.hpp"
#include "studies/mechanisms.hpp"

namespace hamiltree::studies::run_gradients {
namespace {

using Eigen::VectorXd;
using sensitivity::Columns;
using sensitivity::DifferentiableRun;

const std::vector<std::string> kUnknowns{"body.coupler.mass", "body.rocker.mass",
                                         "friction.A.viscous", "friction.D.viscous"};
constexpr std::uint64_t kNoiseSeed = 30;
constexpr int kRecorded = 100;   // samples in 2 s
constexpr double kWithin = 4.0;  // standard deviations

// The unknowns as logarithms against the truth: all of one size, and none below 0.
class Recording {
 public:
  explicit Recording(double noise) : model_(damped()), start_(initial_state(model_)) {
    for (const auto& name : kUnknowns) {
      const auto number = parameter_numbers(model_, {name}).front();
      truth_.push_back(parameters(model_)[std::size_t(number)]);
    }
    recorded_ = run(VectorXd::Zero(4))->samples().q;
    std::mt19937_64 random(kNoiseSeed);
    std::normal_distribution<double> normal;
    for (Eigen::Index i = 0; i < recorded_.size(); ++i)
      recorded_.data()[i] += noise * normal(random);
  }

  double misfit(const VectorXd& x, VectorXd& gradient) const {
    const auto motion = run(x);
    sensitivity::RunSamples cotangents;
    cotangents.q = motion->samples().q - recorded_;
    gradient = motion->gradient(cotangents).parameters;
    for (Eigen::Index k = 0; k < 4; ++k)
      gradient(k) *= std::exp(x(k)) * truth_[std::size_t(k)].value;
    return 0.5 * cotangents.q.squaredNorm();
  }
  // Standard deviations of x for this noise of each reading.
  VectorXd deviations(const VectorXd& x, double noise) const {
    const auto motion = run(x);
    Eigen::MatrixXd J(recorded_.size(), 4);
    for (Eigen::Index k = 0; k < 4; ++k) {
      const VectorXd along = std::exp(x(k)) * truth_[std::size_t(k)].value * VectorXd::Unit(4, k);
      const Columns q = motion->tangents({{}, {}, along, {}}).q;
      J.col(k) = Eigen::Map<const VectorXd>(q.data(), q.size());
    }
    return noise * (J.transpose() * J).inverse().diagonal().cwiseSqrt();
  }

 private:
  static Model damped() {
    auto mechanism = shipped("four_bar");
    mechanism.add(JointFriction{"A", 0.0, 0.02, 0.0, {}});
    mechanism.add(JointFriction{"D", 0.0, 0.03, 0.0, {}});
    return Model(mechanism);
  }
  std::unique_ptr<DifferentiableRun> run(const VectorXd& x) const {
    auto changed = truth_;
    for (std::size_t k = 0; k < changed.size(); ++k)
      changed[k].value *= std::exp(x(Eigen::Index(k)));
    sensitivity::RunOptions options;
    options.integrator = RungeKutta4{2e-3};
    options.until = 2.0;
    options.parameters = kUnknowns;
    for (int i = 1; i <= kRecorded; ++i) options.samples.push_back(2.0 * i / kRecorded);
    return std::make_unique<DifferentiableRun>(with_parameters(model_, changed), options, start_.q,
                                               start_.v);
  }

  Model model_;
  InitialState start_;
  std::vector<Parameter> truth_;
  Columns recorded_;
};

}  // namespace

std::vector<Statement> report_identification(const StudyOptions& options, Document& document) {
  document.heading("Masses and damping of a four-bar");
  document.paragraph(
      "`mechanisms/four_bar` with viscous friction in its pivots swings for 2 s (1,000 steps of "
      "`rk4`); its three angles are recorded 100 times, with normal noise from the seed " +
      std::to_string(kNoiseSeed) +
      ". The first guess is 1.5, 0.6, 0.4 and 2 times the truth. A deviation is the standard one "
      "of "
      "the unknown that this noise means, from the derivatives of the motion.");
  DataTable table;
  table.name = "identification";
  table.caption = "What is found, of the truth.";
  table.columns = {{"noise", "mrad"}, {"evaluations", ""}};
  for (const auto& name : kUnknowns) {
    table.columns.push_back({name + ", found", "%"});
    table.columns.push_back({name + ", deviation", "%"});
  }
  double worst = 0.0, at_two = 0.0;
  for (const double noise : {0.0, 2e-3, 1e-2}) {
    options.progress("identification: noise of " + to_short(noise) + " rad");
    const Recording recording(noise);
    const auto found = minimise(
        [&](const VectorXd& x, VectorXd& gradient) { return recording.misfit(x, gradient); },
        Eigen::Vector4d(1.5, 0.6, 0.4, 2.0).array().log().matrix(), 100);
    const auto deviations = recording.deviations(found.x, noise);
    std::vector<Cell> row{1e3 * noise, double(found.evaluations)};
    for (Eigen::Index k = 0; k < 4; ++k) {
      row.insert(row.end(), {100.0 * std::expm1(found.x(k)), 100.0 * deviations(k)});
      if (noise > 0.0) worst = std::max(worst, std::abs(found.x(k)) / deviations(k));
      if (noise == 2e-3) at_two = std::max(at_two, std::abs(std::expm1(found.x(k))));
    }
    table.rows.push_back(std::move(row));
  }
  document.table(std::move(table));
  return {{"ours",
           "Masses and damping of a linkage are found from a noisy recording, as well as its "
           "noise allows",
           worst < kWithin ? Judgement::kHolds : Judgement::kFails,
           "within " + to_short(worst) + " standard deviations; with 2 mrad of noise within " +
               to_short(100.0 * at_two) + " %"}};
}

}  // namespace hamiltree::studies::run_gradients
