#include "hamiltree/analysis/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/drive.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostSteps = 1000;
// Of steps, and of a joint's way to an equilibrium, rad or lengths of the mechanism.
constexpr double kFirstRadius = 0.3, kLargestRadius = 1.0, kLongestWay = 100.0;
// Work along a step, of what the stiffness at its start makes it: below, it is not gone, or the
// next one is shorter; above, the next one may be longer.
constexpr double kTooLittle = 0.1, kLittle = 0.4, kEnough = 0.75;
constexpr int kHalvings = 60;
constexpr double kLastStep = 1e-11;  // after it Newton's method has all digits
constexpr double kSoftest = 1e-6;    // of its scale; below it nothing holds a direction
constexpr double kSmallStep = 1e-5;  // below it forces along a step are rounding
constexpr double kBalanced = 1e-11;  // of its scale
constexpr double kLeft = 1e-6;       // of the largest force, or the least stiffness, met
constexpr int kMostStalled = 10;     // steps after which forces that only rounding leaves are left
constexpr double kRounding = 3e-7;   // of the largest eigenvalue: what rounding makes of 0

void refuse_moving_drives(const ModelAtPose& pose) {
  pose.model().visit([&]<class Space>(const System<Space>& system) {
    for (int j = 0; j < system.joint_count(); ++j) {
      const int drive = system.joint(j).drive;
      if (drive == kNone) continue;
      const auto frame = evaluate<Space>(system.drives[at(drive)], pose.t());
      if (frame.V.isZero(0.0) && frame.V_dot.isZero(0.0)) continue;
      throw UsageError("joint \"" + pose.model().joint_name(j) +
                       "\" is moved at this time, by its drive or its parent_motion: there is no "
                       "equilibrium");
    }
  });
}

// Forces along independent displacements, and their stiffness.
struct Balance {
  std::vector<int> independent;
  VectorXd force;      // (m,)
  MatrixXd stiffness;  // (m, m): -d(force), the symmetric part
  MatrixXd mass;       // (m, m)
};

// In units in which all joints together move by a radian, or by a length.
VectorXd units_at(const ModelAtPose& pose) {
  const MatrixXd relative =
      velocity_units(pose.model()).cwiseInverse().asDiagonal() * pose.motions();
  return relative.colwise().norm().cwiseInverse().transpose();
}

// With g(q) the generalized forces that rest asks for beside those of the model, and lambda the
// forces in the loops that balance those along dependent velocities,
//   (1)  g - A^T lambda = 0 along dependent velocities
//   (2)  f = -T^T g
//   (3)  K = -df = T^T d(g - A^T lambda) at fixed lambda
// for A T = 0 and T is constant along independent velocities, so d(T)^T (g - A^T lambda) = 0.
Balance balance_at(ModelAtPose& pose) {
  const auto m = pose.freedom();
  const MatrixXd& T = pose.motions();
  const VectorXd at_rest = VectorXd::Zero(T.rows());
  derivatives::Point point{pose.t(), pose.q().data(), at_rest.data()};
  derivatives::Inverted g;
  pose.tangents().invert(derivatives::Sweep::kForces, point, {}, 0, 0.0, g);
  const VectorXd lambda = pose.loop_forces(g.generalized);
  point.impulses = lambda.data();
  derivatives::Directions displacements;
  displacements.q = pose.coordinate_rates(T);
  derivatives::Inverted moved;
  pose.tangents().invert(derivatives::Sweep::kForces, point, displacements, m, 0.0, moved);
  const MatrixXd K = T.transpose() * moved.d_generalized;
  return {pose.independent(), -T.transpose() * g.generalized, 0.5 * (K + K.transpose()),
          T.transpose() * pose.mass() * T};
}

// What forces along each velocity are measured by, in units. A light part at the end of a heavy one
// has its own: its forces are rounding of the others'.
class Scales {
 public:
  explicit Scales(const ModelAtPose& pose)
      : most_force_(VectorXd::Zero(pose.motions().rows())),
        most_stiffness_(most_force_),
        least_stiffness_(
            VectorXd::Constant(most_force_.size(), std::numeric_limits<double>::infinity())) {}

