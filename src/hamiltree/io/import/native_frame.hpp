// Frames, points and directions of the native format: { position, angle | quat_wxyz | axis_angle }.
#pragma once

#include <string_view>

#include "hamiltree/io/import/toml_reader.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// (x, y, 0) from two numbers in the plane, (x, y, z) from three in space.
Eigen::Vector3d read_vector(TomlReader& reader, std::string_view key, SpaceKind space);
Eigen::Vector3d read_vector_or_zero(TomlReader& reader, std::string_view key, SpaceKind space);

// The frame under `key`; each part that is missing is zero or no rotation.
Frame read_frame(TomlReader& reader, std::string_view key, SpaceKind space);

// Turns both frames so that the joint's own axis (z in space, x in the plane) becomes `axis`, a
// direction in the joint frame as the file gives it, by the smallest rotation that does so.
void read_axis(TomlReader& reader, SpaceKind space, Frame& at_parent, Frame& at_child);

// w, x, y, z made exactly unit; refused when its length is off by more than 1e-6.
Eigen::Vector4d to_unit_quat_wxyz(const TomlReader& reader, std::string_view key,
                                  const Eigen::Vector4d& quat_wxyz);

// The smallest rotation that takes z to the unit vector `axis`; a half turn about x for -z.
Eigen::Matrix3d turn_z_to(const Eigen::Vector3d& axis);

}  // namespace hamiltree
