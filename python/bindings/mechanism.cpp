// The builder: bodies, joints, couplings, functions of time and Mechanism itself.
#include "hamiltree/model/mechanism.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <Eigen/Geometry>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/base/listed.hpp"
#include "pickled.hpp"
#include "vectors.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

SpaceKind space_of(const std::string& name) {
  if (name == "planar") return SpaceKind::kPlanar;
  if (name == "spatial") return SpaceKind::kSpatial;
  throw UsageError("space is \"planar\" or \"spatial\", not \"" + name + "\"");
}

JointType type_of(const std::string& name) {
  if (const auto type = joint_type_from_name(name)) return *type;
  throw UsageError("\"" + name + "\" is not a type of joint; known types are " +
                   listed(joint_type_names(SpaceKind::kSpatial)));
}

Frame make_frame(const py::object& position, double angle, const py::object& quat_wxyz,
                 const py::object& axis_angle, const py::object& rotation) {
  Frame frame;
  if (!position.is_none()) frame.position = position_of(position);
  const int given =
      (angle != 0.0) + !quat_wxyz.is_none() + !axis_angle.is_none() + !rotation.is_none();
  if (given > 1) throw UsageError("a frame is turned in one way, not in several");
  frame.rotation = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  if (!quat_wxyz.is_none()) {
    const auto x = numbers_of(quat_wxyz);
    if (x.size() != 4) throw UsageError("quat_wxyz has four numbers");
    const Eigen::Quaterniond quat(x[0], x[1], x[2], x[3]);
    if (!(std::abs(quat.norm() - 1.0) < 1e-6)) throw UsageError("quat_wxyz has no unit length");
    frame.rotation = quat.normalized().toRotationMatrix();
  }
  if (!axis_angle.is_none()) {
    const auto x = numbers_of(axis_angle);
    const Eigen::Vector3d axis(x.size() == 4 ? Eigen::Vector3d(x[0], x[1], x[2])
                                             : Eigen::Vector3d::Zero());
    if (!(axis.norm() > 0.0))
      throw UsageError("axis_angle is an axis, three numbers, and an angle");
    frame.rotation = Eigen::AngleAxisd(x[3], axis.normalized()).toRotationMatrix();
  }
  if (!rotation.is_none()) {
    frame.rotation = matrix_of(rotation);
    const Eigen::Matrix3d gap =
        frame.rotation.transpose() * frame.rotation - Eigen::Matrix3d::Identity();
    if (!(gap.norm() < 1e-6) || frame.rotation.determinant() < 0.0)
      throw UsageError("rotation is not orthogonal and right-handed");
  }
  return frame;
}

void bind_functions(py::module_& m) {
  py::class_<Polynomial>(m, "Polynomial", "c0 + c1 t + c2 t^2 + ...")
      .def(py::init([](std::vector<double> c) { return Polynomial{std::move(c)}; }),
           py::arg("coefficients"))
      .def_readonly("coefficients", &Polynomial::coefficients);
  py::class_<Sine>(m, "Sine", "constant + amplitude sin(2 pi frequency t + phase)")
      .def(py::init([](double amplitude, double frequency, double phase, double constant) {
             return Sine{constant, amplitude, frequency, phase};
           }),
           py::kw_only(), py::arg("amplitude"), py::arg("frequency"), py::arg("phase") = 0.0,
           py::arg("constant") = 0.0);
  py::class_<SmoothStep>(m, "SmoothStep",
                         "From one value to another with zero rate and acceleration at both ends.")
      .def(py::init([](double from, double to, double start, double duration) {
             return SmoothStep{from, to, start, duration};
           }),
           py::kw_only(), py::arg("from_"), py::arg("to"), py::arg("start") = 0.0,
           py::arg("duration") = 1.0);
  py::class_<Table>(m, "Table", "A cubic spline through values, with given rates at its ends.")
      .def(py::init([](const py::object& times, const py::object& values, double start_rate,
                       double end_rate) {
             return Table{numbers_of(times), numbers_of(values), start_rate, end_rate};
           }),
           py::kw_only(), py::arg("times"), py::arg("values"), py::arg("start_rate") = 0.0,
           py::arg("end_rate") = 0.0);
}