  // Returns the largest force, of what was met.
  double meet(const ModelAtPose& pose, const Balance& balance, const VectorXd& units) {
    const VectorXd force = units.cwiseProduct(balance.force).cwiseAbs();
    const VectorXd squares = units.cwiseAbs2();
    const VectorXd stiffness = squares.cwiseProduct(balance.stiffness.diagonal()).cwiseAbs();
    const VectorXd mass = squares.cwiseProduct(balance.mass.diagonal());
    const double length = pose.model().visit([](const auto& system) { return system.length; });
    const double falling = pose.model().mechanism().gravity.norm() / length;
    inertia_ = mass * (falling > 0.0 ? falling : stiffness.sum() / mass.sum());
    independent_ = pose.independent();
    for (int i = 0; i < pose.freedom(); ++i) {
      const int k = independent_[at(i)];
      most_force_(k) = std::max(most_force_(k), force(i));
      most_stiffness_(k) = std::max(most_stiffness_(k), stiffness(i));
      least_stiffness_(k) = std::min(least_stiffness_(k), stiffness(i));
    }
    // Not of the largest stiffness: that of a rope without length has no bound.
    const VectorXd met = here(most_force_).cwiseMax(here(least_stiffness_)).cwiseMax(inertia_);
    double left = 0.0;
    for (Eigen::Index i = 0; i < met.size(); ++i) {
      if (force(i) > 0.0) left = std::max(left, force(i) / met(i));
    }
    return left;
  }

  // Of the independent velocities at the last balance: the largest force or stiffness met, or the
  // force that gives it the acceleration of a fall.
  VectorXd forces() const {
    return here(most_force_).cwiseMax(here(most_stiffness_)).cwiseMax(inertia_);
  }

 private:
  VectorXd here(const VectorXd& of_velocities) const {
    VectorXd some(inertia_.size());
    for (Eigen::Index i = 0; i < some.size(); ++i)
      some(i) = of_velocities(independent_[static_cast<std::size_t>(i)]);
    return some;
  }

  VectorXd most_force_, most_stiffness_, least_stiffness_;  // by velocity
  VectorXd inertia_;                                        // of the independent ones
  std::vector<int> independent_;
};

// The step s with the most work  f s - s K s / 2,  |s| <= radius, by the eigenvalues of K:
//   s_i = f_i / (lambda_i + mu),  mu >= 0, mu > -lambda_i  [Nocedal2006, sect. 4.3]
// Of directions along which nothing pushes but rounding, those that are held go to balance, also to
// one that is not stable. `scales`: of forces along each displacement.
VectorXd step_of(const Balance& balance, const VectorXd& units, const VectorXd& scales,
                 double radius) {
  const MatrixXd scaled = units.asDiagonal() * balance.stiffness * units.asDiagonal();
  const auto eigen = symmetric_eigen(scaled);
  const VectorXd along = eigen.vectors.transpose() * units.asDiagonal() * balance.force;
  const VectorXd scale = eigen.vectors.cwiseAbs2().transpose() * scales;
  const auto is_pushed = [&](Eigen::Index i) { return std::abs(along(i)) > kBalanced * scale(i); };
  double softest = std::numeric_limits<double>::infinity(), force = 0.0;
  bool is_held = true;
  for (Eigen::Index i = 0; i < along.size(); ++i) {
    if (!is_pushed(i)) continue;
    softest = std::min(softest, eigen.values(i));
    force = std::hypot(force, along(i));
    is_held = is_held && eigen.values(i) > kSoftest * scale(i);
  }
  const auto step_at = [&](double mu) {
    VectorXd step = VectorXd::Zero(along.size());
    for (Eigen::Index i = 0; i < along.size(); ++i) {
      const double stiffness = is_pushed(i) ? eigen.values(i) + mu : std::abs(eigen.values(i));
      if (is_pushed(i) || stiffness > kSoftest * scale(i)) step(i) = along(i) / stiffness;
    }
    return step;
  };
  if (force == 0.0 || (is_held && step_at(0.0).norm() <= radius))
    return eigen.vectors * step_at(0.0);
  double low = std::max(0.0, -softest), high = low + 2.0 * force / radius;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (step_at(middle).norm() > radius ? low : high) = middle;
  }
  return eigen.vectors * step_at(high);
}

// Sets the growth, and what of it is no more than rounding.
void judge(Equilibrium& found) {
  if (found.linear.A.size() == 0) {
    found.stable = true;
    return;
  }
  const Eigen::VectorXcd eigenvalues = general_eigen(found.linear.A).values;
  const double rounding = kRounding * eigenvalues.cwiseAbs().maxCoeff();
  found.growth = eigenvalues.real().maxCoeff();
  found.stable = found.growth <= rounding;
  found.indifferent = found.stable && eigenvalues.cwiseAbs().minCoeff() <= rounding;
}

