#include "hamiltree/analysis/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/drive.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostNewtonSteps = 500;
constexpr int kMostHalvings = 30;
constexpr double kLargestStep = 0.3;  // rad, or lengths of the mechanism
constexpr double kLastStep = 1e-11;   // after it Newton's method has all digits
constexpr double kSoftest = 1e-6;    // of the largest stiffness; below it nothing holds a direction
constexpr double kSmallStep = 1e-5;  // below it forces along a step are rounding
constexpr double kBalanced = 1e-8;   // of the largest force or stiffness met
constexpr double kLeft = 1e-6;       // of the largest force, or the least stiffness, met
constexpr double kRounding = 1e-6;   // of the largest eigenvalue: what rounding makes of 0

void refuse_moving_drives(const ModelAtPose& pose) {
  pose.model().visit([&]<class Space>(const System<Space>& system) {
    for (int j = 0; j < system.joint_count(); ++j) {
      const int drive = system.joint(j).drive;
      if (drive == kNone) continue;
      const auto frame = evaluate<Space>(system.drives[at(drive)], pose.t());
      if (frame.V.isZero(0.0) && frame.V_dot.isZero(0.0)) continue;
      throw UsageError("joint \"" + pose.model().joint_name(j) +
                       "\" is driven and moves at this time: there is no equilibrium");
    }
  });
}

// Forces along independent displacements, and their stiffness.
struct Balance {
  Linearization linear;
  VectorXd force;      // (m,)
  MatrixXd stiffness;  // (m, m): -d(force), the symmetric part
};

Balance balance_at(ModelAtPose& pose) {
  const auto m = pose.freedom();
  Balance balance{linearize(pose, VectorXd::Zero(m)), {}, {}};
  const MatrixXd& T = pose.motions();
  const MatrixXd M = T.transpose() * pose.mass() * T;
  const auto& linear = balance.linear;
  VectorXd a(m);
  for (int i = 0; i < m; ++i) a(i) = linear.v_dot(linear.independent[at(i)]);
  balance.force = M * a;
  const MatrixXd S = -(M * linear.A.bottomLeftCorner(m, m));
  balance.stiffness = 0.5 * (S + S.transpose());
  return balance;
}

// In units in which all joints together move by a radian, or by a length.
VectorXd units_at(const ModelAtPose& pose) {
  const MatrixXd relative =
      velocity_units(pose.model()).cwiseInverse().asDiagonal() * pose.motions();
  return relative.colwise().norm().cwiseInverse().transpose();
}

// Along every direction of the stiffness against it, or with it where it is negative; as far as may
// be where there is none and forces push all the same. `scale`: of forces that count.
VectorXd step_of(const Balance& balance, const VectorXd& units, double scale) {
  const MatrixXd scaled = units.asDiagonal() * balance.stiffness * units.asDiagonal();
  const auto eigen = symmetric_eigen(scaled);
  const double least = kSoftest * eigen.values.cwiseAbs().maxCoeff();
  VectorXd along = eigen.vectors.transpose() * units.asDiagonal() * balance.force;
  for (Eigen::Index i = 0; i < along.size(); ++i) {
    const double stiffness = std::abs(eigen.values(i));
    const bool pushed = std::abs(along(i)) > kBalanced * scale;
    if (stiffness > least) {
      along(i) /= stiffness;
    } else {
      along(i) = pushed ? std::copysign(kLargestStep, along(i)) : 0.0;
    }
  }
  const VectorXd step = eigen.vectors * along;
  return step * std::min(1.0, kLargestStep / std::max(step.norm(), kLargestStep));
}

// Sets the growth, and whether it is no more than rounding.
void judge(Equilibrium& found) {
  if (found.linear.A.size() == 0) {
    found.stable = true;
    return;
  }
  const Eigen::VectorXcd eigenvalues = general_eigen(found.linear.A).values;
  found.growth = eigenvalues.real().maxCoeff();
  found.stable = found.growth <= kRounding * eigenvalues.cwiseAbs().maxCoeff();
}

// The work that forces at a pose do along a displacement from another one.
double work_along(const Balance& balance, const ModelAtPose& pose, const VectorXd& displacement) {
  double work = 0.0;
  for (int i = 0; i < pose.freedom(); ++i) {
    work += balance.force(i) * displacement(pose.independent()[at(i)]);
  }
  return work;
}

// Goes along the step, or along less of it where the forces on the way would not push that far.
Balance go(const Balance& from, VectorXd step, bool small, ModelAtPose& pose) {
  const VectorXd q = pose.q();
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    const VectorXd displacement = pose.motions() * step;
    const double work = work_along(from, pose, displacement);
    if (pose.move(step)) {
      const auto there = balance_at(pose);
      if (small || work + work_along(there, pose, displacement) >= 0.0) return there;
    }
    pose.place(q);
    step *= 0.5;
  }
  throw SimulationError(pose.t(), "no equilibrium of " + pose.model().name() +
                                      " was found: no step goes on from the pose reached");
}

}  // namespace

Equilibrium equilibrium(ModelAtPose& pose, const std::function<void()>& on_step) {
  refuse_moving_drives(pose);
  Equilibrium found;
  auto here = balance_at(pose);
  double scale = 0.0, last = 1.0, most_force = 0.0;
  double least_stiffness = std::numeric_limits<double>::infinity();
  while (pose.freedom() > 0 && last > kLastStep) {
    if (++found.steps > kMostNewtonSteps) {
      throw SimulationError(pose.t(), "no equilibrium of " + pose.model().name() +
                                          " was found in " + std::to_string(kMostNewtonSteps) +
                                          " steps: its loads push it on and on, or it starts too "
                                          "far from one");
    }
    if (on_step) on_step();
    const VectorXd units = units_at(pose);
    const double force = units.cwiseProduct(here.force).norm();
    const double stiffness = (units.asDiagonal() * here.stiffness * units.asDiagonal()).norm();
    scale = std::max({scale, force, stiffness});
    most_force = std::max(most_force, force);
    least_stiffness = std::min(least_stiffness, stiffness);
    const VectorXd step = step_of(here, units, scale);
    last = step.norm();
    here = go(here, units.asDiagonal() * step, last < kSmallStep, pose);
  }
  if (pose.freedom() > 0) {
    found.unbalanced = here.force.lpNorm<Eigen::Infinity>();
    // Where a rope has no length its force has no direction: steps end there, with forces left.
    const double left = units_at(pose).cwiseProduct(here.force).norm();
    if (!(left <= kLeft * std::max(most_force, least_stiffness))) {
      throw SimulationError(pose.t(), "no equilibrium of " + pose.model().name() +
                                          " was found: forces of " + to_short(found.unbalanced) +
                                          " are left where steps end");
    }
  }
  found.linear = here.linear;
  judge(found);
  return found;
}

}  // namespace hamiltree::analysis
