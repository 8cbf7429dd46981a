#include "hamiltree/analysis/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/drive.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostSteps = 500;
// Of steps, rad or lengths of the mechanism.
constexpr double kFirstRadius = 0.3, kLargestRadius = 1.0;
// Work along a step, of what the stiffness at its start makes it: below, it is not gone, or the
// next one is shorter; above, the next one may be longer.
constexpr double kTooLittle = 0.1, kLittle = 0.4, kEnough = 0.75;
constexpr int kHalvings = 60;
constexpr double kLastStep = 1e-11;  // after it Newton's method has all digits
constexpr double kSoftest = 1e-6;    // of the largest stiffness; below it nothing holds a direction
constexpr double kSmallStep = 1e-5;  // below it forces along a step are rounding
constexpr double kBalanced = 1e-8;   // of the largest force or stiffness met
constexpr double kLeft = 1e-6;       // of the largest force, or the least stiffness, met
constexpr double kDifference = 1e-6, kNearBalance = 1e-7;
constexpr double kRounding = 1e-6;  // of the largest eigenvalue: what rounding makes of 0

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

// In units in which all joints together move by a radian, or by a length.
VectorXd units_at(const ModelAtPose& pose) {
  const MatrixXd relative =
      velocity_units(pose.model()).cwiseInverse().asDiagonal() * pose.motions();
  return relative.colwise().norm().cwiseInverse().transpose();
}

// d(M) a along each independent displacement. With loops by differences: it matters far from
// equilibrium, where nothing is exact. Where other velocities become independent on the way, it is
// left out.
MatrixXd change_of_mass(ModelAtPose& pose, const MatrixXd& M, const VectorXd& a) {
  const auto m = pose.freedom();
  if (pose.model().constraint_count() == 0) {
    derivatives::Directions directions;
    directions.q = pose.coordinate_rates(MatrixXd::Identity(m, m));
    derivatives::Inverted all;
    pose.tangents().invert(derivatives::Sweep::kMomenta, {pose.t(), pose.q().data(), a.data()},
                           directions, m, 0.0, all);
    return all.d_generalized;
  }
  const VectorXd q = pose.q(), units = units_at(pose);
  const auto independent = pose.independent();
  MatrixXd change = MatrixXd::Zero(m, m);
  for (int j = 0; j < m; ++j) {
    const double h = kDifference * units(j);
    if (pose.move(h * VectorXd::Unit(m, j)) && pose.independent() == independent) {
      const MatrixXd& T = pose.motions();
      change.col(j) = (T.transpose() * (pose.mass() * (T * a)) - M * a) / h;
    }
    pose.place(q);
  }
  return change;
}

//   f = M a,   K = -df = -M da - dM a
Balance balance_at(ModelAtPose& pose) {
  const auto m = pose.freedom();
  Balance balance{linearize(pose, VectorXd::Zero(m)), {}, {}};
  const MatrixXd T = pose.motions();
  const MatrixXd M = T.transpose() * pose.mass() * T;
  const auto& linear = balance.linear;
  VectorXd a(m);
  for (int i = 0; i < m; ++i) a(i) = linear.v_dot(linear.independent[at(i)]);
  balance.force = M * a;
  MatrixXd K = -(M * linear.A.bottomLeftCorner(m, m));
  const VectorXd units = units_at(pose);
  if (units.cwiseProduct(balance.force).norm() >
      kNearBalance * (units.asDiagonal() * K * units.asDiagonal()).norm())
    K -= change_of_mass(pose, M, a);
  balance.stiffness = 0.5 * (K + K.transpose());
  return balance;
}

// The step s with the most work  f s - s K s / 2,  |s| <= radius, by the eigenvalues of K:
//   s_i = f_i / (lambda_i + mu),  mu >= 0, mu > -lambda_i  [Nocedal2006, sect. 4.3]
// Of directions along which nothing pushes but rounding, those that are held go to balance, also to
// one that is not stable. `scale`: of forces that count.
VectorXd step_of(const Balance& balance, const VectorXd& units, double scale, double radius) {
  const MatrixXd scaled = units.asDiagonal() * balance.stiffness * units.asDiagonal();
  const auto eigen = symmetric_eigen(scaled);
  const double least = kSoftest * eigen.values.cwiseAbs().maxCoeff();
  const VectorXd along = eigen.vectors.transpose() * units.asDiagonal() * balance.force;
  const auto is_pushed = [&](Eigen::Index i) { return std::abs(along(i)) > kBalanced * scale; };
  double softest = std::numeric_limits<double>::infinity(), force = 0.0;
  for (Eigen::Index i = 0; i < along.size(); ++i) {
    if (!is_pushed(i)) continue;
    softest = std::min(softest, eigen.values(i));
    force = std::hypot(force, along(i));
  }
  const auto step_at = [&](double mu) {
    VectorXd step = VectorXd::Zero(along.size());
    for (Eigen::Index i = 0; i < along.size(); ++i) {
      const double stiffness = is_pushed(i) ? eigen.values(i) + mu : std::abs(eigen.values(i));
      if (is_pushed(i) || stiffness > least) step(i) = along(i) / stiffness;
    }
    return step;
  };
  if (force == 0.0 || (softest > least && step_at(0.0).norm() <= radius))
    return eigen.vectors * step_at(0.0);
  double low = std::max(0.0, -softest), high = low + 2.0 * force / radius;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (step_at(middle).norm() > radius ? low : high) = middle;
  }
  return eigen.vectors * step_at(high);
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

// Goes along the step, unless the forces on the way do too little of the work that those at its
// start and their stiffness promise, or loops cannot follow. Returns the share that they do.
double go(Balance& here, const VectorXd& step, bool small, ModelAtPose& pose) {
  const VectorXd q = pose.q();
  const VectorXd displacement = pose.motions() * step;
  const double work = work_along(here, pose, displacement);
  const double promised = work - 0.5 * step.dot(here.stiffness * step);
  if (pose.move(step)) {
    auto there = balance_at(pose);
    const double gain = 0.5 * (work + work_along(there, pose, displacement)) / promised;
    if (small || gain >= kTooLittle) {
      here = std::move(there);
      return gain;
    }
  }
  pose.place(q);
  return 0.0;
}

}  // namespace

Equilibrium equilibrium(ModelAtPose& pose, const std::function<void()>& on_step) {
  refuse_moving_drives(pose);
  Equilibrium found;
  auto here = balance_at(pose);
  double scale = 0.0, last = 1.0, most_force = 0.0, radius = kFirstRadius;
  double least_stiffness = std::numeric_limits<double>::infinity();
  while (pose.freedom() > 0 && last > kLastStep) {
    if (++found.steps > kMostSteps) {
      throw SimulationError(pose.t(), "no equilibrium of " + pose.model().name() +
                                          " was found in " + std::to_string(kMostSteps) +
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
    const VectorXd step = step_of(here, units, scale, radius);
    last = step.norm();
    const bool small = last < kSmallStep;
    const double gain = go(here, units.asDiagonal() * step, small, pose);
    if (!(gain >= kLittle)) radius = last * (gain >= kTooLittle ? 0.5 : 0.25);
    if (gain > kEnough && !small && last > 0.9 * radius)
      radius = std::min(2.0 * radius, kLargestRadius);
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