// Of the forces at that balance; the displacement is that of all joints.
double work_along(const Balance& balance, const VectorXd& displacement) {
  double work = 0.0;
  for (std::size_t i = 0; i < balance.independent.size(); ++i)
    work += balance.force(static_cast<Eigen::Index>(i)) * displacement(balance.independent[i]);
  return work;
}

// Refuses where loads push joints on and on.
void check_way(const ModelAtPose& pose, const VectorXd& way) {
  Eigen::Index k = 0;
  if (way.size() == 0 || way.cwiseAbs().maxCoeff(&k) < kLongestWay) return;
  const int b = pose.model().visit([&](const auto& system) {
    int joint = 0;
    while (system.joint(joint).v + system.joint(joint).velocities <= k) ++joint;
    return joint;
  });
  throw SimulationError(pose.t(), "no equilibrium of " + pose.model().name() +
                                      " was found: its loads push joint \"" +
                                      pose.model().joint_name(b) + "\" on and on");
}

// Goes along the step, unless the forces on the way do too little of the work that those at its
// start and their stiffness promise, or loops cannot follow. Returns the share that they do. Their
// work is that along the way that was gone: back to the start it would be its opposite, so that
// steps go round in no circle of two.
double go(Balance& here, const VectorXd& step, bool small, ModelAtPose& pose) {
  const VectorXd q = pose.q();
  const double promised = here.force.dot(step) - 0.5 * step.dot(here.stiffness * step);
  if (pose.move(step)) {
    auto there = balance_at(pose);
    const VectorXd gone = displacement_between(pose.model(), q, pose.q());
    const double gain = 0.5 * (work_along(here, gone) + work_along(there, gone)) / promised;
    if (small || gain >= kTooLittle) {
      here = std::move(there);
      return gain;
    }
  }
  pose.place(q);
  here = balance_at(pose);  // other velocities may be independent now
  return 0.0;
}

}  // namespace

Equilibrium equilibrium(ModelAtPose& pose, const std::function<void()>& on_step) {
  refuse_moving_drives(pose);
  Equilibrium found;
  auto here = balance_at(pose);
  Scales scales(pose);
  VectorXd way = VectorXd::Zero(pose.motions().rows());  // of joints, rad or lengths
  double last = 1.0, radius = kFirstRadius, least_left = std::numeric_limits<double>::infinity();
  int stalled = 0;
  while (pose.freedom() > 0 && last > kLastStep) {
    if (++found.steps > kMostSteps) {
      throw SimulationError(pose.t(), "no equilibrium of " + pose.model().name() +
                                          " was found in " + std::to_string(kMostSteps) +
                                          " steps: it starts too far from one");
    }
    if (on_step) on_step();
    const VectorXd units = units_at(pose);
    const double left = scales.meet(pose, here, units);
    stalled = left < 0.5 * least_left ? 0 : stalled + 1;
    least_left = std::min(least_left, left);
    if (stalled > kMostStalled && left <= kBalanced) break;
    const VectorXd step = step_of(here, units, scales.forces(), radius);
    last = step.norm();
    const bool small = last < kSmallStep;
    const VectorXd displacement = pose.motions() * units.asDiagonal() * step;
    const double gain = go(here, units.asDiagonal() * step, small, pose);
    if (small || gain >= kTooLittle)
      way += displacement.cwiseQuotient(velocity_units(pose.model()));
    check_way(pose, way);
    if (!(gain >= kLittle)) radius = last * (gain >= kTooLittle ? 0.5 : 0.25);
    if (gain > kEnough && !small && last > 0.9 * radius)
      radius = std::min(2.0 * radius, kLargestRadius);
  }
  if (pose.freedom() > 0) {
    found.unbalanced = here.force.lpNorm<Eigen::Infinity>();
    // Where a rope has no length its force has no direction: steps end there, with forces left.
    if (!(scales.meet(pose, here, units_at(pose)) <= kLeft)) {
      throw SimulationError(pose.t(), "no equilibrium of " + pose.model().name() +
                                          " was found: forces of " + to_short(found.unbalanced) +
                                          " are left where steps end");
    }
  }
  found.linear = linearize(pose, VectorXd::Zero(pose.freedom()));
  judge(found);
  return found;
}

}  // namespace hamiltree::analysis
