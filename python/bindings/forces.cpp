// Forces as the builder takes them; their laws are at the head of each file in forces/.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "vectors.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

// Components, or None for those that are zero; one alone is about z.
TimeVector time_vector_of(const py::handle& vector) {
  TimeVector result;
  if (vector.is_none()) return result;
  if (!py::isinstance<py::sequence>(vector)) {
    result.z = function_of(vector);
    return result;
  }
  std::optional<TimeFunction>* const parts[] = {&result.x, &result.y, &result.z};
  const auto given = vector.cast<std::vector<py::object>>();
  if (given.size() > 3) throw UsageError("a vector has at most three components");
  for (std::size_t i = 0; i < given.size(); ++i) *parts[i] = optional_function_of(given[i]);
  return result;
}

// (body, position) or (body, position, ratio) each.
std::vector<RopePoint> rope_of(const py::handle& points) {
  std::vector<RopePoint> rope;
  if (points.is_none()) return rope;
  for (const auto& one : points.cast<std::vector<py::tuple>>()) {
    if (one.size() != 2 && one.size() != 3) {
      throw UsageError("a point of a rope is (body, position) or (body, position, ratio)");
    }
    rope.push_back({one[0].cast<std::string>(), position_of(one[1]),
                    one.size() == 3 ? one[2].cast<double>() : 1.0});
  }
  return rope;
}

// One number for all directions, or three.
Eigen::Vector3d directions_of(const py::handle& numbers) {
  const auto x = numbers_of(numbers);
  if (x.size() == 1) return Eigen::Vector3d::Constant(x[0]);
  return position_of(numbers);
}

void bind_joint_forces(py::module_& m) {
  py::class_<JointSpringDamper>(
      m, "JointSpringDamper",
      "effort = -stiffness (q - rest) - damping q_dot, along a joint with "
      "one degree of freedom; N m/rad or N/m, N m s/rad or N s/m")
      .def(py::init([](std::string joint, double stiffness, double rest, double damping) {
             return JointSpringDamper{std::move(joint), stiffness, rest, damping, {}};
           }),
           py::kw_only(), py::arg("joint"), py::arg("stiffness") = 0.0, py::arg("rest") = 0.0,
           py::arg("damping") = 0.0);
  py::class_<JointLimits>(m, "JointLimits", "Elastic stops of a joint with one degree of freedom.")
      .def(py::init([](std::string joint, std::optional<double> lower, std::optional<double> upper,
                       double stiffness, double damping, std::optional<double> transition) {
             return JointLimits{std::move(joint), lower, upper, stiffness, damping, transition, {}};
           }),
           py::kw_only(), py::arg("joint"), py::arg("lower") = py::none(),
           py::arg("upper") = py::none(), py::arg("stiffness"), py::arg("damping") = 0.0,
           py::arg("transition") = py::none());
  py::class_<JointFriction>(m, "JointFriction",
                            "effort = -coulomb tanh(q_dot / velocity_scale) - viscous q_dot")
      .def(py::init([](std::string joint, double coulomb, double viscous, double velocity_scale) {
             return JointFriction{std::move(joint), coulomb, viscous, velocity_scale, {}};
           }),
           py::kw_only(), py::arg("joint"), py::arg("coulomb") = 0.0, py::arg("viscous") = 0.0,
           py::arg("velocity_scale") = 0.0);
  py::class_<Actuator>(m, "Actuator", "An effort on the child of a joint, given in time; N m or N.")
      .def(py::init([](std::string name, std::string joint, const py::object& effort) {
             return Actuator{std::move(name), std::move(joint), function_of(effort), {}};
           }),
           py::kw_only(), py::arg("name"), py::arg("joint"), py::arg("effort"));
  py::class_<Servo>(m, "Servo",
                    "A motor with feedback on joints with one degree of freedom: with x = sum of "
                    "ratio q over them, effort = effort(t) - stiffness x - damping x_dot, held "
                    "between lower and upper; each joint feels its ratio times the effort. N m or "
                    "N. Without ratios all are 1. Or on a rope over points, as of a "
                    "PointSpringDamper: x is its length, and the effort makes it longer.")
      .def(py::init([](std::string name, std::vector<std::string> joints, const py::object& effort,
                       std::optional<std::vector<double>> ratios, double stiffness, double damping,
                       std::optional<double> lower, std::optional<double> upper,
                       const py::object& points) {
             auto all = ratios ? std::move(*ratios) : std::vector<double>(joints.size(), 1.0);
             return Servo{std::move(name),
                          std::move(joints),
                          std::move(all),
                          function_of(effort),
                          stiffness,
                          damping,
                          lower,
                          upper,
                          {},
                          rope_of(points)};
           }),
           py::kw_only(), py::arg("name"), py::arg("joints") = std::vector<std::string>{},
           py::arg("effort") = 0.0, py::arg("ratios") = py::none(), py::arg("stiffness") = 0.0,
           py::arg("damping") = 0.0, py::arg("lower") = py::none(), py::arg("upper") = py::none(),
           py::arg("points") = py::none());
}