void bind_parts(py::module_& m) {
  py::class_<Frame>(
      m, "Frame",
      "A frame on a body: its origin (m) and how it is turned, by an angle about z, a "
      "unit quaternion, an axis with an angle, or a matrix with its axes as columns.")
      .def(py::init(&make_frame), py::arg("position") = py::none(), py::kw_only(),
           py::arg("angle") = 0.0, py::arg("quat_wxyz") = py::none(),
           py::arg("axis_angle") = py::none(), py::arg("rotation") = py::none())
      .def_readonly("position", &Frame::position, "(3,), m")
      .def_readonly("rotation", &Frame::rotation, "(3, 3)");

  py::class_<FrameMotion>(m, "FrameMotion",
                          "Shifts along a frame's axes (m), then turns about its z, y and x (rad).")
      .def(py::init([](const py::object& x, const py::object& y, const py::object& z,
                       const py::object& rx, const py::object& ry, const py::object& rz) {
             return FrameMotion{optional_function_of(x),  optional_function_of(y),
                                optional_function_of(z),  optional_function_of(rx),
                                optional_function_of(ry), optional_function_of(rz)};
           }),
           py::kw_only(), py::arg("x") = py::none(), py::arg("y") = py::none(),
           py::arg("z") = py::none(), py::arg("rx") = py::none(), py::arg("ry") = py::none(),
           py::arg("rz") = py::none());

  py::class_<BodyDescription>(
      m, "Body",
      "A rigid body: mass (kg), com in its frame (m), inertia about the com "
      "in its axes (kg m^2): in the plane a number, in space [xx, yy, zz, "
      "xy, xz, yz] or a matrix.")
      .def(py::init([](std::string name, double mass, const py::object& com,
                       const py::object& inertia, bool accept_inertia) {
             BodyDescription body;
             body.accept_inertia = accept_inertia;
             body.name = std::move(name);
             body.mass = mass;
             if (!com.is_none()) body.com = position_of(com);
             if (!inertia.is_none()) body.inertia = inertia_of(inertia);
             return body;
           }),
           py::kw_only(), py::arg("name"), py::arg("mass") = 0.0, py::arg("com") = py::none(),
           py::arg("inertia") = py::none(), py::arg("accept_inertia") = false)
      .def_readonly("name", &BodyDescription::name)
      .def_readonly("mass", &BodyDescription::mass, "kg")
      .def_readonly("com", &BodyDescription::com, "(3,), m, in the body frame")
      .def_readonly("inertia", &BodyDescription::inertia, "(3, 3), kg m^2, about the com");

  py::class_<JointDescription>(
      m, "Joint",
      "Connects a parent and a child, bodies or \"ground\". A frame is a Frame or a position. "
      "A revolute joint turns about z, a prismatic one slides along z in space and x in the plane. "
      "A drive makes its coordinate a given function of time. With cut=True it closes a loop, with "
      "cut=False another joint of its loop does. Where its loop starts at a singular pose, branch "
      "is the number of the motion to take.")
      .def(py::init([](std::string name, const std::string& type, std::string parent,
                       std::string child, const py::object& at_parent, const py::object& at_child,
                       const py::object& initial_q, const py::object& initial_v,
                       const py::object& guess_q, const py::object& drive, double pitch,
                       double armature, std::optional<FrameMotion> parent_motion,
                       std::optional<bool> cut, std::optional<int> branch) {
             JointDescription joint;
             joint.name = std::move(name);
             joint.type = type_of(type);
             joint.parent = std::move(parent);
             joint.child = std::move(child);
             joint.at_parent = frame_of(at_parent);
             joint.at_child = frame_of(at_child);
             joint.initial_q = optional_numbers_of(initial_q);
             joint.initial_v = optional_numbers_of(initial_v);
             joint.guess_q = optional_numbers_of(guess_q);
             joint.drive = optional_function_of(drive);
             joint.pitch = pitch;
             joint.armature = armature;
             joint.parent_motion = std::move(parent_motion);
             joint.cut = cut;
             joint.branch = branch;
             return joint;
           }),
           py::kw_only(), py::arg("name"), py::arg("type") = "revolute", py::arg("parent"),
           py::arg("child"), py::arg("at_parent") = py::none(), py::arg("at_child") = py::none(),
           py::arg("initial_q") = py::none(), py::arg("initial_v") = py::none(),
           py::arg("guess_q") = py::none(), py::arg("drive") = py::none(), py::arg("pitch") = 0.0,
           py::arg("armature") = 0.0, py::arg("parent_motion") = py::none(),
           py::arg("cut") = py::none(), py::arg("branch") = py::none())
      .def_readonly("name", &JointDescription::name)
      .def_property_readonly("type", [](const JointDescription& j) { return to_name(j.type); })
      .def_readonly("parent", &JointDescription::parent)
      .def_readonly("child", &JointDescription::child);

  py::class_<Coupling>(m, "Coupling",
                       "Two joints that move together, as by a gear: q_joint = offset + ratio "
                       "q_to. Or, as by a cam, "
                       "q_joint = c[0] + c[1] q_to + c[2] q_to^2 + ... with c the polynomial.")
      .def(py::init([](std::string name, std::string joint, std::string to,
                       std::optional<double> ratio, std::optional<double> offset,
                       const std::optional<std::vector<double>>& polynomial) {
             if (polynomial.has_value() == (ratio || offset))
               throw UsageError("Coupling takes either ratio and offset or a polynomial");
             Coupling coupling{std::move(name),
                               std::move(joint),
                               std::move(to),
                               ratio.value_or(0.0),
                               offset.value_or(0.0),
                               {},
                               {}};
             if (polynomial) coupling.set_polynomial(*polynomial);
             return coupling;
           }),
           py::kw_only(), py::arg("name"), py::arg("joint"), py::arg("to"),
           py::arg("ratio") = py::none(), py::arg("offset") = py::none(),
           py::arg("polynomial") = py::none());
}

}  // namespace

