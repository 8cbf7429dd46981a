#include "support/sample_mechanisms.hpp"

#include <utility>

namespace hamiltree::test {

std::string SampleMechanism::add(JointType type, const std::string& parent, bool reversed) {
  const double k = 0.1 * bodies_;
  BodyDescription body;
  body.name = "B" + std::to_string(bodies_++);
  body.mass = 0.7 + k;
  body.com = vector(0.3, 0.1 - k, 0.05);
  body.inertia << 0.05 + k, 0.01, 0.005, 0.01, 0.06 + k, -0.01, 0.005, -0.01, 0.07 + k;
  mechanism_.add(body);
  JointDescription joint;
  joint.name = "J" + std::to_string(bodies_ - 1);
  joint.type = type;
  joint.parent = parent;
  joint.child = body.name;
  joint.at_parent = frame(vector(0.6, 0.1, -0.2), 0.4 + k);
  joint.at_child = frame(vector(-0.1, 0.2, 0.1), 0.9 - k);
  if (type == JointType::kHelical) joint.pitch = -0.15;
  if (reversed) {
    std::swap(joint.parent, joint.child);
    std::swap(joint.at_parent, joint.at_child);
  }
  // Preferred for the tree, whatever else has springs.
  if (type == JointType::kRevolute || type == JointType::kPrismatic) {
    joint.initial_q = Eigen::VectorXd::Zero(1);
  }
  mechanism_.add(joint);
  return body.name;
}

void SampleMechanism::close(JointType type, const std::string& parent, const std::string& child) {
  JointDescription joint;
  joint.name = "C" + std::to_string(cuts_++);
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.cut = true;
  joint.at_parent = frame(vector(1.2, 0.3, 0.4), -0.3);
  joint.at_child = frame(vector(0.7, -0.1, 0.2), 0.5);
  if (type == JointType::kHelical) joint.pitch = 0.08;
  mechanism_.add(joint);
}

void SampleMechanism::drive(const TimeFunction& function) {
  joint().initial_q.reset();
  joint().drive = function;
}

void SampleMechanism::move_frame() {
  FrameMotion motion;
  motion.x = Table{{-0.7, -0.2, 0.5, 1.1}, {0.1, -0.2, 0.3, 0.2}, 0.4, -0.3};
  motion.y = Sine{0.1, 0.2, 0.7, 0.3};
  motion.rz = SmoothStep{-0.4, 0.5, -0.6, 1.3};
  if (!planar()) {
    motion.z = Polynomial{{0.1, -0.3, 0.2}};
    motion.rx = Sine{0.0, 0.4, 0.5, -0.2};
    motion.ry = Polynomial{{-0.2, 0.5}};
  }
  joint().parent_motion = motion;
}

void SampleMechanism::couple(const std::string& joint, const std::string& to, double ratio) {
  mechanism_.add(Coupling{joint + " to " + to, joint, to, ratio, 0.1, {}});
}

void SampleMechanism::add_spring(const std::string& joint) {
  mechanism_.add(JointSpringDamper{joint, 3.0, 0.2, 0.4, {}});
}

void SampleMechanism::add_actuator(const std::string& joint) {
  mechanism_.add(Actuator{"motor " + joint, joint, Sine{0.3, 1.1, 0.8, 0.2}, {}});
}

void SampleMechanism::add_point_spring(const std::string& a, const std::string& b) {
  mechanism_.add(PointSpringDamper{"spring " + a + b,
                                   {{a, vector(0.2, 0.5, 0.1)}, {b, vector(-0.4, 0.1, 0.3)}},
                                   5.0,
                                   0.3,
                                   0.6,
                                   {},
                                   {}});
}

Mechanism sample_chain(SpaceKind space, int bodies) {
  SampleMechanism sample(space);
  std::string parent = kGround;
  for (int b = 0; b < bodies; ++b) {
    parent = sample.add(b % 3 == 2 ? JointType::kPrismatic : JointType::kRevolute, parent);
  }
  sample.add_spring("J0");
  sample.add_actuator("J1");
  return sample.get();
}

Mechanism sample_tree(SpaceKind space) {
  SampleMechanism sample(space);
  const auto trunk = sample.add(JointType::kRevolute, kGround);
  const auto slider = sample.add(JointType::kPrismatic, trunk);
  const auto welded = sample.add(JointType::kFixed, slider, true);
  sample.add(JointType::kRevolute, welded, true);
  const auto loose = sample.add(JointType::kFree, trunk);
  sample.add(JointType::kPrismatic, loose, true);
  sample.add(JointType::kFree, kGround);
  sample.add_spring("J0");
  sample.add_spring("J5");
  sample.add_actuator("J3");
  sample.add_point_spring(kGround, "B4");
  sample.add_point_spring("B3", "B6");
  return sample.get();
}

Mechanism sample_loop(SpaceKind space, JointType closing) {
  SampleMechanism sample(space);
  const int bodies = space == SpaceKind::kPlanar ? 4 : 6;
  std::string parent = kGround;
  for (int b = 0; b < bodies; ++b) {
    parent = sample.add(b == 2 ? JointType::kPrismatic : JointType::kRevolute, parent, b == 1);
  }
  sample.add(JointType::kRevolute, "B1");
  if (closing == JointType::kPrismatic) {
    sample.close(closing, parent, kGround);  // against the tree, too
  } else {
    sample.close(closing, kGround, parent);
  }
  sample.add_spring("C0");
  sample.add_actuator("C0");
  sample.add_spring("J1");
  sample.add_point_spring("B0", parent);
  return sample.get();
}

Mechanism sample_coupled_loops(SpaceKind space) {
  SampleMechanism sample(space);
  const int bodies = space == SpaceKind::kPlanar ? 3 : 6;
  std::string parent = kGround;
  for (int b = 0; b < bodies; ++b) parent = sample.add(JointType::kRevolute, parent);
  const std::string first_end = parent;
  parent = "B1";
  for (int b = 0; b < bodies; ++b) parent = sample.add(JointType::kRevolute, parent);
  sample.close(JointType::kRevolute, kGround, first_end);
  sample.close(JointType::kPrismatic, first_end, parent);
  sample.add_actuator("J0");
  return sample.get();
}

Mechanism sample_joints(SpaceKind space, bool first_reversed) {
  SampleMechanism sample(space);
  std::string parent = sample.add(JointType::kRevolute, kGround, first_reversed);
  bool reversed = !first_reversed;
  for (const auto& name : joint_type_names(space)) {
    const auto type = *joint_type_from_name(name);
    parent = sample.add(type, parent, reversed);
    const std::string joint = sample.joint().name;
    if (type == JointType::kPrismatic || type == JointType::kHelical) sample.add_spring(joint);
    reversed = !reversed;
  }
  sample.add_actuator("J0");
  sample.add_point_spring(kGround, parent);
  return sample.get();
}

Mechanism sample_driven(SpaceKind space) {
  const bool planar = space == SpaceKind::kPlanar;
  SampleMechanism sample(space);
  const auto base = sample.add(JointType::kPrismatic, kGround);
  sample.move_frame();
  const auto crank = sample.add(JointType::kRevolute, base);
  sample.drive(Table{{-0.8, -0.3, 0.2, 0.6, 1.0}, {0.3, -0.1, 0.5, 0.2, -0.4}, 0.5, 0.2});
  const auto link = sample.add(JointType::kRevolute, crank, true);
  const auto screw = sample.add(planar ? JointType::kPrismatic : JointType::kHelical, link, true);
  sample.drive(Sine{0.2, 0.6, 0.8, 0.1});
  sample.move_frame();
  const auto tip = sample.add(planar ? JointType::kRevolute : JointType::kSpherical, screw);
  sample.close(planar ? JointType::kRevolute : JointType::kSpherical, kGround, tip);
  sample.move_frame();
  const auto flyer = sample.add(JointType::kFree, kGround);
  sample.close(JointType::kRevolute, crank, flyer);
  sample.drive(SmoothStep{0.1, 0.9, -0.5, 1.2});
  sample.add_spring("J0");
  sample.add_actuator("J1");
  sample.add_spring("J3");
  sample.add_actuator("C1");
  return sample.get();
}

Mechanism sample_couplings(SpaceKind space) {
  const bool planar = space == SpaceKind::kPlanar;
  SampleMechanism sample(space);
  std::string arm = sample.add(JointType::kRevolute, kGround);
  arm = sample.add(JointType::kRevolute, arm, true);
  arm = sample.add(planar ? JointType::kPrismatic : JointType::kHelical, arm);
  arm = sample.add(planar ? JointType::kRevolute : JointType::kSpherical, arm);
  if (!planar) arm = sample.add(JointType::kTranslational, arm, true);
  const auto wheel = sample.add(JointType::kRevolute, kGround);
  const std::string wheel_joint = sample.joint().name;
  sample.add(JointType::kPrismatic, wheel);
  const std::string rack = sample.joint().name;
  sample.close(JointType::kPrismatic, kGround, arm);
  sample.couple("J0", wheel_joint, -0.7);
  sample.couple("J2", "J1", 0.3);
  sample.couple("C0", rack, 0.5);
  sample.add_spring("J2");
  sample.add_actuator("C0");
  return sample.get();
}

}  // namespace hamiltree::test