void bind_body_forces(py::module_& m) {
  py::class_<PointSpringDamper>(
      m, "PointSpringDamper",
      "A spring and a damper on the line between two points (m), each fixed in a body or in the "
      "ground, or along a rope over points, given as (body, position) or (body, position, ratio): "
      "tension = stiffness (length - rest_length) + damping d(length)/dt. With slack (m) it pulls "
      "only when longer than rest_length and pushes only when shorter than rest_length - slack.")
      .def(py::init([](std::string name, const std::optional<std::string>& body_a,
                       const std::optional<std::string>& body_b, const py::object& point_a,
                       const py::object& point_b, const py::object& points, double stiffness,
                       double rest_length, double damping, std::optional<double> slack) {
             const bool any_end = body_a || body_b || !point_a.is_none() || !point_b.is_none();
             if (points.is_none() ? !body_a || !body_b : any_end) {
               throw UsageError("either points, or body_a and body_b with point_a and point_b");
             }
             std::vector<RopePoint> all = rope_of(points);
             if (points.is_none()) {
               const auto end = [](const std::string& body, const py::object& point) {
                 return RopePoint{
                     body, point.is_none() ? Eigen::Vector3d::Zero().eval() : position_of(point)};
               };
               all = {end(*body_a, point_a), end(*body_b, point_b)};
             }
             return PointSpringDamper{std::move(name), std::move(all), stiffness, rest_length,
                                      damping,         slack,          {}};
           }),
           py::kw_only(), py::arg("name"), py::arg("body_a") = py::none(),
           py::arg("body_b") = py::none(), py::arg("point_a") = py::none(),
           py::arg("point_b") = py::none(), py::arg("points") = py::none(),
           py::arg("stiffness") = 0.0, py::arg("rest_length") = 0.0, py::arg("damping") = 0.0,
           py::arg("slack") = py::none());
  py::class_<Bushing>(
      m, "Bushing",
      "Springs and dampers in every direction between two frames; one number for "
      "all directions, or three. The moment of angle_stiffness goes with the angle "
      "of the whole turn, that of turn_stiffness about each axis of frame a with the part of "
      "the turn vector beyond rest_turn.")
      .def(py::init(
               [](std::string name, std::string body_a, std::string body_b, const py::object& at_a,
                  const py::object& at_b, const py::object& translational_stiffness,
                  const py::object& rotational_stiffness, const py::object& translational_damping,
                  const py::object& rotational_damping, double angle_stiffness,
                  const py::object& turn_stiffness, const py::object& rest_turn) {
                 return Bushing{std::move(name),
                                std::move(body_a),
                                std::move(body_b),
                                frame_of(at_a),
                                frame_of(at_b),
                                directions_of(translational_stiffness),
                                directions_of(rotational_stiffness),
                                directions_of(translational_damping),
                                directions_of(rotational_damping),
                                angle_stiffness,
                                directions_of(turn_stiffness),
                                directions_of(rest_turn),
                                {}};
               }),
           py::kw_only(), py::arg("name"), py::arg("body_a"), py::arg("body_b"),
           py::arg("at_a") = py::none(), py::arg("at_b") = py::none(),
           py::arg("translational_stiffness") = 0.0, py::arg("rotational_stiffness") = 0.0,
           py::arg("translational_damping") = 0.0, py::arg("rotational_damping") = 0.0,
           py::arg("angle_stiffness") = 0.0, py::arg("turn_stiffness") = 0.0,
           py::arg("rest_turn") = 0.0);
  py::class_<AppliedWrench>(
      m, "AppliedWrench",
      "A force (N) at a point of a body (m) and a moment (N m), given in time, "
      "in the axes of the \"world\" or of the \"body\"; in the plane "
      "force is (x, y) and moment the one about z.")
      .def(py::init([](std::string name, std::string body, const py::object& position,
                       const py::object& force, const py::object& moment, const std::string& axes) {
             if (axes != "world" && axes != "body")
               throw UsageError("axes are \"world\" or \"body\", not \"" + axes + "\"");
             AppliedWrench wrench;
             wrench.name = std::move(name);
             wrench.body = std::move(body);
             if (!position.is_none()) wrench.position = position_of(position);
             wrench.force = time_vector_of(force);
             wrench.moment = time_vector_of(moment);
             wrench.axes =
                 axes == "world" ? AppliedWrench::Axes::kWorld : AppliedWrench::Axes::kBody;
             return wrench;
           }),
           py::kw_only(), py::arg("name"), py::arg("body"), py::arg("position") = py::none(),
           py::arg("force") = py::none(), py::arg("moment") = py::none(),
           py::arg("axes") = "world");
}

}  // namespace

void bind_forces(py::module_& m) {
  bind_joint_forces(m);
  bind_body_forces(m);
}

}  // namespace hamiltree::bindings
