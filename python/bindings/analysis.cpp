// Analyses of a model at a pose: linearize, equilibrium, inverse dynamics, transmission,
// kinematics.
#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "callbacks.hpp"
#include "hamiltree/analysis/equilibrium.hpp"
#include "hamiltree/analysis/inverse_dynamics.hpp"
#include "hamiltree/analysis/inverse_kinematics.hpp"
#include "hamiltree/analysis/linearize.hpp"
#include "hamiltree/analysis/show_modes.hpp"
#include "hamiltree/analysis/start_at_time.hpp"
#include "hamiltree/base/counted.hpp"
#include "pickled.hpp"
#include "signals.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

using analysis::Equilibrium;
using analysis::InverseDynamics;
using analysis::InverseKinematics;
using analysis::Linearization;
using analysis::Mode;
using analysis::ModelAtPose;
using analysis::PointJacobian;
using analysis::PointTarget;
using Names = std::vector<std::string>;

ModelAtPose pose_of(const Model& model, const py::object& q, double t, const Names& independent) {
  if (q.is_none()) {
    return without_lock([&] {
      return analysis::pose_at_time(model, t, independent, raise_signals_now_and_then());
    });
  }
  return {model, t, to_vector(q.cast<Array>()), independent};
}

// The independent ones of all joint velocities, or of their rates; None: 0.
Eigen::VectorXd independent_of(const ModelAtPose& pose, const py::object& all, const char* name) {
  if (all.is_none()) return Eigen::VectorXd::Zero(pose.freedom());
  const auto x = to_vector(all.cast<Array>());
  if (x.size() != pose.model().velocity_count()) {
    throw UsageError(std::string(name) + " has " + std::to_string(x.size()) + " entries, " +
                     pose.model().name() + " has " + std::to_string(pose.model().velocity_count()) +
                     " velocities");
  }
  Eigen::VectorXd u = x(pose.independent());
  if (!u.allFinite()) throw UsageError(std::string(name) + " must be finite");
  return u;
}

Linearization linearize(const Model& model, const py::object& q, const py::object& v, double t,
                        const Names& independent, const Names& inputs) {
  auto pose = pose_of(model, q, t, independent);
  const auto u = independent_of(pose, v, "v");
  return without_lock([&] { return analysis::linearize(pose, u, inputs); });
}

Recording show_modes(const Model& model, const Linearization& linear, int most, double amplitude) {
  return without_lock([&] {
    ModelAtPose pose(model, linear.t, linear.q);
    return analysis::show_modes(pose, linear, {most, amplitude});
  });
}

Equilibrium equilibrium(const Model& model, const py::object& q, double t,
                        const Names& independent) {
  auto pose = pose_of(model, q, t, independent);
  return without_lock([&] { return analysis::equilibrium(pose, raise_signals_now_and_then()); });
}

InverseDynamics inverse_dynamics(const Model& model, const Names& joints, const py::object& q,
                                 const py::object& v, const py::object& v_dot, double t,
                                 const Names& independent) {
  auto pose = pose_of(model, q, t, independent);
  const auto u = independent_of(pose, v, "v");
  const auto u_dot = independent_of(pose, v_dot, "v_dot");
  return without_lock([&] { return analysis::inverse_dynamics(pose, u, u_dot, joints); });
}

Eigen::MatrixXd transmission(const Model& model, const Names& inputs, const Names& outputs,
                             const py::object& q, double t) {
  auto pose = pose_of(model, q, t, {});
  return without_lock([&] { return analysis::transmission(pose, inputs, outputs); });
}

Eigen::Vector3d point_of(const Model& model, const Array& x, const char* name) {
  const auto given = to_vector(x);
  if (given.size() != 3 && (given.size() != 2 || model.space() != SpaceKind::kPlanar))
    throw UsageError(std::string(name) + " has " + std::to_string(given.size()) +
                     " entries, not 3, or 2 in the plane");
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  point.head(given.size()) = given;
  return point;
}

PointJacobian point_jacobian(const Model& model, const std::string& body, const Array& position,
                             const py::object& q, double t, const Names& independent) {
  auto pose = pose_of(model, q, t, independent);
  const auto point = point_of(model, position, "position");
  return without_lock([&] { return analysis::point_jacobian(pose, {body, point}); });
}

