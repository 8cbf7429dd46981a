// Variants of a mechanism: the same machine told in another way. Each says how what is seen of it
// comes back to the first description.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hamiltree/base/error.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "hamiltree/model/model.hpp"
#include "support/random_mechanism.hpp"
#include "support/scaled.hpp"

namespace hamiltree::test {

struct Variant {
  std::string name;
  Mechanism mechanism;
  std::map<std::string, Frame> body_frames;     // the new frame of a body, seen in its old one
  std::set<std::string> swapped;                // joints whose parent has become the child
  double length = 1.0, mass = 1.0, time = 1.0;  // new units: numbers are so many times as large

  double force() const { return mass * length / (time * time); }
};

inline Frame operator*(const Frame& a, const Frame& b) {
  return {a.position + a.rotation * b.position, a.rotation * b.rotation};
}
inline Frame inverse(const Frame& a) {
  return {-(a.rotation.transpose() * a.position), a.rotation.transpose()};
}

// Whether joint j of the mechanism may be cut: it is in a loop, and nothing keeps it in the tree.
inline bool may_be_cut(Mechanism m, std::size_t j) {
  m.joints[j].cut = true;
  try {
    return Model(m).loop_count() > 0;
  } catch (const ModelError&) {
    return false;
  }
}

// Joints in another order, and one of the joints that may be cut: what closed a loop may now carry
// a body, and the other way round.
inline Variant another_tree(const Mechanism& said, RandomMechanism& random) {
  Variant variant{"another tree", said, {}, {}};
  auto& joints = variant.mechanism.joints;
  for (std::size_t i = joints.size(); i > 1; --i) {
    std::swap(joints[i - 1], joints[at(random.integer(0, static_cast<int>(i) - 1))]);
  }
  const auto j = at(random.integer(0, static_cast<int>(joints.size()) - 1));
  if (may_be_cut(variant.mechanism, j)) joints[j].cut = true;
  return variant;
}

inline Variant another_order(const Mechanism& said, RandomMechanism& random) {
  Variant variant{"another order", said, {}, {}};
  auto& bodies = variant.mechanism.bodies;
  for (std::size_t i = bodies.size(); i > 1; --i) {
    std::swap(bodies[i - 1], bodies[at(random.integer(0, static_cast<int>(i) - 1))]);
  }
  return variant;
}

inline Variant other_body_frames(const Mechanism& said, RandomMechanism& random) {
  Variant variant{"other body frames", said, {}, {}};
  for (auto& body : variant.mechanism.bodies) {
    Frame T;
    T.position = random.vector(3);
    if (said.space == SpaceKind::kPlanar) T.position(2) = 0.0;
    T.rotation =
        said.space == SpaceKind::kPlanar
            ? Eigen::AngleAxisd(random.uniform(-3.0, 3.0), Eigen::Vector3d::UnitZ())
                  .toRotationMatrix()
            : Eigen::Quaterniond(Eigen::Vector4d(random.vector(4)).normalized()).toRotationMatrix();
    // Wrenches in the body's axes keep these.
    for (const auto& force : said.forces) {
      const auto* wrench = std::get_if<AppliedWrench>(&force);
      if (wrench == nullptr || wrench->body != body.name) continue;
      if (wrench->axes == AppliedWrench::Axes::kBody) T.rotation.setIdentity();
    }
    variant.body_frames[body.name] = T;
    body.com = (inverse(T) * Frame{body.com}).position;
    const Eigen::Matrix3d J = T.rotation.transpose() * body.inertia * T.rotation;
    body.inertia = 0.5 * (J + J.transpose());
  }
  const auto redescribe = [&](const std::string& body, Frame& frame) {
    if (body != kGround) frame = inverse(variant.body_frames[body]) * frame;
  };
  for (auto& joint : variant.mechanism.joints) {
    redescribe(joint.parent, joint.at_parent);
    redescribe(joint.child, joint.at_child);
  }
  for (auto& force : variant.mechanism.forces) {
    const auto redescribe_point = [&](const std::string& body, Eigen::Vector3d& x) {
      Frame frame{x, Eigen::Matrix3d::Identity()};
      redescribe(body, frame);
      x = frame.position;
    };
    if (auto* spring = std::get_if<PointSpringDamper>(&force)) {
      for (auto& point : spring->points) redescribe_point(point.body, point.position);
    } else if (auto* servo = std::get_if<Servo>(&force)) {
      for (auto& point : servo->points) redescribe_point(point.body, point.position);
    } else if (auto* bushing = std::get_if<Bushing>(&force)) {
      redescribe(bushing->body_a, bushing->at_a);
      redescribe(bushing->body_b, bushing->at_b);
    } else if (auto* wrench = std::get_if<AppliedWrench>(&force)) {
      redescribe_point(wrench->body, wrench->position);
    }
  }
  return variant;
}

// Written from the other body: the coordinates of a joint with one degree of freedom change their
// sign. Not a pin in a slot, whose two sides differ, nor a frame that moves on the parent, nor a
// ball with friction, which is about the axes of the child.
inline Variant swapped_joints(const Mechanism& said, RandomMechanism& random) {
  Variant variant{"swapped joints", said, {}, {}};
  Frame exchange_xy;  // x to y, y to x, z to -z
  exchange_xy.rotation << 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0;
  const auto has_friction_about_axes = [&](const JointDescription& joint) {
    return joint.type == JointType::kSpherical &&
           std::ranges::any_of(said.forces, [&](const ForceDescription& force) {
             const auto* friction = std::get_if<JointFriction>(&force);
             return friction != nullptr && friction->joint == joint.name;
           });
  };
  std::set<std::string> balls;
  for (auto& joint : variant.mechanism.joints) {
    if (joint.type == JointType::kSpherical) balls.insert(joint.name);
    if (joint.type == JointType::kFree || joint.type == JointType::kPinInSlot) continue;
    if (joint.parent_motion || !random.chance(0.7) || has_friction_about_axes(joint)) continue;
    variant.swapped.insert(joint.name);
    std::swap(joint.parent, joint.child);
    std::swap(joint.at_parent, joint.at_child);
    // The first axis of a universal joint is x of the parent, the second y of the child.
    if (joint.type == JointType::kUniversal) {
      joint.at_parent = joint.at_parent * exchange_xy;
      joint.at_child = joint.at_child * exchange_xy;
    }
    if (joint.drive) joint.drive = scaled(*joint.drive, -1.0, 1.0);
  }
  const auto sign = [&](const std::string& joint) {
    return variant.swapped.contains(joint) ? -1.0 : 1.0;
  };
  for (auto& force : variant.mechanism.forces) {
    if (auto* spring = std::get_if<JointSpringDamper>(&force)) {
      spring->rest *= sign(spring->joint);
    } else if (auto* motor = std::get_if<Actuator>(&force)) {
      motor->effort = scaled(motor->effort, sign(motor->joint), 1.0);
    } else if (auto* limits = std::get_if<JointLimits>(&force)) {
      if (sign(limits->joint) > 0.0 || balls.contains(limits->joint)) continue;
      std::swap(limits->lower, limits->upper);
      if (limits->lower) *limits->lower *= -1.0;
      if (limits->upper) *limits->upper *= -1.0;
    } else if (auto* curve = std::get_if<CurveSpring>(&force)) {
      if (sign(curve->joint) > 0.0) continue;
      curve->rest *= -1.0;
      for (auto* list : {&curve->deflections, &curve->efforts}) {
        std::reverse(list->begin(), list->end());
        for (double& x : *list) x *= -1.0;
      }
    }
  }
  for (auto& coupling : variant.mechanism.couplings) {
    coupling.ratio *= sign(coupling.joint) * sign(coupling.to);
    coupling.offset *= sign(coupling.joint);
  }
  return variant;
}

inline Variant other_units(const Mechanism& said, double length, double mass, double time) {
  Variant variant{"other units", said, {}, {}, length, mass, time};
  auto& m = variant.mechanism;
  const auto scale_of = [&](const std::string& joint) {  // of the coordinate of a one-dof joint
    const auto found = std::find_if(m.joints.begin(), m.joints.end(),
                                    [&](const auto& j) { return j.name == joint; });
    return found->type == JointType::kPrismatic ? length : 1.0;
  };
  m.gravity *= length / (time * time);
  for (auto& body : m.bodies) {
    body.mass *= mass;
    body.com *= length;
    body.inertia *= mass * length * length;
  }
  for (auto& joint : m.joints) {
    joint.at_parent.position *= length;
    joint.at_child.position *= length;
    joint.pitch *= length;
    joint.armature *= mass * length * length / (scale_of(joint.name) * scale_of(joint.name));
    if (joint.drive) joint.drive = scaled(*joint.drive, scale_of(joint.name), time);
    if (!joint.parent_motion) continue;
    for (const auto& part : kFrameMotionParts) {
      auto& f = (*joint.parent_motion).*part.function;
      if (f) f = scaled(*f, part.name[0] == 'r' ? 1.0 : length, time);
    }
  }
  for (auto& coupling : m.couplings) {
    coupling.ratio *= scale_of(coupling.joint) / scale_of(coupling.to);
    coupling.offset *= scale_of(coupling.joint);
  }
  const double energy = variant.force() * length;
  for (auto& force : m.forces) {
    if (auto* spring = std::get_if<JointSpringDamper>(&force)) {
      const double s = scale_of(spring->joint);
      spring->stiffness *= energy / (s * s);
      spring->rest *= s;
      spring->damping *= energy * time / (s * s);
    } else if (auto* point = std::get_if<PointSpringDamper>(&force)) {
      for (auto& end : point->points) end.position *= length;
      point->stiffness *= mass / (time * time);
      point->rest_length *= length;
      point->damping *= mass / time;
      if (point->slack) *point->slack *= length;
    } else if (auto* servo = std::get_if<Servo>(&force)) {  // of ropes only
      for (auto& end : servo->points) end.position *= length;
      servo->effort = scaled(servo->effort, variant.force(), time);
      servo->stiffness *= mass / (time * time);
      servo->damping *= mass / time;
      for (auto* bound : {&servo->lower, &servo->upper}) {
        if (*bound) **bound *= variant.force();
      }
    } else if (auto* motor = std::get_if<Actuator>(&force)) {
      motor->effort = scaled(motor->effort, energy / scale_of(motor->joint), time);
    } else if (auto* limits = std::get_if<JointLimits>(&force)) {
      const double s = scale_of(limits->joint);
      for (auto* x : {&limits->lower, &limits->upper, &limits->transition}) {
        if (*x) **x *= s;
      }
      limits->stiffness *= energy / (s * s);
      limits->damping *= energy * time / (s * s);
    } else if (auto* friction = std::get_if<JointFriction>(&force)) {
      const double s = scale_of(friction->joint);
      friction->coulomb *= energy / s;
      friction->viscous *= energy * time / (s * s);
      friction->velocity_scale *= s / time;
    } else if (auto* curve = std::get_if<CurveSpring>(&force)) {
      const double s = scale_of(curve->joint);
      for (double& x : curve->deflections) x *= s;
      for (double& x : curve->efforts) x *= energy / s;
      curve->rest *= s;
      curve->damping *= energy * time / (s * s);
    } else if (auto* bushing = std::get_if<Bushing>(&force)) {
      bushing->at_a.position *= length;
      bushing->at_b.position *= length;
      bushing->translational_stiffness *= mass / (time * time);
      bushing->rotational_stiffness *= energy;
      bushing->angle_stiffness *= energy;
      bushing->turn_stiffness *= energy;
      bushing->translational_damping *= mass / time;
      bushing->rotational_damping *= energy * time;
    } else if (auto* wrench = std::get_if<AppliedWrench>(&force)) {
      wrench->position *= length;
      wrench->force = scaled(wrench->force, variant.force(), time);
      wrench->moment = scaled(wrench->moment, energy, time);
    }
  }
  return variant;
}

}  // namespace hamiltree::test
