#include "callbacks.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "hamiltree/io/controller/controller_file.hpp"
#include "hamiltree/model/mechanism.hpp"
#include "vectors.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The first error of this thread's evaluation, until it is raised.
thread_local std::optional<py::error_already_set> pending;

// The value of a callback, or `failed` where it raised or one before it had.
template <class Result, class Call>
Result guarded(const Result& failed, Call call) {
  const py::gil_scoped_acquire lock;
  if (pending) return failed;
  try {
    return call();
  } catch (py::error_already_set& error) {
    pending.emplace(std::move(error));
  } catch (const std::exception& error) {  // what the callback gave is not what is needed
    PyErr_SetString(PyExc_TypeError, error.what());
    pending.emplace();
  }
  return failed;
}

using JointKey = std::variant<int, std::string>;

// The argument of a controller: valid while it is called.
struct ControlsOfCall {
  Controls* controls;

  Controls& operator*() const {
    if (controls == nullptr) throw std::runtime_error("controls are valid only during the call");
    return *controls;
  }
  int index(const JointKey& joint) const {
    if (const auto* i = std::get_if<int>(&joint)) return *i;
    return (**this).index(std::get<std::string>(joint));
  }
};

}  // namespace

CallbackErrors::CallbackErrors() { pending.reset(); }
CallbackErrors::~CallbackErrors() { pending.reset(); }
void CallbackErrors::raise() const {
  if (!pending) return;
  auto error = std::move(*pending);
  pending.reset();
  throw error;
}

void bind_callbacks(py::module_& m) {
  py::class_<BodyState>(m, "BodyState", "How a body's frame stands and moves in the world.")
      .def_readonly("position", &BodyState::position, "(3,), m, of its origin")
      .def_readonly("rotation", &BodyState::rotation, "(3, 3), its axes as columns")
      .def_readonly("velocity", &BodyState::velocity, "(3,), m/s, of its origin")
      .def_readonly("angular_velocity", &BodyState::angular_velocity, "(3,), rad/s");

  py::class_<ControlsOfCall>(
      m, "Controls",
      "What a controller sees and the way in which it acts. Joints go by name "
      "or by the index that index() gives. Valid only during the call.")
      .def_property_readonly(
          "time", [](const ControlsOfCall& c) { return (*c).time(); }, "s")
      .def(
          "index", [](const ControlsOfCall& c, const std::string& joint) { return c.index(joint); },
          py::arg("joint"))
      .def(
          "position",
          [](const ControlsOfCall& c, const JointKey& joint) {
            return (*c).position(c.index(joint));
          },
          py::arg("joint"), "Coordinate of a joint with one degree of freedom, rad or m.")
      .def(
          "rate",
          [](const ControlsOfCall& c, const JointKey& joint) { return (*c).rate(c.index(joint)); },
          py::arg("joint"), "Its rate, rad/s or m/s.")
      .def(
          "coordinates",
          [](const ControlsOfCall& c, const JointKey& joint) {
            const int j = c.index(joint);
            Array q = make_array({}, {(*c).coordinate_count(j)});
            (*c).coordinates(j, {q.mutable_data(), static_cast<std::size_t>(q.size())});
            return q;
          },
          py::arg("joint"), "(coordinates of the joint,), of any joint that is not driven.")
      .def(
          "velocities",
          [](const ControlsOfCall& c, const JointKey& joint) {
            const int j = c.index(joint);
            Array v = make_array({}, {(*c).velocity_count(j)});
            (*c).velocities(j, {v.mutable_data(), static_cast<std::size_t>(v.size())});
            return v;
          },
          py::arg("joint"), "(velocities of the joint,), of any joint that is not driven.")
      .def(
          "add_effort",
          [](const ControlsOfCall& c, int i, double effort) { (*c).add_effort(i, effort); },
          py::arg("i"), py::arg("effort"),
          "Adds to the effort on the child of the i-th of the controller's joints, N m or N.");

  py::class_<EffortCallback>(m, "EffortCallback",
                             "An effort on the child of a joint with one degree of freedom, N m or "
                             "N: effort(t, q, q_dot), a function of these and nothing else.")
      .def(py::init([](std::string name, std::string joint, py::function effort) {
             return EffortCallback{
                 std::move(name),
                 std::move(joint),
                 [call = Callable(std::move(effort))](double t, double q, double q_dot) {
                   return guarded(kNaN, [&] {
                     const py::object given = (*call)(t, q, q_dot);
                     const auto number = number_of(given);
                     if (!number) refuse("effort must give a number", given);
                     return *number;
                   });
                 },
                 {}};
           }),
           py::kw_only(), py::arg("name"), py::arg("joint"), py::arg("effort"));

  py::class_<LoadCallback>(
      m, "LoadCallback",
      "A load on a body: load(t, body) gives force (N) and moment (N m) at the "
      "origin of the body's frame, in world axes; in the plane (f_x, f_y) and "
      "the moment about z.")
      .def(py::init([](std::string name, std::string body, py::function load) {
             return LoadCallback{
                 std::move(name),
                 std::move(body),
                 [call = Callable(std::move(load))](double t, const BodyState& state) {
                   BodyLoad failed;
                   failed.force.setConstant(kNaN);
                   return guarded(failed, [&] {
                     const py::object given = (*call)(t, py::cast(state));
                     if (!py::isinstance<py::sequence>(given) || py::isinstance<py::str>(given) ||
                         py::len(given) != 2)
                       refuse("load must give a force and a moment", given);
                     return BodyLoad{position_of(given[py::int_(0)]), turn_of(given[py::int_(1)])};
                   });
                 },
                 {}};
           }),
           py::kw_only(), py::arg("name"), py::arg("body"), py::arg("load"));

  py::class_<Controller>(m, "Controller",
                         "Sets the efforts of chosen joints with one degree of freedom from the "
                         "state of all: law(controls). With a period (s) the law is called "
                         "at its multiples only, and its efforts are held; it may then remember.")
      .def(py::init([](std::string name, std::vector<std::string> joints, py::function law,
                       std::optional<double> period) {
             const auto act = [call = Callable(std::move(law))](Controls& controls) {
               const bool done = guarded(false, [&] {
                 py::object handed = py::cast(ControlsOfCall{&controls});
                 const auto end = [&] { handed.cast<ControlsOfCall&>().controls = nullptr; };
                 try {
                   (*call)(handed);
                 } catch (...) {
                   end();
                   throw;
                 }
                 end();
                 return true;
               });
               if (!done) controls.add_effort(0, kNaN);
             };
             Controller controller{std::move(name), std::move(joints), act, {}};
             return period ? sampled(std::move(controller), *period) : controller;
           }),
           py::kw_only(), py::arg("name"), py::arg("joints"), py::arg("law"),
           py::arg("period") = py::none());
}

}  // namespace hamiltree::bindings
