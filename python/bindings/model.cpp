// Model and State.
#include "hamiltree/model/model.hpp"

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "callbacks.hpp"
#include "hamiltree/analysis/start_at_time.hpp"
#include "hamiltree/base/counted.hpp"
#include "hamiltree/base/error.hpp"
#include "hamiltree/formulations/codegen/c_file.hpp"
#include "hamiltree/formulations/digits.hpp"
#include "hamiltree/formulations/select.hpp"
#include "hamiltree/io/export/fmu/fmu.hpp"
#include "hamiltree/io/export/model/at_start.hpp"
#include "hamiltree/io/export/model/native_writer.hpp"
#include "hamiltree/io/export/pending_file.hpp"
#include "hamiltree/io/export/transmission/transmission.hpp"
#include "hamiltree/io/load.hpp"
#include "hamiltree/model/functions_of_time.hpp"
#include "hamiltree/model/with_parameters.hpp"
#include "hamiltree/plan/plan.hpp"
#include "hamiltree/plan/plan_text.hpp"
#include "hamiltree/simulation/branches/rows_at_start.hpp"
#include "hamiltree/simulation/closed_state.hpp"
#include "hamiltree/simulation/initial_state.hpp"
#include "hamiltree/simulation/recording_header.hpp"
#include "pickled.hpp"
#include "signals.hpp"
#include "state.hpp"

namespace py = pybind11;

namespace hamiltree::bindings {
namespace {

std::tuple<Model, ModelLooks, std::vector<std::string>> load_model(
    const std::filesystem::path& file, const std::vector<std::string>& overrides,
    const ImportOptions& options) {
  ImportLog log(options.strict);
  const auto source = read_model(file, options, log);
  ModelLooks looks{source.looks(overrides), source.file, options.files_elsewhere};
  return {Model(source.mechanism(overrides)), std::move(looks), log.lines()};
}

void to_fmu(const Model& model, const std::filesystem::path& file, int version,
            const std::string& parameters, double step, const std::string& formulation, bool binary,
            const std::string& inputs, bool derivatives) {
  if (parameters != "fold" && parameters != "pass")
    throw UsageError("parameters must be \"fold\" or \"pass\", not \"" + parameters + "\"");
  if (!(step > 0.0)) throw UsageError("step must be more than 0");
  const auto fmu = without_lock([&] {
    auto made = make_fmu(model, {version, formulation, parameters == "pass", step, binary,
                                 codegen::inputs_of(inputs), derivatives});
    write_fmu(made, file);
    return made;
  });
  if (binary && !fmu.no_binary.empty()) {
    const auto text = "no library for this platform: " + fmu.no_binary;
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  }
}

void to_transmission(const Model& model, const std::filesystem::path& file,
                     const std::vector<std::string>& actuators,
                     const std::vector<std::string>& joints) {
  without_lock([&] {
    const auto header =
        make_transmission(model, {actuators, joints}, codegen::c_prefix(file.stem().string()));
    PendingFile(file, header.text).publish();
    return 0;
  });
}

// (n, 3) of points, m.
py::array_t<double> points_array(const std::vector<Eigen::Vector3d>& points) {
  py::array_t<double> array({static_cast<py::ssize_t>(points.size()), py::ssize_t{3}});
  double* out = array.mutable_data();
  for (const auto& point : points) {
    for (const double x : point) *out++ = x;
  }
  return array;
}

// Where joints act on the ground, in the world; then the same of each body, in its own axes, with
// its centre of mass where there is but one such point.
py::tuple skeleton(const Model& model) {
  const auto header = make_header(model);
  py::list bodies;
  for (const auto& body : header.bodies) {
    auto points = body.handles;
    if (points.size() < 2) points.push_back(body.com);
    bodies.append(points_array(points));
  }
  return py::make_tuple(points_array(header.ground_handles), bodies);
}

std::vector<std::pair<std::string, std::string>> names_and_units(
    const std::vector<Channel>& channels) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& c : channels) result.emplace_back(c.name, c.unit);
  return result;
}

// The start of the mechanism as it is described: with other parameters guesses may
// no longer lead to one.
InitialState described_start(const Model& model) {
  return initial_state(model.has_own_tables() ? model : Model(model.mechanism()));
}

