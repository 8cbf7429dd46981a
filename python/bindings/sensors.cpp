// Sensors and events as the builder takes them.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "bindings.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "vectors.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

Crossing crossing_of(const std::string& name) {
  if (name == "any") return Crossing::kAny;
  if (name == "rising") return Crossing::kRising;
  if (name == "falling") return Crossing::kFalling;
  throw UsageError("crossing is \"any\", \"rising\" or \"falling\", not \"" + name + "\"");
}

// A sensor that has a name and sees one element.
template <class Sensor>
void bind_sensor(py::module_& m, const char* name, const char* element, const char* doc) {
  py::class_<Sensor>(m, name, doc)
      .def(py::init([](std::string sensor, std::string seen) {
             return Sensor{std::move(sensor), std::move(seen), {}};
           }),
           py::kw_only(), py::arg("name"), py::arg(element));
}

}  // namespace

void bind_sensors(py::module_& m) {
  bind_sensor<BodySensor>(m, "BodySensor", "body",
                          "Position and velocity of a body's centre of mass, rotation and angular "
                          "velocity, in the world: m, m/s, rad, rad/s.");
  bind_sensor<JointSensor>(m, "JointSensor", "joint", "Coordinates and rates of a joint.");
  bind_sensor<ReactionSensor>(m, "ReactionSensor", "joint",
                              "What a joint transmits to its child, at the joint's origin on the "
                              "child: N, N m, in world axes and in the joint's own.");
  py::class_<PointSensor>(m, "PointSensor",
                          "World position and velocity of a point (m) fixed in a body.")
      .def(py::init([](std::string name, std::string body, const py::object& position) {
             return PointSensor{std::move(name), std::move(body), position_of(position), {}};
           }),
           py::kw_only(), py::arg("name"), py::arg("body"), py::arg("position"));
  py::class_<EnergySensor>(m, "EnergySensor", "Kinetic, potential and total energy, J.")
      .def(py::init([](std::string name) {
             return EnergySensor{std::move(name), {}};
           }),
           py::kw_only(), py::arg("name"));
  py::class_<EventDescription>(
      m, "Event",
      "Where a channel of a sensor crosses a value, the run notes the time "
      "and records the state there, and may stop.")
      .def(py::init([](std::string name, std::string channel, double value,
                       const std::string& crossing, bool stops) {
             return EventDescription{
                 std::move(name), std::move(channel), value, crossing_of(crossing), stops, {}};
           }),
           py::kw_only(), py::arg("name"), py::arg("channel"), py::arg("value") = 0.0,
           py::arg("crossing") = "any", py::arg("stops") = false);
}

}  // namespace hamiltree::bindings
