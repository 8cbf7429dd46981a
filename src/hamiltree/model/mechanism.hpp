// Mechanism: what a user says. Bodies, joints, forces and sensors by name, in any order, checked
// and turned into an immutable Model by compile() (model/compile.hpp). Planar mechanisms use the
// same descriptions: positions (x, y, 0), rotations about z, inertia(2, 2).
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/force_elements.hpp"
#include "hamiltree/model/frame.hpp"
#include "hamiltree/model/joint_type.hpp"
#include "hamiltree/model/time_description.hpp"

namespace hamiltree {

struct BodyDescription {
  std::string name;
  double mass = 0.0;                                  // kg, >= 0
  Eigen::Vector3d com = Eigen::Vector3d::Zero();      // m, in the body frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  // kg m^2, about the com, body axes
  // Whether two principal moments may together be less than the third, which no body has.
  bool accept_inertia = false;
  SourceLocation where;
};

// Whether there is neither mass nor inertia.
bool is_massless(const BodyDescription& body);

// A prescribed motion of a frame from where it was said to be: shifts along its axes in m, then
// turns in rad about its z, y and x axis in this order, R = Rz Ry Rx. In the plane only x, y and rz
// move.
struct FrameMotion {
  std::optional<TimeFunction> x, y, z, rx, ry, rz;
};

// The parts of a FrameMotion by the words for them in files and messages.
struct FrameMotionPart {
  const char* name;
  std::optional<TimeFunction> FrameMotion::*function;
  bool in_the_plane;
};
inline constexpr std::array<FrameMotionPart, 6> kFrameMotionParts{{{"x", &FrameMotion::x, true},
                                                                   {"y", &FrameMotion::y, true},
                                                                   {"z", &FrameMotion::z, false},
                                                                   {"rx", &FrameMotion::rx, false},
                                                                   {"ry", &FrameMotion::ry, false},
                                                                   {"rz", &FrameMotion::rz, true}}};

struct JointDescription {
  std::string name;
  JointType type = JointType::kRevolute;
  std::string parent;  // a body or "ground"
  std::string child;   // a body
  // The joint frame as seen from each side. Revolute turns about z of the joint frame; prismatic
  // slides along z in space and along x in the plane; readers turn the frames for other axes.
  Frame at_parent;
  Frame at_child;
  double pitch = 0.0;  // m/rad, of a helical joint: advance along z per turn of one radian; not 0
  // The coordinate of a joint with one degree of freedom as a given function of time: the joint is
  // driven, and its coordinate is not part of the state.
  std::optional<TimeFunction> drive;
  // Inertia of a rotor that turns with a joint with one degree of freedom, or about every axis of
  // a spherical one: it has the kinetic energy armature v^2 / 2. kg m^2 or kg, >= 0.
  double armature = 0.0;
  // Moves the joint's frame on the parent: a moving pivot, a moving base.
  std::optional<FrameMotion> parent_motion;
  // Coordinates of this joint that the initial pose must have and its velocities, in rad, m, rad/s
  // and m/s; what they are is said at the head of each joint's file in model/joints/.
  std::optional<Eigen::VectorXd> initial_q;
  std::optional<Eigen::VectorXd> initial_v;
  // Where the search for a pose that closes the loops starts, for joints without initial_q.
  std::optional<Eigen::VectorXd> guess_q;
  // Whether the spanning tree is cut at this joint, so that it closes a loop, or has it; without it
  // model/tree_choice.hpp decides.
  std::optional<bool> cut;
  // The motion to take, from 1, of those that meet where a loop of this joint starts at a singular
  // pose; simulation/branches/branch_names.hpp numbers them.
  std::optional<int> branch;
  SourceLocation where;
};

// Two joints with one degree of freedom that move together, as by a gear, a rack, a belt or a cam:
// q_joint = offset + ratio q_to + higher[0] q_to^2 + higher[1] q_to^3 + ...
struct Coupling {
  std::string name;
  std::string joint;    // the follower
  std::string to;       // the leader
  double ratio = 1.0;   // rad/rad, m/rad, rad/m or m/m; not 0 unless the coupling is curved
  double offset = 0.0;  // rad or m
  SourceLocation where;
  std::vector<double> higher = {};  // per rad^2 or m^2, and so on; the last one is not 0

  // offset, ratio, higher[0], ... Zeros at the end are dropped from what is set.
  std::vector<double> polynomial() const;
  void set_polynomial(std::span<const double> coefficients);
};

// World position of the centre of mass, rotation, linear velocity of the centre of mass and angular
// velocity of a body.
struct BodySensor {
  std::string name;
  std::string body;
  SourceLocation where;
};

// World position and velocity of a point fixed in a body.
struct PointSensor {
  std::string name;
  std::string body;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, in the body frame
  SourceLocation where;
};

// Coordinates and rates of a joint; also of one that closes a loop and so is not in the state.
struct JointSensor {
  std::string name;
  std::string joint;
  SourceLocation where;
};

// The load of a joint on its child: force and moment at the joint's origin on the child, in
// world axes and in the joint's own; of a driven joint also the driving effort.
struct ReactionSensor {
  std::string name;
  std::string joint;
  SourceLocation where;
};

// Kinetic, potential and total energy.
struct EnergySensor {
  std::string name;
  SourceLocation where;
};

using SensorDescription =
    std::variant<BodySensor, PointSensor, JointSensor, ReactionSensor, EnergySensor>;

// Event where a recorded channel crosses a value: the run notes the time and records the
// state there, and may stop.
enum class Crossing { kAny, kRising, kFalling };
struct EventDescription {
  std::string name;
  std::string channel;  // of a sensor, as in the trajectory's header: "tip.position.y"
  double value = 0.0;   // in the channel's unit
  Crossing crossing = Crossing::kAny;
  bool stops = false;
  SourceLocation where;
};

struct Mechanism {
  std::string name;
  SpaceKind space = SpaceKind::kSpatial;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  // m/s^2, always explicit
  std::vector<BodyDescription> bodies;
  std::vector<JointDescription> joints;
  std::vector<Coupling> couplings;
  std::vector<ForceDescription> forces;
  std::vector<SensorDescription> sensors;
  std::vector<EventDescription> events;
  SourceLocation where;

  // Compiled once, in mechanism.cpp: copies of all kinds of descriptions are much code.
  Mechanism();
  Mechanism(const Mechanism&);
  Mechanism(Mechanism&&) noexcept;
  Mechanism& operator=(const Mechanism&);
  Mechanism& operator=(Mechanism&&) noexcept;
  ~Mechanism();

  Mechanism& add(const BodyDescription& body);
  Mechanism& add(const JointDescription& joint);
  Mechanism& add(const Coupling& coupling);
  Mechanism& add(const ForceDescription& force);
  Mechanism& add(const SensorDescription& sensor);
  Mechanism& add(const EventDescription& event);
};

}  // namespace hamiltree
