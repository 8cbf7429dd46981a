#include "hamiltree/io/import/native_elements.hpp"

#include <string>
#include <utility>
#include <variant>

#include "hamiltree/io/import/native_force.hpp"
#include "hamiltree/io/import/native_frame.hpp"

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
  if (reader.has_rows("inertia")) {
    reader.fail("inertia",
                "inertia is [xx, yy, zz] or [xx, yy, zz, xy, xz, yz], not the rows of a matrix");
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
  reader.exclusive({"ratio", "polynomial"});
  reader.exclusive({"offset", "polynomial"});
  if (reader.has("polynomial")) {
    const Eigen::VectorXd c = reader.numbers("polynomial");
    if (c.size() < 2) reader.fail("polynomial", "polynomial must have two numbers or more");
    if (c.tail(c.size() - 1).isZero(0.0))
      reader.fail("polynomial", "a number of polynomial behind the first must not be 0");
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
  auto force = read_force_of_type(type, reader, space);
  std::visit(
      [&](auto& f) {
        if constexpr (requires { f.name; }) f = finished(std::move(f), name, reader);
      },
      force);
  return force;
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
