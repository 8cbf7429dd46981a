// Random mechanisms with a seed: every topology class, both spaces, all joint types.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/system.hpp"

namespace hamiltree::test {

enum class Topology { kChain, kTree, kSingleLoop, kCoupledLoops };

inline const char* to_name(Topology topology) {
  constexpr const char* kNames[] = {"chain", "tree", "single loop", "coupled loops"};
  return kNames[static_cast<int>(topology)];
}

class RandomMechanism {
 public:
  explicit RandomMechanism(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  Eigen::VectorXd vector(int n, double size = 1.0) {
    Eigen::VectorXd x(n);
    for (int i = 0; i < n; ++i) x(i) = uniform(-size, size);
    return x;
  }

  Mechanism make(SpaceKind space, Topology topology) {
    mechanism_ = {};
    mechanism_.space = space;
    mechanism_.name = std::string("random ") + to_name(topology);
    mechanism_.gravity = planar() ? flat(vector(3, 9.81)) : Eigen::Vector3d(vector(3, 9.81));
    if (topology == Topology::kChain || topology == Topology::kTree) {
      const int bodies = integer(1, 10);
      for (int b = 0; b < bodies; ++b) {
        add_body();
        const int nearest = topology == Topology::kChain ? b - 1 : std::max(-1, b - 3);
        add_joint("J" + std::to_string(b), tree_joint_type(b, false), integer(nearest, b - 1), b);
      }
    } else {
      // Each loop brings enough joints of its own to stay mobile; further loops start and end on
      // bodies that are already there, so they share links.
      const int loops = topology == Topology::kSingleLoop ? 1 : integer(2, 3);
      for (int loop = 0; loop < loops; ++loop) add_loop(loop);
    }
    add_forces();
    return mechanism_;
  }

 private:
  bool planar() const { return mechanism_.space == SpaceKind::kPlanar; }
  static Eigen::Vector3d flat(Eigen::Vector3d x) {
    x(2) = 0.0;
    return x;
  }
  static std::string body_name(int b) { return b < 0 ? kGround : "B" + std::to_string(b); }

  Frame frame() {
    Frame f;
    f.position = planar() ? flat(vector(3)) : Eigen::Vector3d(vector(3));
    f.rotation =
        planar()
            ? Eigen::AngleAxisd(uniform(-3.0, 3.0), Eigen::Vector3d::UnitZ()).toRotationMatrix()
            : Eigen::Quaterniond(Eigen::Vector4d(vector(4)).normalized()).toRotationMatrix();
    return f;
  }

  void add_loop(int loop) {
    const int first = static_cast<int>(mechanism_.bodies.size());
    const int bodies = integer(planar() ? 3 : 6, planar() ? 6 : 8);
    int parent = loop == 0 ? kNone : integer(-1, first - 1);
    const int other_end = loop == 0 ? kNone : integer(-1, first - 1);
    int freedom = 0;
    for (int b = first; b < first + bodies; ++b) {
      add_body();
      const auto type = tree_joint_type(b, true);
      freedom += joint_size(type, mechanism_.space).velocities;
      add_joint("J" + std::to_string(b), type, parent, b);
      parent = b;
    }
    add_cut(loop, other_end, parent, freedom);
  }

  void add_body() {
    BodyDescription body;
    body.name = body_name(static_cast<int>(mechanism_.bodies.size()));
    body.mass = uniform(0.2, 3.0);
    body.com = planar() ? flat(vector(3, 0.5)) : Eigen::Vector3d(vector(3, 0.5));
    // Two thirds of the way to the triangle inequality at most, any axes.
    const Eigen::Vector3d moments(uniform(0.1, 0.2), uniform(0.1, 0.2), uniform(0.1, 0.2));
    const Eigen::Matrix3d R = frame().rotation;
    const Eigen::Matrix3d J = R * moments.asDiagonal() * R.transpose();
    body.inertia = body.mass * 0.5 * (J + J.transpose());
    mechanism_.add(body);
  }

  JointType tree_joint_type(int b, bool loops) {
    if (b == 0 && integer(0, 3) == 0) return JointType::kFree;
    if (!loops && integer(0, 9) == 0) return JointType::kFree;
    // Joints with several degrees of freedom exist in space only.
    constexpr JointType kSpatialOnly[] = {JointType::kCylindrical, JointType::kSpherical,
                                          JointType::kPlanar, JointType::kTranslational};
    if (!planar() && integer(0, 3) == 0) return kSpatialOnly[integer(0, 3)];
    const int draw = integer(0, 9);
    if (draw == 0 && !loops) return JointType::kFixed;
    // Few sliders in a loop: three of them in the plane cannot turn it.
    return draw < (loops ? 2 : 3) ? JointType::kPrismatic : JointType::kRevolute;
  }

  void add_joint(const std::string& name, JointType type, int parent, int child) {
    JointDescription joint;
    joint.name = name;
    joint.type = type;
    joint.parent = body_name(parent);
    joint.child = body_name(child);
    joint.at_parent = frame();
    joint.at_child = frame();
    // Some joints are written against the direction of the tree.
    const bool one_dof = type == JointType::kRevolute || type == JointType::kPrismatic;
    if ((one_dof || type == JointType::kFixed) && parent >= 0 && integer(0, 3) == 0) {
      std::swap(joint.parent, joint.child);
      std::swap(joint.at_parent, joint.at_child);
    }
    mechanism_.add(joint);
  }

  // A cut that leaves the loop some of the freedom that its own joints bring.
  void add_cut(int index, int parent, int child, int freedom) {
    constexpr JointType kTypes[] = {JointType::kRevolute,    JointType::kRevolute,
                                    JointType::kPrismatic,   JointType::kFixed,
                                    JointType::kCylindrical, JointType::kSpherical,
                                    JointType::kPlanar,      JointType::kTranslational};
    JointType type = kTypes[integer(0, planar() ? 2 : 7)];
    if (joint_size(type, mechanism_.space).constraints >= freedom) type = JointType::kRevolute;
    add_joint("C" + std::to_string(index), type, parent, child);
  }

  void add_forces() {
    for (const auto& joint : mechanism_.joints) {
      const bool one_dof =
          joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
      if (!one_dof || joint.name.front() != 'J') continue;
      if (integer(0, 3) == 0) {
        mechanism_.add(JointSpringDamper{
            joint.name, uniform(0.0, 5.0), uniform(-1.0, 1.0), uniform(0.0, 1.0), {}});
      }
      if (integer(0, 3) == 0) {
        mechanism_.add(Actuator{"motor " + joint.name,
                                joint.name,
                                uniform(-2.0, 2.0),
                                uniform(-2.0, 2.0),
                                1.0,
                                0.3,
                                {}});
      }
    }
    if (mechanism_.bodies.size() < 2 || integer(0, 1) == 0) return;
    const Eigen::Vector3d a = planar() ? flat(vector(3)) : Eigen::Vector3d(vector(3));
    const Eigen::Vector3d b = planar() ? flat(vector(3)) : Eigen::Vector3d(vector(3));
    mechanism_.add(PointSpringDamper{"spring",
                                     kGround,
                                     mechanism_.bodies.back().name,
                                     a,
                                     b,
                                     uniform(0.0, 10.0),
                                     uniform(0.0, 1.0),
                                     uniform(0.0, 1.0),
                                     {}});
  }

  std::mt19937_64 random_;
  Mechanism mechanism_;
};

}  // namespace hamiltree::test
