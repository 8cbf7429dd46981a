#include "hamiltree/analysis/inverse_kinematics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <random>
#include <utility>

#include "hamiltree/analysis/joint_ranges.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/random.hpp"
#include "hamiltree/math/minimum_within.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostReachSteps = 200, kMostLaterSteps = 50;  // from the first start, and from others
constexpr double kReached = 1e-11;                          // of the mechanism's length
constexpr double kLargestReach = 0.5;   // rad, or lengths of the mechanism, of the joint fastest
constexpr double kFirstDamping = 1e-4;  // of the largest stiffness of the targets
constexpr double kLeastDamping = 1e-15, kMostDamping = 1e8;
constexpr double kNoGain = 1e-12;  // of the miss, after a step: where steps end out of reach
constexpr std::size_t kMostStarts = 25;
// How much of their ranges joints move from the first pose to the next starts; then all of them.
constexpr std::array kFirstSpreads = {0.1, 0.4};
constexpr double kNearer = 1.0 - 1e-6;  // of the miss so far: less is worth another pose

// By how much all points miss their targets, and how that changes with independent displacements.
struct Missing {
  VectorXd gap;
  MatrixXd slope;
  double miss = 0.0;
};

Missing missing_at(const ModelAtPose& pose, const std::vector<PointTarget>& targets) {
  const int axes = pose.model().space() == SpaceKind::kPlanar ? 2 : 3;
  const auto rows = static_cast<Eigen::Index>(targets.size()) * axes;
  Missing missing{VectorXd(rows), MatrixXd(rows, pose.freedom()), 0.0};
  Eigen::Index row = 0;
  for (const auto& [point, position] : targets) {
    const auto jacobian = point_jacobian(pose, point);
    missing.gap.segment(row, axes) = (position - jacobian.position).head(axes);
    missing.slope.middleRows(row, axes) = jacobian.of_independent.topRows(axes);
    missing.miss = std::max(missing.miss, missing.gap.segment(row, axes).norm());
    row += axes;
  }
  return missing;
}

// Independent displacements in which the joint that moves farthest moves by one unit.
VectorXd reach_units(const ModelAtPose& pose) {
  const MatrixXd relative =
      velocity_units(pose.model()).cwiseInverse().asDiagonal() * pose.motions();
  return relative.cwiseAbs().colwise().maxCoeff().cwiseInverse().transpose();
}

// Steps from one start after another.
class Reach {
 public:
  Reach(ModelAtPose& pose, const std::vector<PointTarget>& targets, Limits limits)
      : pose_(pose),
        targets_(targets),
        ranges_(pose.model(), limits == Limits::kKept),
        first_(pose.q()) {}

  int steps() const { return steps_; }

  // The pose of the i-th start. False where none within the limits is found.
  bool go_to_start(std::size_t i) {
    pose_.place(first_);
    if (i > 0) wander(i <= kFirstSpreads.size() ? kFirstSpreads[i - 1] : 1.0);
    return ranges_.place(pose_, pose_.q());
  }

  // To a pose beside which none is nearer, or that far on the way.
  Missing descend(double near_enough, int most_steps) {
    auto here = missing_at(pose_, targets_);
    double damping = kFirstDamping;
    for (int step = 0; step < most_steps && damping < kMostDamping && here.miss > near_enough;
         ++step) {
      ++steps_;
      const VectorXd q = pose_.q();
      if (ranges_.move(pose_, step_from(here, damping))) {
        auto there = missing_at(pose_, targets_);
        const double gain = here.gap.norm() - there.gap.norm();
        if (gain > 0.0) {
          here = std::move(there);
          if (gain < kNoGain * here.gap.norm()) break;
          damping = std::max(kLeastDamping, damping / 10.0);
          continue;
        }
      }
      pose_.place(q);
      damping *= 10.0;
    }
    return here;
  }

 private:
  // (J^T J + damping) z = J^T gap, in these units, within the limits and not beyond the largest
  // step.
  VectorXd step_from(const Missing& missing, double damping) {
    const VectorXd units = reach_units(pose_);
    const MatrixXd J = missing.slope * units.asDiagonal();
    MatrixXd normal = J.transpose() * J;
    const double scale = std::max(normal.diagonal().maxCoeff(), 1e-300);
    normal.diagonal().array() += damping * scale;
    const VectorXd z = minimum_within(normal, J.transpose() * missing.gap,
                                      ranges_.approaches(pose_) * units.asDiagonal(),
                                      ranges_.rooms(pose_).cwiseMax(0.0));
    const double largest = z.lpNorm<Eigen::Infinity>();
    return units.asDiagonal() * z * std::min(1.0, kLargestReach / std::max(largest, kLargestReach));
  }

  // To a pose drawn at random, as far as the loops follow: from the ranges of the joints, and where
  // they have none from half a turn, or as many lengths, to either side.
  void wander(double spread) {
    const VectorXd units = reach_units(pose_);
    VectorXd way(pose_.freedom());
    for (int k = 0; k < pose_.freedom(); ++k) {
      const double drawn = about_zero(random_);
      way(k) = spread * ranges_.way_to(pose_, pose_.independent()[at(k)], drawn)
                            .value_or(std::numbers::pi * units(k) * drawn);
    }
    const double pieces =
        std::ceil(way.cwiseQuotient(units).lpNorm<Eigen::Infinity>() / kLargestReach);
    const JointRanges anywhere(pose_.model(), false);
    for (double i = 0.0; i < pieces; ++i) {
      const VectorXd q = pose_.q();
      if (anywhere.move(pose_, way / pieces)) continue;
      pose_.place(q);
      return;
    }
  }

  ModelAtPose& pose_;
  const std::vector<PointTarget>& targets_;
  JointRanges ranges_;
  VectorXd first_;
  std::mt19937_64 random_{1};
  int steps_ = 0;
};

}  // namespace

InverseKinematics inverse_kinematics(ModelAtPose& pose, const std::vector<PointTarget>& targets,
                                     Limits limits) {
  const double length = pose.model().visit([](const auto& system) { return system.length; });
  for (const auto& [point, position] : targets)
    check_place(pose.model(), "the target of body \"" + point.body + "\"", position);
  Reach reach(pose, targets, limits);
  std::optional<Missing> nearest;
  InverseKinematics found;
  const std::size_t starts = pose.freedom() > 0 ? kMostStarts : 1;
  for (std::size_t i = 0; i < starts && !found.reached; ++i) {
    if (!reach.go_to_start(i)) continue;
    auto here = reach.descend(kReached * length, i == 0 ? kMostReachSteps : kMostLaterSteps);
    found.reached = here.miss <= 1e2 * kReached * length;
    if (nearest && !found.reached && !(here.gap.norm() < kNearer * nearest->gap.norm())) continue;
    found.q = pose.q();
    found.miss = here.miss;
    nearest = std::move(here);
  }
  if (!nearest) {
    throw SimulationError(pose.t(), "no pose of " + pose.model().name() +
                                        " within the limits of its joints was found");
  }
  pose.place(found.q);
  found.steps = reach.steps();
  return found;
}

}  // namespace hamiltree::analysis