// Throws where the tables are no longer those of the mechanism.
const Mechanism& described(const Model& model) {
  if (!model.has_own_tables()) {
    throw UsageError(model.name() +
                     " is not as it is described: its parameters were changed or its loops opened, "
                     "and there is no description of that");
  }
  return model.mechanism();
}

// The mechanism, and what was changed of the tables that it compiles to: how many rows of loops
// are left, and all parameters.
py::tuple pickled_model(const Model& model) {
  py::object changes = py::none();
  if (!model.has_own_tables()) {
    std::vector<std::string> names;
    std::vector<double> values;
    for (const auto& p : parameters(model)) {
      names.push_back(p.name);
      values.push_back(p.value);
    }
    parameter_numbers(model, names);  // refuses what a name does not tell
    changes = py::make_tuple(model.constraint_count(), names, values);
  }
  return py::make_tuple(pickled_bytes(model.mechanism()), changes);
}

Model unpickled_model(const py::tuple& state) {
  Model model(unpickled<Mechanism>(state[0].cast<py::tuple>()));
  if (state[1].is_none()) return model;
  const auto [rows, names, values] =
      state[1].cast<std::tuple<int, std::vector<std::string>, std::vector<double>>>();
  if (rows < model.constraint_count()) model = model.opened();
  std::vector<Parameter> all;
  for (std::size_t i = 0; i < names.size(); ++i) all.push_back({names[i], values.at(i)});
  return with_parameters(model, all);
}

void bind_state(py::module_& m) {
  py::class_<State>(m, "State",
                    "Coordinates and momenta at a time: all that the future depends on. The arrays "
                    "are views: writing to them changes the state.")
      .def(py::init([](double t, const Array& q, const Array& p) {
             return State{t, to_vector(q), to_vector(p)};
           }),
           py::kw_only(), py::arg("t") = 0.0, py::arg("q"), py::arg("p"))
      .def_readwrite("t", &State::t, "s")
      .def_property(
          "q", [](State& state) -> Eigen::VectorXd& { return state.q; },
          [](State& state, const Array& q) { state.q = to_vector(q); },
          "(coordinates,), rad, m; quaternions w, x, y, z")
      .def_property(
          "p", [](State& state) -> Eigen::VectorXd& { return state.p; },
          [](State& state, const Array& p) { state.p = to_vector(p); },
          "(velocities,), kg m^2/s, kg m/s")
      .def("copy", [](const State& state) { return state; })
      .def(py::pickle(
          [](const State& state) {
            return py::make_tuple(state.t, to_array(state.q), to_array(state.p));
          },
          [](const py::tuple& x) {
            return State{x[0].cast<double>(), to_vector(x[1].cast<Array>()),
                         to_vector(x[2].cast<Array>())};
          }))
      .def("__repr__", [](const State& state) {
        return "State(t=" + py::repr(py::float_(state.t)).cast<std::string>() +
               ", q=" + py::repr(to_array(state.q).attr("tolist")()).cast<std::string>() +
               ", p=" + py::repr(to_array(state.p).attr("tolist")()).cast<std::string>() + ")";
      });
}

// Numbers of joints by their names; a joint of one degree of freedom may have a number.
std::map<std::string, Eigen::VectorXd> of_joints(const py::dict& given) {
  std::map<std::string, Eigen::VectorXd> numbers;
  for (const auto& [name, value] : given) {
    const auto array = Array::ensure(value);
    if (!array || array.ndim() > 1)
      throw UsageError("a joint is given a number, or a sequence of its numbers");
    numbers[name.cast<std::string>()] =
        Eigen::Map<const Eigen::VectorXd>(array.data(), array.size());
  }
  return numbers;
}

}  // namespace

State make_state(const Model& model, double t, const py::object& q, const py::object& v) {
  const auto at_time = [&] {
    return without_lock(
        [&] { return analysis::state_at_time(model, t, raise_signals_now_and_then()); });
  };
  if (q.is_none() && v.is_none()) {
    const auto initial = at_time();
    return {t, initial.q, initial.p};
  }
  const bool q_of_joints = py::isinstance<py::dict>(q), v_of_joints = py::isinstance<py::dict>(v);
  Eigen::VectorXd coordinates =
      q.is_none() || q_of_joints ? at_time().q : to_vector(q.cast<Array>());
  if (q_of_joints || v_of_joints) {
    GivenJoints given;
    if (q_of_joints) given.q = of_joints(q);
    if (v_of_joints) given.v = of_joints(v);
    const auto closed = closed_state(model, t, coordinates, given);
    if (v_of_joints || v.is_none()) return {t, closed.q, closed.p};
    coordinates = closed.q;
  }
  const Eigen::VectorXd velocities =
      v.is_none() ? Eigen::VectorXd::Zero(model.velocity_count()) : to_vector(v.cast<Array>());
  return {t, coordinates, momenta_of(model, t, coordinates, velocities)};
}

