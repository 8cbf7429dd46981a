// Elements of joints beside their frames: dampers, friction and stops, for joints of
// every type as far as the engine has them. All throw ModelError for what must not be negative.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hamiltree/io/import/import_log.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree {

// The speed over which Coulomb friction turns round, for formats that give none. rad/s or m/s.
inline constexpr double kFrictionVelocity = 1e-2;

// Puts the joint's own axis, z, along `axis` of its two frames as the file has them, by the same
// turn for both.
void align(JointDescription& joint, const Eigen::Vector3d& unit_axis);

// Viscous damping: N m s/rad and N s/m, the same about and along every axis in which it moves.
// Along one degree of freedom it is a damper, along more a bushing between the joint's frames.
void add_damping(Mechanism& mechanism, const JointDescription& joint, double damping);
void add_damping(Mechanism& mechanism, const JointDescription& joint,
                 const Eigen::Vector3d& translational, const Eigen::Vector3d& rotational);

// Coulomb friction of a joint with one degree of freedom, N m or N; none where it is 0.
void add_friction(Mechanism& mechanism, const JointDescription& joint, double coulomb);

// A spring along a joint, N m/rad or N/m; none where it is 0. With more than one degree of freedom
// it pulls back to where the file starts, by the angle of the whole turn and by the distance, and
// has no other rest.
void add_spring(Mechanism& mechanism, const JointDescription& joint, double stiffness, double rest);

// Stops whose stiffness is still to be chosen (normalise/stiffen_limits.cpp); none where there is
// no end. A joint that has stops already keeps of each end the one that comes first.
void add_stops(Mechanism& mechanism, const JointDescription& joint, std::optional<double> lower,
               std::optional<double> upper);

// Whether a file says with this word that a joint never stops.
bool is_endless(std::string_view text);

// Whether the joint has one degree of freedom in space.
bool has_one_freedom(const JointDescription& joint);

// Whether a joint can follow another one; a warning at `mimic` says so where it cannot.
bool can_mimic(const JointDescription& joint, const SourceLocation& mimic, ImportLog& log);

}  // namespace hamiltree