Eigen::MatrixXd mass_matrix(const Model& model, const py::object& q, double t,
                            const Names& independent) {
  auto pose = pose_of(model, q, t, independent);
  return without_lock([&] { return analysis::mass_matrix(pose); });
}

// (body, point in it, where it is wanted)
using Target = std::tuple<std::string, Array, Array>;

InverseKinematics inverse_kinematics(const Model& model, const std::vector<Target>& targets,
                                     const py::object& q, double t, bool within_limits) {
  auto pose = pose_of(model, q, t, {});
  std::vector<PointTarget> wanted;
  for (const auto& [body, point, position] : targets) {
    wanted.push_back(
        {{body, point_of(model, point, "a point")}, point_of(model, position, "a target")});
  }
  const auto limits = within_limits ? analysis::Limits::kKept : analysis::Limits::kIgnored;
  return without_lock([&] { return analysis::inverse_kinematics(pose, wanted, limits); });
}

void bind_kinematics(py::module_& m) {
  py::class_<PointJacobian>(m, "PointJacobian", "Where a point is and how it follows the joints.")
      .def_readonly("position", &PointJacobian::position, "m, world")
      .def_readonly("rotation", &PointJacobian::rotation, "(3, 3): of the body's frame")
      .def_readonly("of_velocities", &PointJacobian::of_velocities,
                    "(6, velocities): velocity and angular velocity, world axes, from v of all "
                    "joints, which the loops tie together")
      .def_readonly("of_independent", &PointJacobian::of_independent,
                    "(6, independent): the same from the independent ones, loops closed")
      .def(pickled<PointJacobian>());
  py::class_<InverseKinematics>(m, "InverseKinematics", "A pose at which points are near targets.")
      .def_readonly("q", &InverseKinematics::q)
      .def_readonly("miss", &InverseKinematics::miss, "m: of the point farthest from its target")
      .def_readonly("steps", &InverseKinematics::steps)
      .def_readonly("reached", &InverseKinematics::reached)
      .def(pickled<InverseKinematics>());
  m.def("point_jacobian", &point_jacobian, py::arg("model"), py::arg("body"),
        py::arg("position") = std::vector<double>{0.0, 0.0, 0.0}, py::arg("q") = py::none(),
        py::arg("t") = 0.0, py::kw_only(), py::arg("independent") = Names(),
        "PointJacobian of a point in a body at coordinates q (None: the initial ones), moved onto "
        "closed loops.");
  m.def("mass_matrix", &mass_matrix, py::arg("model"), py::arg("q") = py::none(),
        py::arg("t") = 0.0, py::kw_only(), py::arg("independent") = Names(),
        "(independent, independent): of the independent velocities, loops closed.");
  m.def(
      "inverse_kinematics", &inverse_kinematics, py::arg("model"), py::arg("targets"),
      py::arg("q") = py::none(), py::arg("t") = 0.0, py::kw_only(), py::arg("within_limits") = true,
      "InverseKinematics from q (None: the initial pose), loops closed, with joints of one degree "
      "of freedom within their limits. targets: (body, point in it, where it is wanted).");
}

std::string sizes_text(const Linearization& l) {
  return counted(l.q.size(), "coordinate") + ", " +
         counted(std::ssize(l.independent), "independent velocity", "independent velocities") +
         ", " + counted(std::ssize(l.inputs), "input");
}

