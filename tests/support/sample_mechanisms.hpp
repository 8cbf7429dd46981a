// Mechanisms for tests, in either space: skew frames, springs and actuators everywhere, so that no
// term of an equation vanishes by luck.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <utility>

#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

class SampleMechanism {
 public:
  explicit SampleMechanism(SpaceKind space) {
    mechanism_.space = space;
    mechanism_.gravity = vector(1.0, -9.81, 2.0);
  }

  Mechanism get() const { return mechanism_; }

  // A new body on a joint; each is a little different from the one before. Returns its name.
  std::string add(JointType type, const std::string& parent, bool reversed = false);

  // A joint that closes a loop.
  void close(JointType type, const std::string& parent, const std::string& child);

  // The joint added last, to change it.
  JointDescription& joint() { return mechanism_.joints.back(); }

  // Driven joints take no initial values.
  void drive(const TimeFunction& function);
  // Moves the last joint's frame on its parent, with every kind of function.
  void move_frame();
  void couple(const std::string& joint, const std::string& to, double ratio);

  void add_spring(const std::string& joint);
  void add_actuator(const std::string& joint);
  void add_point_spring(const std::string& a, const std::string& b);

 private:
  bool planar() const { return mechanism_.space == SpaceKind::kPlanar; }
  Eigen::Vector3d vector(double x, double y, double z) const { return {x, y, planar() ? 0.0 : z}; }
  Frame frame(const Eigen::Vector3d& position, double angle) const {
    const Eigen::Vector3d axis =
        planar() ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d(1.0, -2.0, 3.0).normalized();
    return {position, Eigen::AngleAxisd(angle, axis).toRotationMatrix()};
  }

  Mechanism mechanism_;
  int bodies_ = 0;
  int cuts_ = 0;
};

// Revolutes, every third joint a slider, one spring and one actuator.
Mechanism sample_chain(SpaceKind space, int bodies);

// Every joint type, some of them reversed, with every kind of force.
Mechanism sample_tree(SpaceKind space);

// One loop with one degree of freedom through the ground, two in the plane with a branch; a spring
// and an actuator on the joint that closes it.
Mechanism sample_loop(SpaceKind space, JointType closing);

// Two loops that share links.
Mechanism sample_coupled_loops(SpaceKind space);

// A chain of every joint type of the space; every other one runs against it, the odd or the even
// ones.
Mechanism sample_joints(SpaceKind space, bool first_reversed);

// Moving frames, driven joints along and against the tree, one loop whose far end moves, and one
// that a driven joint closes.
Mechanism sample_driven(SpaceKind space);

// Couplings of neighbours, of two trees, and of a joint that closes a loop.
Mechanism sample_couplings(SpaceKind space);

}  // namespace hamiltree::test
