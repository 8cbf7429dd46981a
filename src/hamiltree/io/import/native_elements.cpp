#include "hamiltree/io/import/native_elements.hpp"

#include <string>
#include <utility>

#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/io/import/suggestion.hpp"
#include "hamiltree/model/joints/joints.hpp"

namespace hamiltree {
namespace {

// The name of an element, by which all later messages call it.
std::string read_name(TomlReader& reader, const std::string& kind) {
  reader.has("repeat");
  std::string name = reader.text("name");
  reader.set_element(kind + " \"" + name + "\"");
  return name;
}

[[noreturn]] void fail_type(const TomlReader& reader, const std::string& type,
                            const std::vector<std::string>& known) {
  reader.fail("type", "unknown type \"" + type + "\"" + suggestion(type, known, "types"));
}

Eigen::Matrix3d read_inertia(TomlReader& reader, SpaceKind space) {
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
  if (space == SpaceKind::kPlanar) {
    J(2, 2) = reader.number("inertia");
    return J;
  }
  const Eigen::VectorXd given = reader.numbers("inertia", {3, 6});
  J.diagonal() = given.head<3>();
  if (given.size() == 6) {
    J(0, 1) = J(1, 0) = given(3);
    J(0, 2) = J(2, 0) = given(4);
    J(1, 2) = J(2, 1) = given(5);
  }
  return J;
}

}  // namespace

BodyDescription read_body(TomlReader& reader, SpaceKind space) {
  BodyDescription body;
  body.where = reader.where();
  body.name = read_name(reader, "body");
  body.mass = reader.number("mass");
  body.com = read_vector_or_zero(reader, "com", space);
  body.inertia = read_inertia(reader, space);
  reader.finish();
  return body;
}

namespace {

JointType read_joint_type(TomlReader& reader, SpaceKind space) {
  const std::string name = reader.text("type");
  const auto type = joint_type_from_name(name);
  if (!type) fail_type(reader, name, joint_type_names(space));
  if (!exists_in(*type, space)) {
    reader.fail("type", "a " + name + " joint needs space = \"spatial\"");
  }
  return *type;
}

Eigen::VectorXd read_coordinates(TomlReader& reader, JointType type, SpaceKind space) {
  const auto size = joint_size(type, space);
  Eigen::VectorXd q = reader.number_or_numbers("q", size.coordinates);
  if (size.coordinates > size.velocities) {  // the last four are a quaternion
    q.tail<4>() = to_unit_quat_wxyz(reader, "q", q.tail<4>());
  }
  return q;
}

// initial = { q, v }, guess = { q }
void read_start(TomlReader& reader, SpaceKind space, JointDescription& joint) {
  for (const char* key : {"initial", "guess"}) {
    if (reader.has(key) && joint.type == JointType::kFixed) {
      reader.fail(key, "a fixed joint has no coordinates, so no " + std::string(key));
    }
  }
  if (auto initial = reader.table("initial")) {
    if (initial->has("q")) joint.initial_q = read_coordinates(*initial, joint.type, space);
    if (initial->has("v")) {
      joint.initial_v = initial->number_or_numbers("v", joint_size(joint.type, space).velocities);
    }
    initial->finish();
  }
  if (auto guess = reader.table("guess")) {
    joint.guess_q = read_coordinates(*guess, joint.type, space);
    guess->finish();
  }
}

// spring = { stiffness, rest } and damper = { damping } make one force.
void read_spring_damper(TomlReader& reader, const JointDescription& joint,
                        std::vector<ForceDescription>& forces) {
  auto spring = reader.table("spring");
  auto damper = reader.table("damper");
  if (!spring && !damper) return;
  JointSpringDamper force;
  force.joint = joint.name;
  force.where = spring ? spring->where() : damper->where();
  if (spring) {
    force.stiffness = spring->number("stiffness");
    force.rest = spring->number_or("rest", 0.0);
    spring->finish();
  }
  if (damper) {
    force.damping = damper->number("damping");
    damper->finish();
  }
  forces.emplace_back(std::move(force));
}

bool takes_axis(JointType type, SpaceKind space) {
  if (type == JointType::kPrismatic) return true;
  return space == SpaceKind::kSpatial &&
         (type == JointType::kRevolute || type == JointType::kCylindrical ||
          type == JointType::kPlanar);
}

}  // namespace

JointDescription read_joint(TomlReader& reader, SpaceKind space,
                            std::vector<ForceDescription>& forces) {
  JointDescription joint;
  joint.where = reader.where();
  joint.name = read_name(reader, "joint");
  joint.type = read_joint_type(reader, space);
  joint.parent = reader.text("parent");
  joint.child = reader.text("child");
  joint.at_parent = read_frame(reader, "at_parent", space);
  joint.at_child = read_frame(reader, "at_child", space);
  if (reader.has("axis") && !takes_axis(joint.type, space)) {
    reader.fail("axis", std::string("a ") + to_name(joint.type) + " joint " +
                            (space == SpaceKind::kPlanar ? "in the plane " : "") + "has no axis");
  }
  read_axis(reader, space, joint.at_parent, joint.at_child);
  read_start(reader, space, joint);
  read_spring_damper(reader, joint, forces);
  reader.finish();
  return joint;
}

namespace {

PointSpringDamper read_spring_damper(TomlReader& reader, SpaceKind space) {
  PointSpringDamper force;
  force.body_a = reader.text("body_a");
  force.body_b = reader.text("body_b");
  force.point_a = read_vector_or_zero(reader, "point_a", space);
  force.point_b = read_vector_or_zero(reader, "point_b", space);
  force.stiffness = reader.number_or("stiffness", 0.0);
  force.rest_length = reader.number_or("rest_length", 0.0);
  force.damping = reader.number_or("damping", 0.0);
  return force;
}

Actuator read_actuator(TomlReader& reader) {
  Actuator force;
  force.joint = reader.text("joint");
  force.constant = reader.number_or("constant", 0.0);
  force.amplitude = reader.number_or("amplitude", 0.0);
  force.frequency = reader.number_or("frequency", 0.0);
  force.phase = reader.number_or("phase", 0.0);
  return force;
}

PointSensor read_point_sensor(TomlReader& reader, SpaceKind space) {
  PointSensor sensor;
  sensor.body = reader.text("body");
  sensor.position = read_vector_or_zero(reader, "position", space);
  return sensor;
}

// What all forces and all sensors end with: their name and place, and no key left over.
template <class Description>
Description finished(Description description, const std::string& name, const TomlReader& reader) {
  description.name = name;
  description.where = reader.where();
  reader.finish();
  return description;
}

}  // namespace

ForceDescription read_force(TomlReader& reader, SpaceKind space) {
  const std::string name = read_name(reader, "force");
  const std::string type = reader.text("type");
  if (type == "spring_damper") return finished(read_spring_damper(reader, space), name, reader);
  if (type == "actuator") return finished(read_actuator(reader), name, reader);
  fail_type(reader, type, {"spring_damper", "actuator"});
}

SensorDescription read_sensor(TomlReader& reader, SpaceKind space) {
  const std::string name = read_name(reader, "sensor");
  const std::string type = reader.text("type");
  if (type == "body") return finished(BodySensor{{}, reader.text("body"), {}}, name, reader);
  if (type == "point") return finished(read_point_sensor(reader, space), name, reader);
  if (type == "joint") return finished(JointSensor{{}, reader.text("joint"), {}}, name, reader);
  if (type == "energy") return finished(EnergySensor{}, name, reader);
  fail_type(reader, type, {"body", "point", "joint", "energy"});
}

}  // namespace hamiltree