void bind_results(py::module_& m) {
  py::class_<Mode>(m, "Mode", "A pair of conjugate eigenvalues of A, or a real one.")
      .def_readonly("eigenvalue", &Mode::eigenvalue, "1/s, imaginary part not below 0")
      .def_readonly("frequency", &Mode::frequency, "Hz, undamped")
      .def_readonly("damping", &Mode::damping, "ratio; 1 is critical")
      .def_readonly("shape", &Mode::shape,
                    "(velocities,), complex: displacements of all joints, the largest 1")
      .def(pickled<Mode>());
  py::class_<Linearization>(
      m, "Linearization",
      "Motions next to a state: d/dt x = A x + B w, x = (dz, du) with u the independent velocities "
      "and dz displacements along them; dq = C_q x, dv = C_v x.")
      .def_readonly("t", &Linearization::t)
      .def_readonly("q", &Linearization::q)
      .def_readonly("v", &Linearization::v)
      .def_readonly("v_dot", &Linearization::v_dot)
      .def_readonly("independent", &Linearization::independent, "which of v are independent")
      .def_readonly("inputs", &Linearization::inputs, "joints whose efforts are w")
      .def_readonly("A", &Linearization::A)
      .def_readonly("B", &Linearization::B)
      .def_readonly("C_q", &Linearization::C_q)
      .def_readonly("C_v", &Linearization::C_v)
      .def("modes", &analysis::modes, "By frequency.")
      .def("__repr__",
           [](const Linearization& l) { return "<Linearization at " + sizes_text(l) + ">"; })
      .def(pickled<Linearization>());
  py::class_<Equilibrium>(m, "Equilibrium", "A pose at which a model rests.")
      .def_property_readonly("q", [](const Equilibrium& e) { return e.linear.q; })
      .def_readonly("linear", &Equilibrium::linear, "motions next to it")
      .def_readonly("steps", &Equilibrium::steps)
      .def_readonly("unbalanced", &Equilibrium::unbalanced, "the largest force left, N or N m")
      .def_readonly("growth", &Equilibrium::growth, "1/s, of the fastest growing motion")
      .def_readonly("stable", &Equilibrium::stable)
      .def_readonly("indifferent", &Equilibrium::indifferent,
                    "some motions neither grow nor come back, to rounding")
      .def("__repr__",
           [](const Equilibrium& e) {
             return std::string("<Equilibrium, ") + (e.stable ? "stable" : "not stable") + ", of " +
                    sizes_text(e.linear) + ">";
           })
      .def(pickled<Equilibrium>());
  py::class_<InverseDynamics>(m, "InverseDynamics", "Efforts that make a given motion.")
      .def_readonly("v", &InverseDynamics::v, "of all joints, loops closed")
      .def_readonly("v_dot", &InverseDynamics::v_dot)
      .def_readonly("efforts", &InverseDynamics::efforts, "(joints,), N m or N")
      .def_readonly("unbalanced", &InverseDynamics::unbalanced,
                    "what these joints cannot give, along the independent velocities")
      .def(pickled<InverseDynamics>());
}

}  // namespace

void bind_analysis(py::module_& m) {
  bind_results(m);
  bind_kinematics(m);
  m.def(
      "linearize", &linearize, py::arg("model"), py::arg("q") = py::none(),
      py::arg("v") = py::none(), py::arg("t") = 0.0, py::kw_only(),
      py::arg("independent") = Names(), py::arg("inputs") = Names(),
      "Linearization at coordinates q (None: the initial ones, with drives followed from 0 to t), "
      "moved onto closed loops, and velocities v (None: at rest), of which the independent ones "
      "count.");
  m.def("show_modes", &show_modes, py::arg("model"), py::arg("linear"), py::kw_only(),
        py::arg("most"), py::arg("amplitude"));
  m.def("equilibrium", &equilibrium, py::arg("model"), py::arg("q") = py::none(),
        py::arg("t") = 0.0, py::kw_only(), py::arg("independent") = Names(),
        "The Equilibrium to which forces push from q (None: the initial pose). Throws "
        "SimulationError where none is found.");
  m.def("inverse_dynamics", &inverse_dynamics, py::arg("model"), py::arg("joints"),
        py::arg("q") = py::none(), py::arg("v") = py::none(), py::arg("v_dot") = py::none(),
        py::arg("t") = 0.0, py::kw_only(), py::arg("independent") = Names(),
        "Efforts at the joints that give the independent ones of v and v_dot; of least norm where "
        "joints are redundant.");
  m.def("transmission", &transmission, py::arg("model"), py::arg("inputs"), py::arg("outputs"),
        py::arg("q") = py::none(), py::arg("t") = 0.0,
        "(outputs, inputs): J with rate_outputs = J rate_inputs and effort_inputs = J^T "
        "effort_outputs.");
}

}  // namespace hamiltree::bindings
