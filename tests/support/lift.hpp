// Planar mechanisms lifted into space: the same machine on some plane, with body frames, heights,
// masses and inertias that the plane does not feel, and pins that stand on it or hang from it.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/index.hpp"
#include "hamiltree/model/mechanism.hpp"

namespace hamiltree::test {

// The same coordinates, momenta and forces along joints. Free joints become planar ones; there are
// no pins in slots in space. `poses`: of the bodies' frames in the world.
template <class Random>
Mechanism lift(Mechanism m, Random& random, std::vector<Frame>& poses) {
  const auto compose = [](const Frame& a, const Frame& b) {
    return Frame{a.position + a.rotation * b.position, a.rotation * b.rotation};
  };
  const auto inverse = [](const Frame& a) {
    return Frame{-(a.rotation.transpose() * a.position), a.rotation.transpose()};
  };
  const auto rotation = [&]() -> Eigen::Matrix3d {
    return Eigen::Quaterniond(Eigen::Vector4d(random.vector(4)).normalized()).toRotationMatrix();
  };
  const auto any_frame = [&] { return Frame{random.vector(3), rotation()}; };

  m.space = SpaceKind::kSpatial;
  const Frame world{random.vector(3), rotation()};  // where the plane stands
  m.gravity.z() = random.uniform(-9.0, 9.0);
  m.gravity = world.rotation * m.gravity;

  std::vector<Frame> moved;  // the new frame of each body in its old one
  for (auto& body : m.bodies) {
    const Frame T = any_frame();
    moved.push_back(T);
    const double J = body.inertia(2, 2);
    Eigen::Matrix3d inertia =
        Eigen::Vector3d(random.uniform(0.75, 0.9) * J, random.uniform(0.75, 0.9) * J, J)
            .asDiagonal();
    inertia(0, 2) = inertia(2, 0) = random.uniform(-0.05, 0.05) * J;
    inertia(1, 2) = inertia(2, 1) = random.uniform(-0.05, 0.05) * J;
    body.inertia = T.rotation.transpose() * inertia * T.rotation;
    body.inertia = 0.5 * Eigen::Matrix3d(body.inertia + body.inertia.transpose());
    body.com.z() = random.uniform(-0.5, 0.5);
    body.com = inverse(T).position + inverse(T).rotation * body.com;
  }
  const auto into = [&](const std::string& name, const Frame& frame) {
    if (name == kGround) return compose(world, frame);
    for (std::size_t b = 0; b < m.bodies.size(); ++b) {
      if (m.bodies[b].name == name) return compose(inverse(moved[b]), frame);
    }
    return frame;
  };

  // A joint that closes a loop may leave free what the plane holds anyway.
  const auto loosen = [&](JointDescription& joint) {
    const bool bare = std::ranges::none_of(m.forces, [&](const auto& force) {
      return std::visit(
          [&](const auto& f) {
            if constexpr (requires { f.joint; }) return f.joint == joint.name;
            return false;
          },
          force);
    });
    if (!bare || joint.drive || joint.name.front() != 'C' || random.chance(0.5)) return;
    joint.type = random.chance(0.5) ? JointType::kSpherical : JointType::kCylindrical;
  };

  for (auto& joint : m.joints) {
    Frame S{Eigen::Vector3d(0.0, 0.0, random.uniform(-1.0, 1.0)), Eigen::Matrix3d::Identity()};
    if (joint.type == JointType::kFree) joint.type = JointType::kPlanar;
    if (joint.type == JointType::kPrismatic) {
      S.rotation << 0, 0, 1, 1, 0, 0, 0, 1, 0;  // z along the old x, y along the old z
      if (auto& motion = joint.parent_motion) {
        *motion = FrameMotion{motion->y, {}, motion->x, {}, motion->rz, {}};
      }
    }
    if (joint.type == JointType::kFixed && !joint.parent_motion) S.rotation = rotation();
    const bool moves = joint.drive || joint.parent_motion;
    const bool hangs = joint.type == JointType::kRevolute && !moves && random.chance(0.4);
    if (hangs) {
      S.rotation = Eigen::Vector3d(1.0, -1.0, -1.0).asDiagonal();
      std::swap(joint.parent, joint.child);
      std::swap(joint.at_parent, joint.at_child);
    }
    if (joint.type == JointType::kRevolute && !joint.parent_motion) loosen(joint);
    joint.at_parent = into(joint.parent, compose(joint.at_parent, S));
    if (joint.type == JointType::kSpherical) S.rotation = rotation();
    joint.at_child = into(joint.child, compose(joint.at_child, S));
  }
  const double height = random.uniform(-1.0, 1.0);
  for (auto& force : m.forces) {
    const auto lift = [&](std::vector<RopePoint>& points) {
      for (auto& point : points) {
        const Frame at{Eigen::Vector3d(point.position.x(), point.position.y(), height)};
        point.position = into(point.body, at).position;
      }
    };
    if (auto* spring = std::get_if<PointSpringDamper>(&force)) lift(spring->points);
    if (auto* servo = std::get_if<Servo>(&force)) lift(servo->points);
  }
  for (std::size_t b = 0; b < poses.size(); ++b) {
    poses[b] = compose(world, compose(poses[b], moved[b]));
  }
  return m;
}

}  // namespace hamiltree::test
