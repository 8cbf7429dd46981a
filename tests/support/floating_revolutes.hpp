// Random chains of revolute joints in the plane whose segments float: at some bodies the pin is a
// cut, and the body hangs on a free joint on the ground.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "hamiltree/model/joints/joints.hpp"
#include "hamiltree/model/kinematics.hpp"
#include "hamiltree/model/model.hpp"
#include "support/pins.hpp"

namespace hamiltree::test {

struct FloatingOptions {
  int bodies = 0;
  int segment = 8;         // bodies in one
  bool irregular = false;  // from one to so many
  bool on_ground = true;   // or the first body floats, too
};

class FloatingRevolutes : public Pins {
 public:
  explicit FloatingRevolutes(unsigned seed) : Pins(seed) {}

  Mechanism chain(const FloatingOptions& options) {
    const auto plain = tree(options.bodies, Axes::kInPlane, 1);
    Mechanism mechanism = plain;
    mechanism.joints.clear();
    int left = options.segment;  // of this segment
    for (std::size_t i = 0; i < plain.joints.size(); ++i) {
      auto pin = plain.joints[i];
      pin.at_child = any_frame();
      if (left == 0 || (i == 0 && !options.on_ground)) mechanism.add(base(pin.child));
      if (left == 0) pin.cut = true;
      if (i > 0 || options.on_ground) mechanism.add(pin);
      if (left == 0) left = options.segment;
      if (options.irregular && vector(1)(0) > 0.5) left = 1;
      --left;
    }
    return mechanism;
  }

  // The state of a closed chain; the bases are then moved by up to `gap`, in m and rad.
  Eigen::VectorXd pose(const Model& model, double gap = 0.0) {
    using Plane = Planar<double>;
    return model.visit([&]<class Space>(const System<Space>& system) {
      Eigen::VectorXd q = 3.0 * vector(system.coordinates);
      if constexpr (Space::kIsPlanar) {
        Kinematics<Plane> kin(system);
        for (int b = 0; b < system.body_count(); ++b) {
          const int cut = cut_at(system, b);
          if (cut == kNone) continue;
          place(system, 0.0, q.data(), kin);
          const auto& joint = system.joint(cut);
          Pose<Plane> turn;
          turn.R = Eigen::Rotation2Dd(3.0 * vector(1)(0)).toRotationMatrix();
          const auto X_WB = kin.X_WB[at(joint.parent)] * joint.X_PF * turn * inverse(joint.X_CM);
          const auto& base = system.joint(b);
          Free<Plane>::coordinates(inverse(base.X_PF) * X_WB, q.data() + base.q);
        }
        for (int b = 0; b < system.body_count(); ++b) {
          if (cut_at(system, b) != kNone) q.segment(system.joint(b).q, 3) += gap * vector(3);
        }
      }
      return q;
    });
  }

 private:
  template <class Space>
  static int cut_at(const System<Space>& system, int body) {
    for (int j = system.body_count(); j < system.joint_count(); ++j) {
      if (system.joint(j).child == body) return j;
    }
    return kNone;
  }

  Frame any_frame() {
    Frame frame;
    frame.position = vector(3);
    frame.position.z() = 0.0;
    frame.rotation =
        Eigen::AngleAxisd(3.0 * vector(1)(0), Eigen::Vector3d::UnitZ()).toRotationMatrix();
    return frame;
  }

  JointDescription base(const std::string& body) {
    JointDescription joint;
    joint.name = "base of " + body;
    joint.type = JointType::kFree;
    joint.child = body;
    joint.parent = kGround;
    joint.at_parent = any_frame();
    joint.at_child = any_frame();
    return joint;
  }
};

}  // namespace hamiltree::test
