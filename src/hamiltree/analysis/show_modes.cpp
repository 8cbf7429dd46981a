#include "hamiltree/analysis/show_modes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/simulation/probe.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "hamiltree/simulation/summary_of.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::VectorXd;

constexpr int kSteps = 48;       // of a period
constexpr double kPeriod = 2.0;  // s, as it is shown
constexpr int kMostSmaller = 10;

class ModeShow {
 public:
  ModeShow(ModelAtPose& pose, const Linearization& linear)
      : pose_(pose),
        linear_(linear),
        probe_(make_probe(pose.model())),
        at_rest_(VectorXd::Zero(pose.model().velocity_count())),
        units_(velocity_units(pose.model())) {
    recording_.header = make_header(pose.model());
    recording_.header.conservative = true;  // nothing is said of power
    auto& summary = recording_.summary;
    summary.status = "modes";
    summary.model = summary_of(pose.model(), pose.freedom());
    summary.formulation = "dense";  // takes every model, and draws no plan
  }

  void add(const Mode& mode, double amplitude) {
    auto motion = motion_of(mode, amplitude);
    for (int smaller = 0; !motion && smaller < kMostSmaller; ++smaller)
      motion = motion_of(mode, amplitude *= 0.5);
    if (!motion) {
      throw SimulationError(linear_.t, "the mode of " + to_short(mode.frequency) +
                                           " Hz cannot be shown: loops do not close along it");
    }
    auto& samples = recording_.samples;
    const auto first = samples.size();
    const double start = samples.empty() ? 0.0 : samples.back().t + kPeriod / kSteps;
    for (std::size_t k = 0; k < motion->size(); ++k) {
      samples.push_back(sample_at((*motion)[k]));
      samples.back().t = start + kPeriod / kSteps * static_cast<double>(k);
    }
    recording_.modes.push_back(
        {mode.eigenvalue, mode.frequency, mode.damping, amplitude, first, samples.size() - 1});
  }

  Recording take() {
    recording_.summary.until = recording_.summary.reached =
        recording_.samples.empty() ? 0.0 : recording_.samples.back().t;
    return std::move(recording_);
  }

 private:
  // Coordinates through one period, its end the start again; nothing where loops do not close.
  std::optional<std::vector<VectorXd>> motion_of(const Mode& mode, double amplitude) {
    const double largest = mode.shape.cwiseAbs().cwiseQuotient(units_).maxCoeff();
    const Eigen::VectorXcd shape = mode.shape(linear_.independent) * (amplitude / largest);
    const auto m = static_cast<Eigen::Index>(linear_.independent.size());
    std::vector<VectorXd> motion;
    bool closes = true;
    for (int k = 0; k <= kSteps && closes; ++k) {
      const auto turn = std::polar(1.0, 2.0 * std::numbers::pi * (k % kSteps) / kSteps);
      const VectorXd displacement = (shape * turn).real();
      closes = pose_.place(linear_.q + linear_.C_q.leftCols(m) * displacement);
      motion.push_back(pose_.q());
    }
    pose_.place(linear_.q);
    if (!closes) return std::nullopt;
    return motion;
  }

  Sample sample_at(const VectorXd& q) {
    probe_->set(linear_.t, q.data(), at_rest_.data());
    Sample sample;
    sample.q = q;
    sample.v = sample.p = at_rest_;
    sample.potential_energy = probe_->potential_energy();
    sample.position_residual = probe_->position_residual();
    probe_->follow();
    probe_->outside(sample.outside_q, sample.outside_v);
    // Reactions are no matter of poses.
    probe_->sensors([](int) { return unknown_reaction(); }, sample.sensors);
    probe_->poses(sample.poses);
    return sample;
  }

  ModelAtPose& pose_;
  const Linearization& linear_;
  std::unique_ptr<Probe> probe_;
  VectorXd at_rest_, units_;
  Recording recording_;
};

}  // namespace

Recording show_modes(ModelAtPose& pose, const Linearization& linear, const ModesShown& shown) {
  if (shown.most < 1) throw UsageError("at least one mode must be shown");
  if (!(shown.amplitude > 0.0 && shown.amplitude <= 1.0))
    throw UsageError("the amplitude of modes must be above 0 and at most 1");
  ModeShow show(pose, linear);
  auto all = modes(linear);
  if (all.empty()) throw UsageError(pose.model().name() + " has no modes: nothing of it can move");
  all.resize(std::min(all.size(), static_cast<std::size_t>(shown.most)));
  for (const auto& mode : all) show.add(mode, shown.amplitude);
  return show.take();
}

}  // namespace hamiltree::analysis