void bind_mechanism(py::module_& m) {
  bind_functions(m);
  bind_parts(m);
  py::class_<Mechanism>(m, "Mechanism",
                        "What there is: bodies, joints, couplings, forces, sensors and events by "
                        "name, in any order. Model(mechanism) checks and compiles it. Gravity in "
                        "m/s^2 is always given.")
      .def(py::init([](std::string name, const std::string& space, const py::object& gravity) {
             Mechanism mechanism;
             mechanism.name = std::move(name);
             mechanism.space = space_of(space);
             mechanism.gravity = position_of(gravity);
             if (mechanism.space == SpaceKind::kSpatial && numbers_of(gravity).size() < 3)
               refuse("gravity in space has three numbers", gravity);
             return mechanism;
           }),
           py::arg("name"), py::kw_only(), py::arg("space"), py::arg("gravity"))
      .def_readonly("name", &Mechanism::name)
      .def_property_readonly(
          "space",
          [](const Mechanism& m) { return m.space == SpaceKind::kPlanar ? "planar" : "spatial"; })
      .def_readonly("gravity", &Mechanism::gravity, "(3,), m/s^2")
      .def_readonly("bodies", &Mechanism::bodies)
      .def_readonly("joints", &Mechanism::joints)
      .def(
          "add",
          [](py::object self, const py::args& parts) {
            auto& mechanism = self.cast<Mechanism&>();
            using Part = std::variant<BodyDescription, JointDescription, Coupling, ForceDescription,
                                      SensorDescription, EventDescription>;
            std::vector<Part> all;
            for (const auto& part : parts) {
              try {
                if (part.is_none()) throw py::cast_error();
                all.push_back(part.cast<Part>());
              } catch (const py::cast_error&) {
                throw py::type_error(
                    "add() takes bodies, joints, couplings, forces, sensors and events, not " +
                    py::repr(part).cast<std::string>());
              }
            }
            for (auto& part : all) std::visit([&](auto& p) { mechanism.add(std::move(p)); }, part);
            return self;
          },
          "Adds bodies, joints, couplings, forces, sensors and events; gives the mechanism back.")
      .def(pickled<Mechanism>())
      .def("__repr__", [](const Mechanism& m) {
        return "<Mechanism \"" + m.name + "\": " + counted(std::ssize(m.bodies), "body", "bodies") +
               ", " + counted(std::ssize(m.joints), "joint") + ">";
      });
}

}  // namespace hamiltree::bindings
