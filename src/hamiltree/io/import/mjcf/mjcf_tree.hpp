// The bodies of MJCF: a tree of <body> elements under <worldbody>, with their joints and geoms.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "hamiltree/io/import/mjcf/geom_looks.hpp"
#include "hamiltree/io/import/mjcf/meshes.hpp"
#include "hamiltree/io/import/mjcf/settings.hpp"

namespace hamiltree::mjcf {

// A point or frame on a body, such as a site.
struct Place {
  std::string body;
  Frame X;
};

// `springdamper` of a joint, which needs the inertia of all bodies.
struct SpringDamper {
  std::string joint;
  double time_constant, damping_ratio;  // s, 1
  double rest;                          // the coordinate without force
};

// What a body weighs, before armature against the world. Where its principal axes are open, they
// are those that the file gives to its <inertial> or its only geom.
struct Solid {
  BodyDescription body;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  bool has_fluid_shape = false;  // of a geom
};

// A free joint that MuJoCo puts into the inertial frame of its body.
struct AlignedJoint {
  XmlElement element;
  std::string name, body;
};

// Results of the tree for equalities, tendons and keyframes.
struct Tree {
  std::map<std::string, Frame> at_start;  // of each body in the world, all joints at `ref`;
                                          // bodies between joints of one body are where it is
  std::map<std::string, Place> sites;     // by name
  // By name of joints with one degree of freedom: `ref`, and `springref`, where springs of joints
  // and of tendons have no force.
  std::map<std::string, double> reference, spring_reference;
  std::vector<std::string> joints;  // in the order of qpos
  // Ranges of joints with one degree of freedom, by name: where it may stand, whether or not that
  // is enforced, and what effort its actuators may have.
  std::map<std::string, Eigen::Vector2d> ranges, effort_ranges;
  std::vector<SpringDamper> spring_dampers;
  std::vector<Solid> solids;  // of all bodies but the world
  std::vector<AlignedJoint> aligned;
};

// Adds all of <worldbody> to the mechanism.
Tree read_tree(const XmlElement& root, const Settings& settings, Meshes& meshes, GeomLooks& looks,
               Mechanism& mechanism, ImportLog& log);

// The engine's name of a body: the world is the ground.
std::string body_name(const std::string& name);

}  // namespace hamiltree::mjcf
