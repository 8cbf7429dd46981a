#include "hamiltree/analysis/kinematics.hpp"

#include <algorithm>
#include <cstddef>

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/sensor_values.hpp"
#include "hamiltree/math/dense_solvers.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostReachSteps = 200;
constexpr double kReached = 1e-11;      // of the mechanism's length
constexpr double kLargestReach = 0.5;   // rad, or lengths of the mechanism, of the joint fastest
constexpr double kFirstDamping = 1e-4;  // of the largest stiffness of the targets
constexpr double kLeastDamping = 1e-15, kMostDamping = 1e8;

int body_of(const ModelAtPose& pose, const std::string& name) {
  const auto b = pose.model().find_body(name);
  if (!b) throw UsageError("there is no body \"" + name + "\" in " + pose.model().name());
  return *b;
}

template <class Vector>
Eigen::Vector3d in_space(const Vector& x) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  result.head(x.size()) = x;
  return result;
}

// A plane's only angular velocity is about z.
template <class Vector>
Eigen::Vector3d turn_in_space(const Vector& omega) {
  Eigen::Vector3d result = Eigen::Vector3d::Zero();
  result.tail(omega.size()) = omega;
  return result;
}

void check_place(const Model& model, const std::string& what, const Eigen::Vector3d& x) {
  if (!x.allFinite()) throw UsageError(what + " must be finite");
  if (model.space() == SpaceKind::kPlanar && x.z() != 0.0)
    throw UsageError(what + " leaves the plane: z is " + to_text(x.z()));
}

template <class Space>
PointJacobian jacobian_of(const ModelAtPose& pose, const System<Space>& system, int b,
                          const Eigen::Vector3d& position) {
  Kinematics<Space> kin(system);
  hamiltree::place(system, pose.t(), pose.q().data(), kin);
  kin.frozen = true;
  const bool is_ground = b == kNone;
  const Frame frame = is_ground ? Frame{} : pose.model().user_frame(b);
  const Eigen::Vector3d local = frame.position + frame.rotation * position;
  PointJacobian result;
  const typename Space::Position x =
      kin.pose(b) * typename Space::Position(local.template head<Space::kLinear>());
  result.position = in_space(x);
  result.rotation = rotation_in_space<double>(kin.pose(b).R) * frame.rotation;
  result.of_velocities = MatrixXd::Zero(6, system.velocities);
  VectorXd unit = VectorXd::Zero(system.velocities);
  for (int k = 0; k < system.velocities; ++k) {
    unit(k) = 1.0;
    move(system, unit.data(), kin);
    const auto V = kin.velocity_at(b, x);
    result.of_velocities.col(k) << in_space(linear<Space>(V)), turn_in_space(angular<Space>(V));
    unit(k) = 0.0;
  }
  result.of_independent = result.of_velocities * pose.motions();
  return result;
}

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

// (J^T J + damping) z = J^T gap, in these units, not beyond the largest step.
VectorXd reach_step(const Missing& missing, const VectorXd& units, double damping) {
  const MatrixXd J = missing.slope * units.asDiagonal();
  MatrixXd normal = J.transpose() * J;
  const double scale = std::max(normal.diagonal().maxCoeff(), 1e-300);
  normal.diagonal().array() += damping * scale;
  const VectorXd z = positive_definite_solution(normal, J.transpose() * missing.gap);
  const double largest = z.lpNorm<Eigen::Infinity>();
  return units.asDiagonal() * z * std::min(1.0, kLargestReach / std::max(largest, kLargestReach));
}

}  // namespace

PointJacobian point_jacobian(const ModelAtPose& pose, const BodyPoint& point) {
  const int b = body_of(pose, point.body);
  check_place(pose.model(), "the point of body \"" + point.body + "\"", point.position);
  return pose.model().visit(
      [&](const auto& system) { return jacobian_of(pose, system, b, point.position); });
}

MatrixXd mass_matrix(const ModelAtPose& pose) {
  return pose.motions().transpose() * pose.mass() * pose.motions();
}

InverseKinematics inverse_kinematics(ModelAtPose& pose, const std::vector<PointTarget>& targets) {
  const double length = pose.model().visit([](const auto& system) { return system.length; });
  for (const auto& [point, position] : targets)
    check_place(pose.model(), "the target of body \"" + point.body + "\"", position);
  InverseKinematics found;
  auto here = missing_at(pose, targets);
  double damping = kFirstDamping;
  while (pose.freedom() > 0 && here.miss > kReached * length && found.steps < kMostReachSteps &&
         damping < kMostDamping) {
    ++found.steps;
    const VectorXd q = pose.q();
    if (pose.move(reach_step(here, reach_units(pose), damping))) {
      auto there = missing_at(pose, targets);
      if (there.gap.norm() < here.gap.norm()) {
        here = std::move(there);
        damping = std::max(kLeastDamping, damping / 10.0);
        continue;
      }
    }
    pose.place(q);
    damping *= 10.0;
  }
  found.q = pose.q();
  found.miss = here.miss;
  found.reached = here.miss <= 1e2 * kReached * length;
  return found;
}

}  // namespace hamiltree::analysis
