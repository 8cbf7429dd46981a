#include "hamiltree/analysis/joint_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/loops.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kWithin = 1e-10;  // rad or m: what rounding may leave
constexpr int kMostReturns = 30;
constexpr double kLimitRank = 1e-8;

// False also where the pose is singular, or joints that are to stay independent cannot.
bool place_if_regular(ModelAtPose& pose, const VectorXd& q) {
  try {
    return pose.place(q);
  } catch (const SimulationError&) {
    return false;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

JointRanges::JointRanges(const Model& model, bool limited) {
  if (!limited) return;
  model.visit([&](const auto& system) {
    for (const auto& [j, law] : system.joint_stops) {
      const auto& joint = system.joint(j);
      if (joint.velocities == 0) continue;
      limits_.push_back({law.side, law.at, joint.q, joint.v});
      joints_.push_back(j);
    }
  });
}

VectorXd JointRanges::rooms(const ModelAtPose& pose) const {
  VectorXd rooms(std::ssize(limits_));
  pose.model().visit([&]<class Space>(const System<Space>& system) {
    Kinematics<Space> kin(system);
    hamiltree::place(system, pose.t(), pose.q().data(), kin);
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const double x = joint_position(system, kin, pose.q().data(), joints_[i]);
      rooms(static_cast<Eigen::Index>(i)) = limits_[i].side * (limits_[i].at - x);
    }
  });
  return rooms;
}

MatrixXd JointRanges::approaches(const ModelAtPose& pose) const {
  MatrixXd result = pose.rates_of(joints_);
  for (std::size_t i = 0; i < limits_.size(); ++i)
    result.row(static_cast<Eigen::Index>(i)) *= limits_[i].side;
  return result;
}

void JointRanges::clamp(VectorXd& q) const {
  for (const auto& limit : limits_) {
    if (limit.q == kNone) continue;
    double& x = q(limit.q);
    x = limit.side > 0.0 ? std::min(x, limit.at) : std::max(x, limit.at);
  }
}

// By Newton's method on the limits that are passed. In a tree the coordinates alone say which.
bool JointRanges::place(ModelAtPose& pose, VectorXd q) const {
  for (int i = 0; i < kMostReturns; ++i) {
    clamp(q);
    if (!place_if_regular(pose, q)) return false;
    const VectorXd room = rooms(pose);
    std::vector<Eigen::Index> passed;
    for (Eigen::Index k = 0; k < room.size(); ++k) {
      if (room(k) < -kWithin) passed.push_back(k);
    }
    if (passed.empty()) return true;
    const MatrixXd slope = approaches(pose);
    const VectorXd back = least_norm_solution(slope(passed, Eigen::all), room(passed), kLimitRank);
    q = pose.q() + pose.coordinate_rates(pose.motions() * back).col(0);
  }
  return false;
}

bool JointRanges::move(ModelAtPose& pose, const VectorXd& displacement) const {
  return place(pose, pose.q() + pose.coordinate_rates(pose.motions() * displacement).col(0));
}

std::optional<double> JointRanges::way_to(const ModelAtPose& pose, int v, double place) const {
  double lower = -std::numeric_limits<double>::infinity(), upper = -lower, now = 0.0;
  for (const auto& limit : limits_) {
    if (limit.v != v) continue;
    now = pose.q()(limit.q);
    if (limit.side > 0.0)
      upper = std::min(upper, limit.at);
    else
      lower = std::max(lower, limit.at);
  }
  if (!std::isfinite(upper - lower)) return std::nullopt;
  return 0.5 * ((1.0 - place) * lower + (1.0 + place) * upper) - now;
}

}  // namespace hamiltree::analysis
