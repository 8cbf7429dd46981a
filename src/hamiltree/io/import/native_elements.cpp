#include "hamiltree/io/import/native_elements.hpp"

#include <string>
#include <string_view>

#include "hamiltree/io/import/native_frame.hpp"
#include "hamiltree/io/import/native_time_function.hpp"

namespace hamiltree {

std::string read_name(TomlReader& reader, const std::string& kind) {
  reader.has("repeat");
  std::string name = reader.text("name");
  reader.set_element(kind + " \"" + name + "\"");
  return name;
}

namespace {

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
  body.accept_inertia = reader.boolean_or("accept_inertia", false);
  reader.finish();
  return body;
}

namespace {

std::vector<RopePoint> read_points(TomlReader& reader, SpaceKind space) {
  std::vector<RopePoint> points;
  for (auto& point : reader.inner_tables("points")) {
    const std::string body = point.text("body");
    const Eigen::Vector3d position = read_vector_or_zero(point, "position", space);
    points.push_back({body, position, point.number_or("ratio", 1.0)});
    point.finish();
  }
  return points;
}

PointSpringDamper read_spring_damper(TomlReader& reader, SpaceKind space) {
  PointSpringDamper force;
  if (reader.has("points")) {
    force.points = read_points(reader, space);
  } else {
    for (const std::string end : {"_a", "_b"}) {
      const std::string body = reader.text("body" + end);
      force.points.push_back({body, read_vector_or_zero(reader, "point" + end, space)});
    }
  }
  force.stiffness = reader.number_or("stiffness", 0.0);
  force.rest_length = reader.number_or("rest_length", 0.0);
  force.damping = reader.number_or("damping", 0.0);
  if (reader.has("slack")) force.slack = reader.number("slack");
  return force;
}

Actuator read_actuator(TomlReader& reader) {
  Actuator force;
  force.joint = reader.text("joint");
  if (auto effort = read_number_or_time_function(reader, "effort")) {
    force.effort = *effort;
  } else {
    force.effort = read_sine(reader);
  }
  return force;
}

Servo read_servo(TomlReader& reader, SpaceKind space) {
  Servo force;
  if (reader.has("points")) {
    force.points = read_points(reader, space);
  } else if (reader.has("joints")) {
    force.joints = reader.texts("joints");
    const Eigen::VectorXd ratios = reader.numbers("ratios");
    force.ratios = {ratios.begin(), ratios.end()};
  } else {
    force.joints = {reader.text("joint")};
    force.ratios = {1.0};
  }
  if (auto effort = read_number_or_time_function(reader, "effort")) force.effort = *effort;
  force.stiffness = reader.number_or("stiffness", 0.0);
  force.damping = reader.number_or("damping", 0.0);
  if (reader.has("lower")) force.lower = reader.number("lower");
  if (reader.has("upper")) force.upper = reader.number("upper");
  return force;
}

// A value for every axis, or one for all.
Eigen::Vector3d read_per_axis(TomlReader& reader, std::string_view key, Eigen::Index axes) {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  if (!reader.has(key)) return x;
  if (reader.has_number(key)) {
    x.head(axes).setConstant(reader.number(key));
  } else {
    x.head(axes) = reader.numbers(key, {axes});
  }
  return x;
}

Bushing read_bushing(TomlReader& reader, SpaceKind space) {
  const bool planar = space == SpaceKind::kPlanar;
  Bushing force;
  force.body_a = reader.text("body_a");
  force.body_b = reader.text("body_b");
  force.at_a = read_frame(reader, "at_a", space);
  force.at_b = read_frame(reader, "at_b", space);
  const auto along = [&](std::string_view key) {
    return read_per_axis(reader, key, planar ? 2 : 3);
  };
  const auto about = [&](std::string_view key) -> Eigen::Vector3d {
    if (planar) return {0.0, 0.0, reader.number_or(key, 0.0)};
    return read_per_axis(reader, key, 3);
  };
  force.translational_stiffness = along("translational_stiffness");
  force.rotational_stiffness = about("rotational_stiffness");
  force.translational_damping = along("translational_damping");
  force.rotational_damping = about("rotational_damping");
  force.angle_stiffness = reader.number_or("angle_stiffness", 0.0);
  force.turn_stiffness = about("turn_stiffness");
  force.rest_turn = about("rest_turn");
  return force;
}

AppliedWrench read_wrench(TomlReader& reader, SpaceKind space) {
  AppliedWrench force;
  force.body = reader.text("body");
  force.position = read_vector_or_zero(reader, "position", space);
  force.force = read_time_vector(reader, "force");
  force.moment = read_time_vector(reader, "moment");
  if (reader.has("axes")) {
    const std::string axes = reader.text("axes");
    if (axes != "world" && axes != "body") reader.fail_unknown("axes", axes, {"world", "body"});
    force.axes = axes == "body" ? AppliedWrench::Axes::kBody : AppliedWrench::Axes::kWorld;
  }
  return force;
}

PointSensor read_point_sensor(TomlReader& reader, SpaceKind space) {
  PointSensor sensor;
  sensor.body = reader.text("body");
  sensor.position = read_vector_or_zero(reader, "position", space);
  return sensor;
}

// The end of couplings, forces and sensors: their name and place, and no key left over.
template <class Description>
Description finished(Description description, const std::string& name, const TomlReader& reader) {
  description.name = name;
  description.where = reader.where();
  reader.finish();
  return description;
}

}  // namespace

Coupling read_coupling(TomlReader& reader) {
  const std::string name = read_name(reader, "coupling");
  Coupling coupling;
  coupling.joint = reader.text("joint");
  coupling.to = reader.text("to");
  if (reader.has("polynomial")) {
    const Eigen::VectorXd c = reader.numbers("polynomial");
    if (c.size() < 2) reader.fail("polynomial", "polynomial must have two numbers or more");
    coupling.set_polynomial({c.data(), static_cast<std::size_t>(c.size())});
  } else {
    coupling.ratio = reader.number("ratio");
    coupling.offset = reader.number_or("offset", 0.0);
  }
  return finished(coupling, name, reader);
}

ForceDescription read_force(TomlReader& reader, SpaceKind space) {
  const std::string name = read_name(reader, "force");
  const std::string type = reader.text("type");
  if (type == "spring_damper") return finished(read_spring_damper(reader, space), name, reader);
  if (type == "actuator") return finished(read_actuator(reader), name, reader);
  if (type == "servo") return finished(read_servo(reader, space), name, reader);
  if (type == "bushing") return finished(read_bushing(reader, space), name, reader);
  if (type == "wrench") return finished(read_wrench(reader, space), name, reader);
  reader.fail_unknown("type", type, {"spring_damper", "bushing", "actuator", "servo", "wrench"});
}

SensorDescription read_sensor(TomlReader& reader, SpaceKind space) {
  const std::string name = read_name(reader, "sensor");
  const std::string type = reader.text("type");
  if (type == "body") return finished(BodySensor{{}, reader.text("body"), {}}, name, reader);
  if (type == "point") return finished(read_point_sensor(reader, space), name, reader);
  if (type == "joint") return finished(JointSensor{{}, reader.text("joint"), {}}, name, reader);
  if (type == "reaction") {
    return finished(ReactionSensor{{}, reader.text("joint"), {}}, name, reader);
  }
  if (type == "energy") return finished(EnergySensor{}, name, reader);
  reader.fail_unknown("type", type, {"body", "point", "joint", "reaction", "energy"});
}

EventDescription read_event(TomlReader& reader) {
  const std::string name = read_name(reader, "event");
  EventDescription event;
  event.channel = reader.text("channel");
  event.value = reader.number_or("value", 0.0);
  const std::string crossing = reader.has("crossing") ? reader.text("crossing") : "any";
  if (crossing == "rising") {
    event.crossing = Crossing::kRising;
  } else if (crossing == "falling") {
    event.crossing = Crossing::kFalling;
  } else if (crossing != "any") {
    reader.fail_unknown("crossing", crossing, {"any", "rising", "falling"});
  }
  const std::string action = reader.has("action") ? reader.text("action") : "record";
  if (action != "record" && action != "stop") {
    reader.fail_unknown("action", action, {"record", "stop"});
  }
  event.stops = action == "stop";
  return finished(event, name, reader);
}

}  // namespace hamiltree