void bind_model(py::module_& m) {
  bind_state(m);
  py::class_<ModelLooks>(m, "Looks",
                         "How the bodies of a loaded model look in reports: its visuals.")
      .def(py::init<>())
      .def("__len__", [](const ModelLooks& looks) { return looks.visuals.size(); });

  py::class_<Model>(m, "Model",
                    "A mechanism checked and compiled: immutable, shared by all who compute.")
      .def(py::init<Mechanism>(), py::arg("mechanism"),
           "Throws ModelError naming the element that cannot be accepted.")
      .def_property_readonly("name", &Model::name)
      .def_property_readonly("space",
                             [](const Model& model) {
                               return model.space() == SpaceKind::kPlanar ? "planar" : "spatial";
                             })
      .def_property_readonly("mechanism", &described,
                             "As the user said it. Throws UsageError of a model from "
                             "with_parameters or opened, which nobody has described.",
                             py::return_value_policy::copy)
      .def_property_readonly(
          "_mechanism_before", &Model::mechanism,
          "The mechanism that the model was made of, whatever was changed since.",
          py::return_value_policy::copy)
      .def_property_readonly("body_count", &Model::body_count)
      .def_property_readonly("joint_count", &Model::joint_count)
      .def_property_readonly("loop_count", &Model::loop_count, "Joints that close loops.")
      .def_property_readonly("coordinate_count", &Model::coordinate_count, "Size of q.")
      .def_property_readonly("velocity_count", &Model::velocity_count, "Size of v and p.")
      .def_property_readonly("constraint_count", &Model::constraint_count)
      .def_property_readonly(
          "degrees_of_freedom",
          [](const Model& model) {
            const auto start = described_start(model);
            const auto selected = select_formulation(model, start.q).name;
            return branches::RowsAtStart(model, start, make_formulation(selected, model))
                .degrees_of_freedom;
          },
          "Velocities that are independent with the loops closed, at the initial pose or, where it "
          "is singular, next to it; of models from with_parameters at that of the description. "
          "Computed anew each time.")
      .def_property_readonly(
          "depends_on_time", [](const Model& model) { return depends_on_time(model.mechanism()); },
          "Whether the same state may move differently at another time: by a function of time that "
          "is no constant, or by a callback.")
      .def_property_readonly(
          "body_names",
          [](const Model& model) {
            std::vector<std::string> names;
            for (int b = 0; b < model.body_count(); ++b) names.push_back(model.body_name(b));
            return names;
          },
          "In the engine's order: parents before children.")
      .def_property_readonly(
          "joint_names",
          [](const Model& model) {
            std::vector<std::string> names;
            for (int j = 0; j < model.joint_count(); ++j) names.push_back(model.joint_name(j));
            return names;
          },
          "In the engine's order: joint b is the inboard joint of body b, then those that close "
          "loops.")
      .def(
          "parameters",
          [](const Model& model) {
            std::vector<std::pair<std::string, double>> all;
            for (const auto& p : parameters(model)) all.emplace_back(p.name, p.value);
            return all;
          },
          "(name, value) of gravity, masses, centres of mass, inertias, places of joints and the "
          "numbers of forces, SI units; frames are those of the engine's bodies, each at its "
          "inboard "
          "joint.")
      .def(
          "with_parameters",
          [](const Model& model, const std::map<std::string, double>& values) {
            std::vector<Parameter> all;
            for (const auto& [name, value] : values) all.push_back({name, value});
            return with_parameters(model, all);
          },
          py::arg("values"),
          "The same Model with other values of some parameters, by name: same state and loops. "
          "Values are such as a description may have: finite, and masses, moments of inertia, "
          "stiffnesses and dampings, for example, not negative.")
      .def_property_readonly(
          "coordinates", [](const Model& model) { return names_and_units(make_header(model).q); },
          "Name and unit of each number of q.")
      .def_property_readonly(
          "velocities", [](const Model& model) { return names_and_units(make_header(model).v); },
          "Name and unit of each number of v.")
      .def_property_readonly(
          "momenta", [](const Model& model) { return names_and_units(make_header(model).p); },
          "Name and unit of each number of p.")
      .def_property_readonly(
          "estimated_digits",
          [](const Model& model) { return estimated_digits(model, described_start(model).q); },
          "Digits of the velocities that momenta keep, of about 16, at the initial pose, of models "
          "from with_parameters at that of the description; None for large models.")
      .def("state", &make_state, py::kw_only(), py::arg("t") = 0.0, py::arg("q") = py::none(),
           py::arg("v") = py::none(),
           "The initial state, its loops closed, with drives followed from 0 to t; or that of "
           "coordinates q (coordinates,) and "
           "velocities v (velocities,), as they are. A dict of some joints, by name: these are "
           "held, "
           "the others move from the initial pose, or from q, until the loops close, with the "
           "smallest velocities that keep them closed.")
      .def(
          "velocities_of",
          [](const Model& model, const State& state) {
            return to_array(velocities_of(model, state));
          },
          py::arg("state"), "Joint velocities (velocities,) of a state, rad/s, m/s.")
      .def(
          "plan",
          [](const Model& model) {
            return model.visit(
                [&](const auto& system) { return plan_tree_text(make_plan(system), model); });
          },
          "The plan of hdca as a tree: a compound stands above the two that it is made of.")
      .def("skeleton", &skeleton,
           "Points where joints act, m: (n, 3) on the ground, and a list with (n, 3) of each body "
           "in "
           "its own axes.")
      .def(py::pickle(&pickled_model, &unpickled_model))
      .def("opened", &Model::opened, "The same with its loops open.")
      .def(
          "to_toml", [](const Model& model) { return to_native(at_start(described(model))); },
          "As a native model file, with guesses where loops were closed by a search.")
      .def(
          "to_fmu", &to_fmu, py::arg("file"), py::kw_only(), py::arg("fmi") = 3,
          py::arg("parameters") = "fold", py::arg("step") = 1e-3,
          py::arg("formulation") = "recursive", py::arg("binary") = true,
          py::arg("inputs") = "efforts", py::arg("derivatives") = false,
          "Writes a Functional Mock-up Unit for co-simulation and model exchange, of FMI 2 (2.0) "
          "or 3 (3.0): its sources, and with binary a library for this platform where there is a C "
          "compiler. With parameters=\"pass\" the model's numbers are parameters of the FMU; "
          "step, s, is the longest of co-simulation. inputs says what comes from outside, by "
          "commas: "
          "efforts, drives, wrenches, or none; with derivatives there are exact directional ones. "
          "What the FMU lacks becomes a warning.")
      .def(
          "to_transmission", &to_transmission, py::arg("file"), py::kw_only(), py::arg("actuators"),
          py::arg("joints"),
          "Writes a C++ header without dependencies that maps positions, velocities and efforts of "
          "actuators of a closed linkage to those of joints, and back.")
      .def("__repr__", [](const Model& model) {
        return "<Model \"" + model.name() + "\": " + counted(model.body_count(), "body", "bodies") +
               ", " + counted(model.joint_count(), "joint") + ", " +
               counted(model.loop_count(), "loop") + ">";
      });

  m.def(
      "load_with_log",
      [](const std::filesystem::path& file, const std::vector<std::string>& overrides, bool strict,
         bool balance_inertia, bool accept_inertia, bool fixed_base, std::string keyframe,
         bool no_actuators, std::string control, bool files_elsewhere) {
        return load_model(file, overrides,
                          {strict, balance_inertia, accept_inertia, fixed_base, std::move(keyframe),
                           no_actuators, std::move(control), files_elsewhere});
      },
      py::arg("file"), py::arg("overrides"), py::kw_only(), py::arg("strict"),
      py::arg("balance_inertia"), py::arg("accept_inertia"), py::arg("fixed_base"),
      py::arg("keyframe"), py::arg("no_actuators"), py::arg("control"), py::arg("files_elsewhere"));
}

}  // namespace hamiltree::bindings
