#include "hamiltree/io/import/native_frame.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "hamiltree/base/text.hpp"

namespace hamiltree {
namespace {

constexpr double kUnitTolerance = 1e-6;

Eigen::Matrix3d turn_about_z(double cosine, double sine) {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  R(0, 0) = R(1, 1) = cosine;
  R(1, 0) = sine;
  R(0, 1) = -sine;
  return R;
}

Eigen::Vector3d to_direction(const TomlReader& reader, std::string_view key,
                             const Eigen::Vector3d& vector) {
  if (vector.isZero(0.0)) reader.fail(key, reader.full(key) + " has no direction, it is zero");
  return vector.stableNormalized();
}

Eigen::Matrix3d read_rotation(TomlReader& reader) {
  const bool has_quat = reader.has("quat_wxyz");
  const bool has_axis = reader.has("axis_angle");
  if (has_quat && has_axis) {
    reader.fail("axis_angle", "give quat_wxyz or axis_angle, not both");
  }
  if (has_quat) {
    const Eigen::Vector4d x =
        to_unit_quat_wxyz(reader, "quat_wxyz", reader.numbers("quat_wxyz", {4}));
    return Eigen::Quaterniond(x(0), x(1), x(2), x(3)).toRotationMatrix();
  }
  if (has_axis) {
    const Eigen::VectorXd given = reader.numbers("axis_angle", {4});
    const Eigen::Vector3d axis = to_direction(reader, "axis_angle", given.head<3>());
    return Eigen::AngleAxisd(given(3), axis).toRotationMatrix();
  }
  return Eigen::Matrix3d::Identity();
}

}  // namespace

Eigen::Vector3d read_vector(TomlReader& reader, std::string_view key, SpaceKind space) {
  const Eigen::Index length = space == SpaceKind::kPlanar ? 2 : 3;
  Eigen::Vector3d vector = Eigen::Vector3d::Zero();
  vector.head(length) = reader.numbers(key, {length});
  return vector;
}

Eigen::Vector3d read_vector_or_zero(TomlReader& reader, std::string_view key, SpaceKind space) {
  return reader.has(key) ? read_vector(reader, key, space) : Eigen::Vector3d::Zero();
}

Frame read_frame(TomlReader& reader, std::string_view key, SpaceKind space) {
  Frame frame;
  auto inner = reader.table(key);
  if (!inner) return frame;
  frame.position = read_vector_or_zero(*inner, "position", space);
  if (space == SpaceKind::kPlanar) {
    const double angle = inner->number_or("angle", 0.0);
    frame.rotation = turn_about_z(std::cos(angle), std::sin(angle));
  } else {
    frame.rotation = read_rotation(*inner);
  }
  inner->finish();
  return frame;
}

void read_axis(TomlReader& reader, SpaceKind space, Frame& at_parent, Frame& at_child) {
  if (!reader.has("axis")) return;
  const Eigen::Vector3d axis = to_direction(reader, "axis", read_vector(reader, "axis", space));
  const Eigen::Matrix3d R =
      space == SpaceKind::kPlanar ? turn_about_z(axis.x(), axis.y()) : turn_z_to(axis);
  at_parent.rotation = at_parent.rotation * R;
  at_child.rotation = at_child.rotation * R;
}

Eigen::Vector4d to_unit_quat_wxyz(const TomlReader& reader, std::string_view key,
                                  const Eigen::Vector4d& quat_wxyz) {
  const double length = quat_wxyz.stableNorm();
  if (std::abs(length - 1.0) > kUnitTolerance) {
    reader.fail(key, reader.full(key) + " holds a quaternion of length " + to_text(length) +
                         ", it must be 1");
  }
  return quat_wxyz / length;
}

// With n the axis:  R = 1 + [z x n] + [z x n]^2 / (1 + n_z),  where 1 + n_z is formed without
// cancellation as (n_x^2 + n_y^2) / (1 - n_z) when n points backwards.
Eigen::Matrix3d turn_z_to(const Eigen::Vector3d& axis) {
  const double x = axis.x(), y = axis.y(), z = axis.z();
  const double side = x * x + y * y;
  if (z < 0.0 && side == 0.0) return Eigen::Vector3d(1.0, -1.0, -1.0).asDiagonal();
  const double share = z < 0.0 ? (1.0 - z) / side : 1.0 / (1.0 + z);
  Eigen::Matrix3d R;
  R << 1.0 - share * x * x, -share * x * y, x,  //
      -share * x * y, 1.0 - share * y * y, y,   //
      -x, -y, z;
  return R;
}

}  // namespace hamiltree
