#include "hamiltree/analysis/kinematics.hpp"

#include "hamiltree/base/error.hpp"
#include "hamiltree/base/index.hpp"
#include "hamiltree/base/text.hpp"
#include "hamiltree/formulations/sensor_values.hpp"
#include "hamiltree/model/kinematics.hpp"

namespace hamiltree::analysis {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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

}  // namespace

void check_place(const Model& model, const std::string& what, const Eigen::Vector3d& x) {
  if (!x.allFinite()) throw UsageError(what + " must be finite");
  if (model.space() == SpaceKind::kPlanar && x.z() != 0.0)
    throw UsageError(what + " leaves the plane: z is " + to_text(x.z()));
}

PointJacobian point_jacobian(const ModelAtPose& pose, const BodyPoint& point) {
  const int b = body_of(pose, point.body);
  check_place(pose.model(), "the point of body \"" + point.body + "\"", point.position);
  return pose.model().visit(
      [&](const auto& system) { return jacobian_of(pose, system, b, point.position); });
}

MatrixXd mass_matrix(const ModelAtPose& pose) {
  return pose.motions().transpose() * pose.mass() * pose.motions();
}

}  // namespace hamiltree::analysis
